/// A place that may hold a referral link: what a web page calls the clipboard.
///
/// It has a silent probe and a read. When an app reads, the system may ask the person or show a banner. A bridge makes
/// one call at a time, except for ``clear(ifChangeCountIs:)``, and it doesn't wait longer than 2 seconds for a probe.
public protocol Pasteboard: Sendable {
    /// A number that changes with each new content of the pasteboard; `nil` if there is no such number. Never prompts.
    var changeCount: Int? { get async }

    /// Whether there may be a link. Never prompts.
    ///
    /// A check waits 2 seconds for the answer. Later calls may come before it; a late answer counts.
    ///
    /// - Throws: ``PasteboardError/accessDenied`` if the app may not read the pasteboard, another error if the system can't
    ///   tell. The next activation of the app probes again.
    func mayHoldLink() async throws -> Bool

    /// Everything on the pasteboard that is text or an address. May prompt, and may take as long as a person thinks.
    ///
    /// - Returns: The strings in the pasteboard's order, with the change count of this very content. No strings if the
    ///   pasteboard is empty or the person declined.
    /// - Throws: An error if the pasteboard can't be read. The next activation of the app reads it again.
    func contents() async throws -> PasteboardContents

    /// Empties the pasteboard, if its change count is still this one.
    func clear(ifChangeCountIs changeCount: Int) async
}

extension Pasteboard {
    /// `nil`: there is no such number.
    public var changeCount: Int? { get async { nil } }

    /// Does nothing.
    public func clear(ifChangeCountIs changeCount: Int) async {}
}

/// What was read from a pasteboard.
public struct PasteboardContents: Sendable, Equatable {
    /// The texts and the addresses, each string once, since a link is often there as both.
    public let strings: [String]

    /// The change count of this content; `nil` if the pasteboard has none.
    public let changeCount: Int?

    /// Creates the contents of a pasteboard, and keeps equal strings once.
    public init(strings: [String], changeCount: Int? = nil) {
        var seen: Set<String> = []
        self.strings = strings.filter { seen.insert($0).inserted }
        self.changeCount = changeCount
    }
}
