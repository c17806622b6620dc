/// Saves a bridge's record from one launch to the next, so that the bridge doesn't report a tap or read a content
/// twice.
@MainActor
public protocol ReferralLedger {
    /// Returns the record that was saved last, or an empty one before the first save.
    ///
    /// - Throws: ``ReferralLedgerError/protectedDataUnavailable`` if the record can't be read yet. The bridge then
    ///   defers its check. After any other error, it continues with its own record in memory.
    func load() throws -> LedgerRecord

    /// Replaces the record.
    ///
    /// - Throws: An error if the record can't be written. The bridge then keeps the record in memory, and saves it as
    ///   soon as it can.
    func save(_ record: LedgerRecord) throws
}

/// Why a ledger can't be read yet.
public enum ReferralLedgerError: Error, Sendable, Equatable {
    /// Encrypted data can't be read, since the device hasn't been unlocked.
    case protectedDataUnavailable
}

extension ReferralLedgerError: CustomStringConvertible {
    /// A sentence suitable for display.
    public var description: String { "The device is locked, and its protected data cannot be read." }
}

/// A ledger that forgets when the process ends.
public final class InMemoryLedger: ReferralLedger {
    private var record: LedgerRecord

    /// Creates a ledger, with an empty record by default.
    public nonisolated init(_ record: LedgerRecord = LedgerRecord()) {
        self.record = record
    }

    /// The record.
    public func load() -> LedgerRecord { record }

    /// Replaces the record.
    public func save(_ record: LedgerRecord) { self.record = record }
}
