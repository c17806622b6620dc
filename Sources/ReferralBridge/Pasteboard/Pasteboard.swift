/// Where a referral link may lie: what a web page calls the clipboard.
///
/// A probe and a read, since a system tells silently what kind of thing lies there, and may ask the person or show a
/// banner once something is read.
public protocol Pasteboard: Sendable {
    /// A number that is another one whenever something else was put there; `nil` where there is no such number. Never
    /// prompts.
    var changeCount: Int? { get async }

    /// Whether there may be a link. Never prompts.
    func mayHoldLink() async -> Bool

    /// Everything there that is text or an address. May prompt, and may take long.
    ///
    /// - Returns: The strings in the pasteboard's order; none where it is empty or the person declined.
    /// - Throws: What kept it from being read. It is then read again at the next check.
    func strings() async throws -> [String]

    /// Takes everything off, if nothing was put there since the change count was this one.
    func clear(ifChangeCountIs changeCount: Int) async
}

extension Pasteboard {
    /// There is no such number.
    public var changeCount: Int? { get async { nil } }

    /// Does nothing.
    public func clear(ifChangeCountIs changeCount: Int) async {}
}

extension [String] {
    /// The strings in their order, each once: a link is often there as text and as an address.
    var withoutRepeats: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
