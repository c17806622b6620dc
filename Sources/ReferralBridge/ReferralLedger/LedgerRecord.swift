import ReferralFoundation

/// The record that a bridge saves in its ledger.
struct LedgerRecord: Sendable, Equatable, Codable {
    var reported = ReportedTaps()

    /// The pasteboard content that was read last.
    var lastRead: PasteboardMark?

    /// The pasteboard content whose first read returned nothing. It is read once more.
    var emptyRead: PasteboardMark?

    /// Whether a check has ended the first launch.
    var isFirstLaunchOver = false

    /// The arrival that waits for ``AppStoreBridge/releaseArrivals()``.
    var heldArrival: Arrival?

    /// The most recent invocations of the App Clip that were reported, at most 8.
    var reportedInvocations: [ClipInvocation] = []
}

extension LedgerRecord {
    /// Reads a ledger's data; an empty record if there is none.
    ///
    /// - Throws: `DecodingError` if it is something else.
    init(_ data: Data?) throws { self = try data.map { try JSONDecoder().decode(Self.self, from: $0) } ?? Self() }

    /// Writes the record into a ledger.
    @MainActor
    func save(in ledger: some ReferralLedger) throws { try ledger.save(JSONEncoder().encode(self)) }
}

/// Identifies one content of the pasteboard.
struct PasteboardMark: Sendable, Equatable, Codable {
    /// The pasteboard's change count.
    var changeCount: Int

    /// The time at which the device started; `nil` if it isn't known. A change count starts over when the device
    /// starts.
    var startOfDevice: Timestamp?

    /// Whether this mark identifies the pasteboard's current content.
    ///
    /// The start time of the device is computed from the clock, so it changes when the clock is set. At worst, the
    /// pasteboard is then read once more. A minute of drift is allowed, since a restart takes longer than that.
    func matches(_ current: PasteboardMark) -> Bool {
        guard changeCount == current.changeCount else { return false }
        guard let startOfDevice, let other = current.startOfDevice else { return true }
        return abs(startOfDevice.milliseconds - other.milliseconds) <= 60_000
    }
}

/// Identifies one invocation of the App Clip.
struct ClipInvocation: Sendable, Equatable, Codable {
    /// The moment when the address opened the clip.
    var opened: Timestamp

    /// The SHA-256 digest of the address, in hexadecimal digits.
    var digest: String
}

extension ClipInvocation {
    init(_ file: ClipFile) {
        self.init(opened: file.opened, digest: SHA256.digest(Array(file.address.utf8)).hexadecimal)
    }
}
