/// A pasteboard that is a list of strings, for tests.
@MainActor
public final class InMemoryPasteboard: Pasteboard {
    /// The strings, which a test may change.
    public var strings: [String]

    /// Creates a pasteboard with these strings.
    public nonisolated init(_ strings: [String] = []) { self.strings = strings }

    /// Whether there are any strings.
    public func mayHoldLink() async -> Bool { !strings.isEmpty }

    /// The strings.
    public func contents() async -> PasteboardContents { PasteboardContents(strings: strings) }
}
