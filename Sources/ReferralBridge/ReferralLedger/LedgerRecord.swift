import ReferralFoundation

/// The record that a bridge saves in its ledger.
struct LedgerRecord: Sendable, Equatable {
    /// The newest reported tap. Taps up to this one aren't reported again.
    var lastReported: Timestamp?

    /// The most recently reported taps, at most 32. Each of them counts as reported even if a clock was set.
    var recentlyReported: [Timestamp] = []

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

    var reported: ReportedTaps {
        get { ReportedTaps(last: lastReported, recent: recentlyReported) }
        set { (lastReported, recentlyReported) = (newValue.last, newValue.recent) }
    }
}

extension LedgerRecord: Codable {
    /// Reads a ledger's record; an empty one if the ledger has no data.
    ///
    /// - Throws: `DecodingError` if it is something else.
    @MainActor
    init(in ledger: some ReferralLedger) throws { try self.init(ledger.load()) }

    init(_ data: Data?) throws { self = try data.map { try JSONDecoder().decode(Self.self, from: $0) } ?? Self() }

    /// Writes the record into a ledger.
    @MainActor
    func save(in ledger: some ReferralLedger) throws { try ledger.save(JSONEncoder().encode(self)) }

    private enum CodingKeys: String, CodingKey {
        case lastReported, recentlyReported, lastRead, emptyRead, isFirstLaunchOver, heldArrival, reportedInvocations
    }

    /// Reads a record, also one without the members that later versions have added.
    ///
    /// A held arrival that can't be read is dropped, since the taps that were reported matter more.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            lastReported: try values.decodeIfPresent(Timestamp.self, forKey: .lastReported),
            recentlyReported: try values.decode([Timestamp].self, forKey: .recentlyReported),
            lastRead: try values.decodeIfPresent(PasteboardMark.self, forKey: .lastRead),
            emptyRead: try values.decodeIfPresent(PasteboardMark.self, forKey: .emptyRead),
            isFirstLaunchOver: try values.decode(Bool.self, forKey: .isFirstLaunchOver),
            heldArrival: try? values.decodeIfPresent(Arrival.self, forKey: .heldArrival),
            reportedInvocations: (try? values.decodeIfPresent([ClipInvocation].self, forKey: .reportedInvocations))
                ?? []
        )
    }
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
