public import ReferralFoundation

/// A list of who came by whose invitation, which every copy of the app can read.
///
/// `CloudKitGuestbook` keeps it in the app's own CloudKit container, and ``InMemoryGuestbook`` is for tests and previews. An
/// app with a server can keep it there.
///
/// A request without an answer should throw ``GuestbookError/offline`` after a minute. One that never ends holds up others for
/// 15 minutes, and is then tried again.
public protocol Guestbook: Sendable {
    /// Writes an entry for the current user, unless they have one in the same program.
    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer

    /// The records for a referrer that were found since an earlier answer.
    ///
    /// - Parameters:
    ///   - referrer: The referrer, spelled as in the entries.
    ///   - cursor: The ``GuestbookPage/cursor`` of the last answer for the referrer; `nil` begins with the first record. A
    ///     record may be returned again, but none may be left out.
    /// - Returns: The records, and a cursor for the next time.
    /// - Throws: ``GuestbookError``.
    func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage

    /// The name of the current user in the guestbook.
    func myself() async throws(GuestbookError) -> String
}

/// An entry that a newcomer signs.
public struct GuestbookEntry: Sendable, Hashable {
    /// The name of the program.
    public let program: String
    /// The person who invited the newcomer.
    public let referrer: String
    /// The event that the newcomer reached.
    public let event: String
    /// The day on which they reached it, at 00:00 UTC.
    public let day: Date

    /// Creates an entry.
    public init(program: String, referrer: String, event: String, day: Date) {
        self.program = program
        self.referrer = referrer
        self.event = event
        self.day = day
    }
}

/// The result of signing an entry.
public enum GuestbookAnswer: Sendable, Hashable {
    /// The entry is in the guestbook.
    case signed
    /// The user has signed for this program before.
    case alreadySigned
}

/// The part of an entry in the guestbook that counts for the person who invited the newcomer.
public struct GuestbookRecord: Sendable, Hashable {
    /// The format of the entries of this version.
    public static let currentFormat = 1

    /// The name of the record, ``name(creator:program:)``.
    public let name: String
    /// The name of the user who created the record, as ``Guestbook/myself()`` returns it to them; `nil` if the guestbook
    /// doesn't report it.
    public let creator: String?
    /// The name of the program.
    public let program: String
    /// The format of the entry.
    public let format: Int

    /// Creates a record with any name. A record under another name than ``name(creator:program:)`` isn't counted.
    public init(name: String, creator: String?, program: String, format: Int = currentFormat) {
        self.name = name
        self.creator = creator
        self.program = program
        self.format = format
    }

    /// The name that CloudKit's answers give to the current user.
    static let currentUser = "__defaultOwner__"

    /// The only name under which a user's record for a program counts: `arrival-` and the first 32 hexadecimal digits of
    /// SHA-256 over the user's name, a line feed, and the program.
    ///
    /// So each user can sign once per program, from all their devices. A modified app can choose the name of a record, but
    /// not its creator.
    public static func name(creator: String, program: String) -> String {
        "arrival-" + SHA256.digest(Array("\(creator)\n\(program)".utf8)).prefix(16).hexadecimal
    }

    /// Whether somebody else than the user has signed for the program under their own name, in the current format.
    func counts(for user: String?) -> Bool {
        guard format == Self.currentFormat, let creator, creator != Self.currentUser, creator != user
        else { return false }
        // Strings that strangers choose are compared byte by byte, which takes no longer for strange ones.
        return name.utf8.elementsEqual(Self.name(creator: creator, program: program).utf8)
    }
}

/// An answer of a guestbook.
public struct GuestbookPage: Sendable, Hashable {
    /// The records, in any order.
    public let records: [GuestbookRecord]
    /// A text from which the guestbook continues the next time; `nil` to begin with the first record again.
    public let cursor: String?
    /// Whether these are all current records.
    public let isLast: Bool
    /// The name of the current user in the guestbook, whose records don't count for them; `nil` if it isn't known.
    var user: String?

    /// Creates an answer.
    public init(_ records: [GuestbookRecord], cursor: String?, isLast: Bool = true) {
        self.records = records
        self.cursor = cursor
        self.isLast = isLast
    }
}
