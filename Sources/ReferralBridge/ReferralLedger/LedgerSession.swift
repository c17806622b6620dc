/// A ledger, and this process's own record in case the ledger fails.
@MainActor
final class LedgerSession {
    /// Called when the ledger starts to fail.
    var onFailure: ((any Error) -> Void)?

    private let ledger: any ReferralLedger
    private let clock: BridgeClock
    private let window: AttributionWindow
    private var isFailing = false

    /// This process's own record.
    private var own = LedgerRecord()
    private var isUnsaved = false

    init(_ ledger: any ReferralLedger, clock: BridgeClock, window: AttributionWindow) {
        self.ledger = ledger
        self.clock = clock
        self.window = window
    }

    /// The combined record of this and earlier processes.
    ///
    /// If the ledger can't be read, taps are still reported: reporting a tap twice does less harm than losing it.
    func record() -> LedgerRecord {
        merged(attempt { try ledger.load() })
    }

    /// The combined record, or `nil` while the ledger is locked with the device.
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

    /// The mark of a content of the pasteboard.
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
        if record().emptyRead?.matches(mark) ?? false {
            (own.lastRead, own.emptyRead) = (mark, nil)
        } else {
            own.emptyRead = mark
        }
    }

    /// Writes the changes to the ledger.
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
