/// Remembers from one launch to the next what a bridge has done, so that nothing is reported or asked for twice.
@MainActor
public protocol ReferralLedger {
    /// What was remembered last; an empty record before the first time.
    ///
    /// - Throws: What kept it from being read. The bridge then goes by what it did itself.
    func record() throws -> LedgerRecord

    /// Remembers a record instead of the one before.
    ///
    /// - Throws: What kept it from being written. The bridge then remembers it for as long as it lives.
    func save(_ record: LedgerRecord) throws
}

/// What a ledger remembers.
public struct LedgerRecord: Sendable, Hashable, Codable {
    /// The newest tap that was reported.
    public var newestReported: Timestamp?

    /// The pasteboard's change count when it was last read.
    public var readChangeCount: Int?

    /// Whether a check has come to an end that uses up the first launch.
    public var isFirstLaunchOver: Bool

    /// A record, empty without arguments.
    public init(newestReported: Timestamp? = nil, readChangeCount: Int? = nil, isFirstLaunchOver: Bool = false) {
        self.newestReported = newestReported
        self.readChangeCount = readChangeCount
        self.isFirstLaunchOver = isFirstLaunchOver
    }
}

/// A ledger that forgets when the process ends.
public final class MemoryLedger: ReferralLedger {
    private var latest: LedgerRecord

    /// A ledger, empty or with a record.
    public nonisolated init(_ record: LedgerRecord = LedgerRecord()) {
        latest = record
    }

    /// The record.
    public func record() -> LedgerRecord { latest }

    /// Remembers a record.
    public func save(_ record: LedgerRecord) { latest = record }
}
