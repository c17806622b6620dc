/// The record that a ledger saves.
public struct LedgerRecord: Sendable, Equatable, Codable {
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

    /// Creates a record. Without arguments, it is empty.
    public init(
        lastReported: Timestamp? = nil,
        recentlyReported: [Timestamp] = [],
        lastRead: PasteboardMark? = nil,
        emptyRead: PasteboardMark? = nil,
        isFirstLaunchOver: Bool = false
    ) {
        self.lastReported = lastReported
        self.recentlyReported = recentlyReported
        self.lastRead = lastRead
        self.emptyRead = emptyRead
        self.isFirstLaunchOver = isFirstLaunchOver
    }

    var reported: ReportedTaps {
        get { ReportedTaps(last: lastReported, recent: recentlyReported) }
        set { (lastReported, recentlyReported) = (newValue.last, newValue.recent) }
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
