/// What a ledger remembers.
public struct LedgerRecord: Sendable, Equatable, Codable {
    /// The newest tap that was reported. Taps up to this one aren't reported again.
    public var lastReported: Timestamp?

    /// The taps that were reported most recently, at most 32. Each of them counts as reported even if a clock was set.
    public var recentlyReported: [Timestamp]

    /// The content of the pasteboard that was read last.
    public var lastRead: PasteboardMark?

    /// The content of the pasteboard whose first read gave nothing. It is read once more.
    public var emptyRead: PasteboardMark?

    /// Whether a check has ended the first launch.
    public var isFirstLaunchOver: Bool

    /// Creates a record. Without arguments it is empty.
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

/// Tells one content of the pasteboard from every other.
public struct PasteboardMark: Sendable, Equatable, Codable {
    /// The pasteboard's change count.
    public var changeCount: Int

    /// When the device started; `nil` if the system didn't tell. A change count begins again with each start.
    public var startOfDevice: Timestamp?

    /// Creates a mark.
    public init(changeCount: Int, startOfDevice: Timestamp? = nil) {
        self.changeCount = changeCount
        self.startOfDevice = startOfDevice
    }

    /// Whether this is a mark of a pasteboard as it is now.
    ///
    /// The start of the device is worked out from the clock, so it moves when the clock is set; then, at worst, the
    /// pasteboard is read once more. A device that starts again takes longer than the minute that is allowed for drift.
    func matches(_ current: PasteboardMark) -> Bool {
        guard changeCount == current.changeCount else { return false }
        guard let startOfDevice, let other = current.startOfDevice else { return true }
        return abs(startOfDevice.milliseconds - other.milliseconds) <= 60_000
    }
}
