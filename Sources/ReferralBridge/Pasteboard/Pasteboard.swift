/// A pasteboard that may contain a referral link. On a web page, it is called the clipboard.
///
/// It has a silent probe and a read. When an app reads, the system may ask the user or show a banner. A bridge makes one call at a
/// time, except that it repeats a probe without an answer when the app becomes active again.
public protocol Pasteboard: Sendable {
    /// A number that changes each time the content of the pasteboard changes; `nil` if there is no such number. Never
    /// prompts.
    var changeCount: Int? { get async }

    /// Whether there may be a link. Never prompts.
    ///
    /// - Throws: ``PasteboardError/accessDenied`` if the app may not read the pasteboard, or another error if this
    ///   can't be determined. The next activation of the app probes again.
    func mayHoldLink() async throws -> Bool

    /// Reads all texts and addresses on the pasteboard. May prompt, and then waits for the user's answer.
    ///
    /// - Returns: The strings in the pasteboard's order, with the change count of this content. There are no strings if
    ///   the pasteboard is empty or the user declined.
    /// - Throws: An error if the pasteboard can't be read. The next activation of the app reads it again.
    func contents() async throws -> PasteboardContents
}

extension Pasteboard {
    /// `nil`: there is no such number.
    public var changeCount: Int? { get async { nil } }
}

/// The contents that were read from a pasteboard.
public struct PasteboardContents: Sendable, Equatable {
    /// The texts and the addresses. Each string is included once, since a link is often both a text and an address. Strings
    /// that are longer than any link are left out.
    public let strings: [String]

    /// The change count of this content; `nil` if the pasteboard has none.
    public let changeCount: Int?

    /// The length, in bytes, above which no text is a link with white space around it.
    private static let maximumLength = 2 * StoreAddress.maximumLength

    /// Creates the contents of a pasteboard, without repeated strings.
    public init(strings: [String], changeCount: Int? = nil) {
        // By the bytes: Swift's own comparison sorts combining marks, which can take minutes.
        var seen: Set<[UInt8]> = []
        self.strings = strings.filter { $0.utf8.count <= Self.maximumLength && seen.insert(Array($0.utf8)).inserted }
        self.changeCount = changeCount
    }
}

/// Why a pasteboard can't be probed or read.
public enum PasteboardError: Error, Sendable, CustomStringConvertible {
    /// The system's settings deny the app all access. A read would return nothing, without a prompt.
    case accessDenied

    /// A sentence suitable for display.
    public var description: String { "The system's settings deny the app access to the pasteboard." }
}
