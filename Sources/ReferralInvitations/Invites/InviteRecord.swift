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
        /// The end of the pause since the last such answer.
        var refusedUntil: Timestamp?

        var entry: GuestbookEntry {
            GuestbookEntry(program: program, referrer: arrival.referrer, event: event, day: day.date)
        }
    }

    /// The number of arrivals to keep. The newest one that counts is used, and an older one if it doesn't count after all.
    static let maximumArrivals = 16
    /// The longest name of an event or a referrer, in bytes of UTF-8.
    static let maximumNameLength = 256

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
    /// The end of the pause that the guestbook asked for.
    var pausedUntil: Timestamp?

    /// When the guestbook may be read again without being asked.
    var isReadUntil: Timestamp?
    /// The programs whose records were counted up to the cursors.
    var countedPrograms: [String] = []
    /// Where to continue reading, by own name.
    var cursors: [String: String] = [:]
    /// The records that were counted, in order.
    var counted: [InvitationEntry] = []
    /// The user's last known name in the guestbook.
    var myself: String?
}

// MARK: - The file

extension InviteRecord {
    /// Opens the file, or makes a new one. A damaged file is kept aside: since its first launch isn't known anymore, the user isn't a
    /// newcomer.
    static func open(_ storage: any InviteStorage, at now: Timestamp) throws(InvitesError) -> InviteRecord {
        let bytes = try storage.open()
        if let bytes {
            if let record = try? JSONDecoder().decode(InviteRecord.self, from: Data(bytes)) { return record }
            try storage.keepAside(bytes)
        }
        let new = InviteRecord(firstLaunch: bytes == nil ? now : Timestamp(milliseconds: 0))
        try new.save(in: storage)
        return new
    }

    func save(in storage: any InviteStorage) throws(InvitesError) {
        let data: Data
        do { data = try JSONEncoder().encode(self) } catch { throw .storage("\(error)") }
        try storage.save(Array(data))
    }
}

extension Timestamp? {
    /// The seconds until the end of a pause, which is over if the clock was set back, so that more than its length would remain.
    func pause(at now: Timestamp, of length: TimeInterval = Invites.maximumPause) -> Double {
        guard let self, now < self, self <= now.advanced(by: length) else { return 0 }
        return (self.milliseconds - now.milliseconds) / 1_000
    }
}
