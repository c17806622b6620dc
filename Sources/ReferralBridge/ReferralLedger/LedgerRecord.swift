/// The record that a ledger saves.
public struct LedgerRecord: Sendable, Equatable {
    /// The newest reported tap. Taps up to this one aren't reported again.
    public var lastReported: Timestamp?

    /// The most recently reported taps, at most 32. Each of them counts as reported even if a clock was set.
    public var recentlyReported: [Timestamp]

    /// The pasteboard content that was read last.
    public var lastRead: PasteboardMark?

    /// The pasteboard content whose first read returned nothing. It is read once more.
    public var emptyRead: PasteboardMark?

    /// Whether a check has ended the first launch.
    public var isFirstLaunchOver: Bool

    /// The arrival that waits for ``AppStoreBridge/releaseArrivals()``.
    public var heldArrival: Arrival?

    /// The most recent invocations of the App Clip that were reported, at most 8.
    public var reportedInvocations: [ClipInvocation]

    /// Creates a record. Without arguments, it is empty.
    public init(
        lastReported: Timestamp? = nil,
        recentlyReported: [Timestamp] = [],
        lastRead: PasteboardMark? = nil,
        emptyRead: PasteboardMark? = nil,
        isFirstLaunchOver: Bool = false,
        heldArrival: Arrival? = nil,
        reportedInvocations: [ClipInvocation] = []
    ) {
        self.lastReported = lastReported
        self.recentlyReported = recentlyReported
        self.lastRead = lastRead
        self.emptyRead = emptyRead
        self.isFirstLaunchOver = isFirstLaunchOver
        self.heldArrival = heldArrival
        self.reportedInvocations = reportedInvocations
    }

    var reported: ReportedTaps {
        get { ReportedTaps(last: lastReported, recent: recentlyReported) }
        set { (lastReported, recentlyReported) = (newValue.last, newValue.recent) }
    }
}

extension LedgerRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case lastReported, recentlyReported, lastRead, emptyRead, isFirstLaunchOver, heldArrival, reportedInvocations
    }

    /// Reads a record, also one without the members that later versions have added.
    ///
    /// A held arrival that can't be read is dropped, since the taps that were reported matter more.
    public init(from decoder: any Decoder) throws {
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
public struct PasteboardMark: Sendable, Equatable, Codable {
    /// The pasteboard's change count.
    public var changeCount: Int

    /// The time at which the device started; `nil` if it isn't known. A change count starts over when the device
    /// starts.
    public var startOfDevice: Timestamp?

    /// Creates a mark.
    public init(changeCount: Int, startOfDevice: Timestamp? = nil) {
        self.changeCount = changeCount
        self.startOfDevice = startOfDevice
    }

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
public struct ClipInvocation: Sendable, Equatable, Codable {
    /// The moment when the address opened the clip.
    public var opened: Timestamp

    /// The SHA-256 digest of the address, in hexadecimal digits.
    public var digest: String

    /// Creates an invocation.
    public init(opened: Timestamp, digest: String) {
        self.opened = opened
        self.digest = digest
    }

    init(_ file: ClipFile) {
        self.init(opened: file.opened, digest: SHA256.digest(Array(file.address.utf8)).hexadecimal)
    }
}
