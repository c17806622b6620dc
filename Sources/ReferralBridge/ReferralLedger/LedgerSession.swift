/// A ledger, and this process's own record in case the ledger fails.
@MainActor
final class LedgerSession {
    /// Called when the ledger starts to fail.
    var onFailure: ((any Error) -> Void)?

    /// How many invocations are remembered: more than one clip leaves.
    private static let maximumInvocations = 8

    private let ledger: any ReferralLedger
    private let clock: DeviceClock
    private let window: AttributionWindow
    private var isFailing = false

    /// The ledger's contents at the last load or save; `nil` if it couldn't be read.
    private var loaded: LedgerRecord?

    /// Whether the ledger was read at least once.
    private(set) var hasLoaded = false

    /// Whether the ledger was locked with the device at the last load.
    private(set) var isLocked = false

    /// This process's own record.
    private var own = LedgerRecord()
    private var isUnsaved = false

    /// Whether all changes are in the ledger.
    var isSaved: Bool { !isUnsaved }

    /// The arrival to hold, or none; set once it was changed.
    private var held: Arrival??

    init(_ ledger: any ReferralLedger, clock: DeviceClock, window: AttributionWindow) {
        self.ledger = ledger
        self.clock = clock
        self.window = window
    }

    /// The combined record of this and earlier processes, as of the last load.
    ///
    /// If the ledger can't be read, taps are still reported: reporting a tap twice does less harm than losing it.
    var record: LedgerRecord {
        var record = loaded ?? LedgerRecord()
        record.reported.formUnion(own.reported, at: clock.now(), within: window)
        record.isFirstLaunchOver = record.isFirstLaunchOver || own.isFirstLaunchOver
        if let lastRead = own.lastRead { (record.lastRead, record.emptyRead) = (lastRead, nil) }
        if let emptyRead = own.emptyRead { record.emptyRead = emptyRead }
        if let held { record.heldArrival = held }
        for invocation in own.reportedInvocations where !record.reportedInvocations.contains(invocation) {
            record.reportedInvocations.append(invocation)
        }
        record.reportedInvocations = record.reportedInvocations.suffix(Self.maximumInvocations)
        return record
    }

    /// Loads the ledger, and returns the combined record; `nil` while the ledger is locked with the device.
    @discardableResult
    func loadIfUnlocked() -> LedgerRecord? {
        isLocked = false
        do {
            loaded = try LedgerRecord(in: ledger)
            hasLoaded = true
            if isUnsaved { save() } else { isFailing = false }
        } catch ReferralLedgerError.protectedDataUnavailable {
            isLocked = true
            return nil
        } catch {
            loaded = nil
            fail(error)
        }
        return record
    }

    /// The mark of a content of the pasteboard.
    func mark(_ changeCount: Int) -> PasteboardMark {
        PasteboardMark(changeCount: changeCount, startOfDevice: clock.startOfDevice)
    }

    // MARK: Changes, which save() writes over what was loaded. Between the load and the changes, nothing is awaited.

    func insertReported(_ tap: Timestamp, at moment: Timestamp) {
        own.reported.insert(tap, at: moment, within: window)
    }

    /// Records a tap while it is reported, and from then on if somebody has heard of it.
    ///
    /// - Returns: Whether somebody has.
    func insertingReported(_ tap: Timestamp, at moment: Timestamp, _ report: () -> Bool) -> Bool {
        let earlier = own.reported
        insertReported(tap, at: moment)
        guard report() else {
            own.reported = earlier
            return false
        }
        return true
    }

    /// Holds an arrival, unless the one that is held has a newer tap, or is signed and the new one isn't. `nil` forgets it.
    func hold(_ arrival: Arrival?) {
        if let arrival, let held = record.heldArrival {
            guard arrival.timestamp > held.timestamp, arrival.isSigned || !held.isSigned else { return }
        }
        held = .some(arrival)
    }

    func insertInvocation(_ invocation: ClipInvocation) { own.reportedInvocations.append(invocation) }

    func endFirstLaunch() {
        own.isFirstLaunchOver = true
    }

    /// Records that the pasteboard was read, and ends the first launch.
    func markRead(_ changeCount: Int?) {
        own.isFirstLaunchOver = true
        guard let changeCount else { return }
        // A waiting content may be finished after a newer one. Change counts only increase during the life of the
        // process.
        if let lastRead = own.lastRead, lastRead.changeCount > changeCount { return }
        own.lastRead = mark(changeCount)
        if let emptyRead = own.emptyRead, emptyRead.changeCount <= changeCount { own.emptyRead = nil }
    }

    /// Records a read that returned nothing. This sometimes happens to an allowed read, so the content counts as read
    /// only after the second time.
    func markEmptyRead(_ changeCount: Int) {
        let mark = mark(changeCount)
        if record.emptyRead?.matches(mark) ?? false {
            (own.lastRead, own.emptyRead) = (mark, nil)
        } else {
            own.emptyRead = mark
        }
    }

    /// Writes the changes to the ledger.
    func save() {
        let record = record
        do {
            if record != loaded { try record.save(in: ledger) }
            (loaded, isUnsaved, isFailing) = (record, false, false)
            held = nil
        } catch {
            isUnsaved = true
            fail(error)
        }
    }

    private func fail(_ error: any Error) {
        if !isFailing { onFailure?(error) }
        isFailing = true
    }
}
