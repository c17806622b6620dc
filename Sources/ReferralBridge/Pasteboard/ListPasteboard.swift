/// A pasteboard that is a plain list: for tests, and for strings that came another way.
public struct ListPasteboard: Pasteboard, Hashable {
    private let list: [String]

    /// A pasteboard that holds these strings.
    public init(_ strings: [String]) {
        list = strings
    }

    /// Whether the list holds anything.
    public func mayHoldLink() async -> Bool { !list.isEmpty }

    /// The list.
    public func strings() async -> [String] { list }
}
