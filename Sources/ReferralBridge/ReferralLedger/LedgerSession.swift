/// A ledger, and what this bridge did itself, should the ledger fail.
@MainActor
final class LedgerSession {
    /// Called when the ledger begins to fail.
    var onFailure: ((any Error) -> Void)?

    private let ledger: any ReferralLedger
    private let clock: BridgeClock
    private let window: AttributionWindow
    private var session = LedgerRecord()
    private var isFailing = false
    private var isUnsaved = false

    init(_ ledger: any ReferralLedger, clock: BridgeClock, window: AttributionWindow) {
        self.ledger = ledger
        self.clock = clock
        self.window = window
    }

    /// What this bridge or an earlier one did.
    ///
    /// A ledger that can't be read stops no report: a tap reported twice does less harm than one that is lost.
    func record() -> LedgerRecord {
        merged(attempt { try ledger.load() } ?? LedgerRecord())
    }

    /// The same, or `nil` while the device keeps the ledger locked.
    func recordIfUnlocked() -> LedgerRecord? {
        do {
            let record = merged(try ledger.load())
            if isUnsaved { update { _ in } }
            return record
        } catch ReferralLedgerError.protectedDataUnavailable {
            return nil
        } catch {
            return record()
        }
    }

    /// Counts a tap as reported. ``update(_:)`` writes it to the ledger.
    func insertReported(_ tap: Timestamp, at moment: Timestamp) {
        session.reported.insert(tap, at: moment, within: window)
    }

    /// Changes the record and saves it.
    func update(_ change: (inout LedgerRecord) -> Void) {
        let before = record()
        var record = before
        change(&record)
        session.isFirstLaunchOver = record.isFirstLaunchOver
        if record.lastRead != before.lastRead { session.lastRead = record.lastRead }
        if record.emptyRead != before.emptyRead { session.emptyRead = record.emptyRead }
        let saved: Void? = attempt { () throws in
            if (try? ledger.load()) != record { try ledger.save(record) }
        }
        isUnsaved = saved == nil
    }

    private func merged(_ record: LedgerRecord) -> LedgerRecord {
        var record = record
        record.reported.formUnion(session.reported, at: clock.now(), within: window)
        record.isFirstLaunchOver = record.isFirstLaunchOver || session.isFirstLaunchOver
        // A process doesn't outlive a restart: its own marks are of this start, even if the clock was set since.
        if let mark = session.lastRead {
            record.lastRead = PasteboardMark(changeCount: mark.changeCount, startOfDevice: clock.startOfDevice)
            record.emptyRead = nil
        }
        if let mark = session.emptyRead {
            record.emptyRead = PasteboardMark(changeCount: mark.changeCount, startOfDevice: clock.startOfDevice)
        }
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
