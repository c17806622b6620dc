/// Where a referral link may lie: what a web page calls the clipboard.
///
/// A probe and a read, since a system may tell silently what kind of thing lies there, and may ask the person or show a
/// banner once something is read.
public protocol Pasteboard: Sendable {
    /// Whether there may be a link. Never prompts.
    func mayHoldLink() async -> Bool

    /// Everything there that is text or an address. May prompt.
    ///
    /// - Returns: The strings in the pasteboard's order; none where it is empty or the person declined.
    func strings() async -> [String]
}

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
