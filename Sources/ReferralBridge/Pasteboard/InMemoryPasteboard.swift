/// A pasteboard that is a list of strings, for tests.
public struct InMemoryPasteboard: Pasteboard, Equatable {
    private let strings: [String]

    /// Creates a pasteboard with these strings.
    public init(_ strings: [String]) { self.strings = strings }

    /// Whether there are any strings.
    public func mayHoldLink() async -> Bool { !strings.isEmpty }

    /// The strings.
    public func contents() async -> PasteboardContents { PasteboardContents(strings: strings) }
}
