/// What is known of the ledger: what it contained when it was last read or written, and this launch's own changes, in case the
/// ledger fails or another bridge writes it too.
struct LaunchLedger: Sendable, Equatable {
    /// What reading the ledger gave.
    enum Reading: Sendable, Equatable {
        case record(LedgerRecord)
        /// The device is locked, and the ledger with it.
        case locked
        case failed(AppStoreBridge.Failure)
    }

    private struct Write: Sendable, Equatable {
        let number: Int
        let record: LedgerRecord
    }

    /// More invocations than one clip leaves.
    private static let maximumInvocations = 8

    let window: AttributionWindow

    /// What the ledger contained at the last reading or writing; `nil` if it couldn't be read.
    private(set) var loaded: LedgerRecord?

    /// Whether the ledger was locked with the device at the last reading.
    private(set) var isLocked = false

    private var own = LedgerRecord()

    /// The arrival to hold, or none, once that was changed.
    private var held: Arrival??

    private var write: Write?
    private var isUnsaved = false
    private var isFailing = false

    init(window: AttributionWindow) { self.window = window }

    /// Whether the ledger is being written.
    var isWriting: Bool { write != nil }

    /// Whether all changes are in the ledger.
    var isSaved: Bool { !isUnsaved && !isWriting }

    /// The combined record of this and earlier launches.
    ///
    /// If the ledger can't be read, taps are still reported: reporting a tap twice does less harm than losing it.
    func record(at now: Timestamp) -> LedgerRecord {
        var record = loaded ?? LedgerRecord()
        record.reported.formUnion(own.reported, at: now, within: window)
        record.isFirstLaunchOver = record.isFirstLaunchOver || own.isFirstLaunchOver
        if let lastRead = own.lastRead { (record.lastRead, record.emptyRead) = (lastRead, nil) }
        if let emptyRead = own.emptyRead { record.emptyRead = emptyRead }
        if let held { record.heldArrival = held }
        record.reportedInvocations += own.reportedInvocations.filter { !record.reportedInvocations.contains($0) }
        record.reportedInvocations = record.reportedInvocations.suffix(Self.maximumInvocations)
        return record
    }
}

// MARK: - Reading and writing

extension LaunchLedger {
    /// Takes what was read.
    ///
    /// - Returns: The failure to report, if it is the first in a row.
    mutating func receive(_ reading: Reading) -> AppStoreBridge.Failure? {
        isLocked = reading == .locked
        switch reading {
        case .record(let record):
            loaded = record
            if isSaved { isFailing = false }
            return nil
        case .locked: return nil
        case .failed(let failure):
            loaded = nil
            return fail(failure)
        }
    }

    /// Begins to write the changes.
    ///
    /// - Returns: The record to write; `nil` if the ledger contains it already.
    mutating func beginWrite(_ number: Int, at now: Timestamp) -> LedgerRecord? {
        let record = record(at: now)
        guard record != loaded else {
            finishWrite(of: record)
            return nil
        }
        write = Write(number: number, record: record)
        return record
    }

    /// Takes the end of a write.
    ///
    /// - Returns: The failure to report, if it is the first in a row.
    mutating func endWrite(_ number: Int, _ failure: AppStoreBridge.Failure?) -> AppStoreBridge.Failure? {
        guard let write, write.number == number else { return nil }
        self.write = nil
        guard let failure else {
            finishWrite(of: write.record)
            return nil
        }
        isUnsaved = true
        return fail(failure)
    }

    private mutating func finishWrite(of record: LedgerRecord) {
        loaded = record
        (isUnsaved, isFailing) = (false, false)
        held = nil
    }

    private mutating func fail(_ failure: AppStoreBridge.Failure) -> AppStoreBridge.Failure? {
        defer { isFailing = true }
        return isFailing ? nil : failure
    }
}

// MARK: - Changes

extension LaunchLedger {
    /// Records a tap that was reported.
    mutating func insertReported(_ tap: Timestamp, at moment: Timestamp) {
        own.reported.insert(tap, at: moment, within: window)
    }

    /// Holds an arrival, unless the one that is held has a newer tap, or is signed and the new one isn't. `nil` forgets it.
    mutating func hold(_ arrival: Arrival?, at now: Timestamp) {
        if let arrival, let held = record(at: now).heldArrival {
            guard arrival.timestamp > held.timestamp, arrival.isSigned || !held.isSigned else { return }
        }
        held = .some(arrival)
    }

    mutating func insertInvocation(_ invocation: ClipInvocation) { own.reportedInvocations.append(invocation) }

    mutating func endFirstLaunch() { own.isFirstLaunchOver = true }

    /// Records that the pasteboard was read, and ends the first launch.
    mutating func markRead(_ mark: PasteboardMark?) {
        endFirstLaunch()
        guard let mark else { return }
        // A waiting content may be finished after a newer one. Change counts only increase during the life of the process.
        if let lastRead = own.lastRead, lastRead.changeCount > mark.changeCount { return }
        own.lastRead = mark
        if let emptyRead = own.emptyRead, emptyRead.changeCount <= mark.changeCount { own.emptyRead = nil }
    }

    /// Records a read that returned nothing: the user has declined it, or nothing was there. This sometimes happens to an allowed
    /// read, so the content counts as read only after the second time.
    mutating func markEmptyRead(_ mark: PasteboardMark, at now: Timestamp) {
        if record(at: now).emptyRead?.matches(mark) ?? false {
            (own.lastRead, own.emptyRead) = (mark, nil)
        } else {
            own.emptyRead = mark
        }
    }
}
