/// Remembers what a bridge has done from one launch to the next, so that it reports no tap twice and reads no content
/// again.
@MainActor
public protocol ReferralLedger {
    /// The record that was saved last; an empty one before the first time.
    ///
    /// - Throws: ``ReferralLedgerError/protectedDataUnavailable`` if the record can't be read yet. The bridge then puts
    ///   its check off. With any other error it goes on with what it remembers itself.
    func load() throws -> LedgerRecord

    /// Replaces the record.
    ///
    /// - Throws: An error if the record can't be written. The bridge then remembers the record itself, and saves it as
    ///   soon as it can.
    func save(_ record: LedgerRecord) throws
}

/// Why a ledger can't be read yet.
public enum ReferralLedgerError: Error, Sendable, Equatable {
    /// What the device keeps encrypted can't be read, since the device hasn't been unlocked.
    case protectedDataUnavailable
}

extension ReferralLedgerError: CustomStringConvertible {
    /// A sentence fit to show.
    public var description: String { "The device is locked, and its protected data cannot be read." }
}

/// A ledger that forgets when the process ends.
public final class InMemoryLedger: ReferralLedger {
    private var record: LedgerRecord

    /// Creates a ledger, empty or with a record.
    public nonisolated init(_ record: LedgerRecord = LedgerRecord()) {
        self.record = record
    }

    /// The record.
    public func load() -> LedgerRecord { record }

    /// Replaces the record.
    public func save(_ record: LedgerRecord) { self.record = record }
}
