import ReferralFoundation

/// The contents of the file of an ``InviteCenter``.
struct InviteRecord: Codable, Equatable, Sendable {
    /// A referral that made the user a newcomer.
    struct AcceptedReferral: Codable, Equatable, Sendable {
        let referrer: String
        /// When the app received it.
        let time: Timestamp
    }

    /// An entry that isn't signed yet.
    struct Pending: Codable, Equatable, Sendable {
        let program: String
        let arrival: AcceptedReferral
        let event: String
        /// The day of the event, at 00:00 UTC.
        let day: Timestamp
        /// When the guestbook first answered that the entry isn't allowed.
        var firstRefusal: Timestamp?
        /// The pause since the last such answer.
        var refusal: Pause?

        var entry: GuestbookEntry {
            GuestbookEntry(program: program, referrer: arrival.referrer, event: event, day: day.date)
        }
    }

    static let currentFormat = 1
    /// The number of arrivals to keep. The newest one that counts is used, and an older one if it doesn't count after all.
    static let maximumArrivals = 16
    /// The longest name of an event or a referrer, in bytes of UTF-8.
    static let maximumNameLength = 256

    var format = Self.currentFormat
    var firstLaunch: Timestamp
    /// When the user first got the app, as the store reports it.
    var purchased: Timestamp?

    /// The user's own codes, in order. The first one is shown.
    var codes: [String] = []

    var arrivals: [AcceptedReferral] = []
    var reached: [String] = []
    /// The entries to sign, in the order in which their events were reached.
    var pending: [Pending] = []
    /// The programs for which nothing is ever signed again.
    var finished: [String] = []
    /// The pause that the guestbook asked for.
    var requestedPause: Pause?

    /// The pause after the last successful reading.
    var readingPause: Pause?
    /// The programs whose records were counted up to the cursors.
    var countedPrograms: [String] = []
    /// Where to continue reading, by own name.
    var cursors: [String: String] = [:]
    /// The records that were counted, in order.
    var counted: [InvitationEntry] = []
    /// The user's last known name in the guestbook.
    var myself: String?
}

extension InviteRecord {
    /// Reads a file.
    ///
    /// - Returns: The record; `nil` if the file is damaged.
    /// - Throws: ``InvitesError/newerFormat``.
    static func read(_ bytes: [UInt8]) throws(InvitesError) -> InviteRecord? {
        struct Format: Decodable { let format: Int }
        let (decoder, data) = (JSONDecoder(), Data(bytes))
        guard let format = try? decoder.decode(Format.self, from: data) else { return nil }
        guard format.format <= currentFormat else { throw .newerFormat }
        return try? decoder.decode(InviteRecord.self, from: data)
    }

    func bytes() throws(InvitesError) -> [UInt8] {
        do { return Array(try JSONEncoder().encode(self)) } catch { throw .storage("\(error)") }
    }
}
