/// A ledger, and what this process did itself, should the ledger fail.
@MainActor
final class LedgerSession {
    /// Called when the ledger begins to fail.
    var onFailure: ((any Error) -> Void)?

    private let ledger: any ReferralLedger
    private let clock: BridgeClock
    private let window: AttributionWindow
    private var isFailing = false

    /// What this process did.
    private var own = LedgerRecord()
    private var isUnsaved = false

    init(_ ledger: any ReferralLedger, clock: BridgeClock, window: AttributionWindow) {
        self.ledger = ledger
        self.clock = clock
        self.window = window
    }

    /// What this process or an earlier one did.
    ///
    /// A ledger that can't be read stops no report: a tap reported twice does less harm than one that is lost.
    func record() -> LedgerRecord {
        merged(attempt { try ledger.load() })
    }

    /// The same, or `nil` while the device keeps the ledger locked.
    func recordIfUnlocked() -> LedgerRecord? {
        do {
            let record = merged(try ledger.load())
            if isUnsaved { save() }
            return record
        } catch ReferralLedgerError.protectedDataUnavailable {
            return nil
        } catch {
            return record()
        }
    }

    /// What identifies a content of the pasteboard.
    func mark(_ changeCount: Int) -> PasteboardMark {
        PasteboardMark(changeCount: changeCount, startOfDevice: clock.startOfDevice)
    }

    // MARK: Changes, which save() writes

    func insertReported(_ tap: Timestamp, at moment: Timestamp) {
        own.reported.insert(tap, at: moment, within: window)
    }

    func endFirstLaunch() {
        own.isFirstLaunchOver = true
    }

    /// Remembers that the pasteboard was read, and ends the first launch.
    func markRead(_ changeCount: Int?) {
        own.isFirstLaunchOver = true
        guard let changeCount else { return }
        // What waited may be finished after something newer. Change counts grow for as long as the process lives.
        if let lastRead = own.lastRead, lastRead.changeCount > changeCount { return }
        own.lastRead = mark(changeCount)
        if let emptyRead = own.emptyRead, emptyRead.changeCount <= changeCount { own.emptyRead = nil }
    }

    /// Remembers a read that gave nothing. An allowed read sometimes does, so the content counts as read after the second.
    func markEmptyRead(_ changeCount: Int) {
        let mark = mark(changeCount)
        if record().emptyRead?.matches(mark) ?? false {
            (own.lastRead, own.emptyRead) = (mark, nil)
        } else {
            own.emptyRead = mark
        }
    }

    /// Writes what has changed to the ledger.
    func save() {
        let loaded = attempt { try ledger.load() }
        let record = merged(loaded)
        let saved: Void? = attempt { if record != loaded { try ledger.save(record) } }
        isUnsaved = saved == nil
    }

    private func merged(_ loaded: LedgerRecord?) -> LedgerRecord {
        var record = loaded ?? LedgerRecord()
        record.reported.formUnion(own.reported, at: clock.now(), within: window)
        record.isFirstLaunchOver = record.isFirstLaunchOver || own.isFirstLaunchOver
        if let lastRead = own.lastRead { (record.lastRead, record.emptyRead) = (lastRead, nil) }
        if let emptyRead = own.emptyRead { record.emptyRead = emptyRead }
        return record
    }

    private func attempt<Value>(_ operation: () throws -> Value) -> Value? {
        do {
            let value = try operation()
            isFailing = false
            return value
        } catch {
            if !isFailing { onFailure?(error) }
            isFailing = true
            return nil
        }
    }
}
