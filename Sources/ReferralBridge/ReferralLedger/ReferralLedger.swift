public import ReferralFoundation

/// Saves a bridge's record from one launch to the next, so that the bridge doesn't report a tap or read a content
/// twice.
///
/// The record is JSON, usually of a few hundred bytes.
@MainActor
public protocol ReferralLedger {
    /// Returns the data that was saved last; `nil` before the first save.
    ///
    /// - Throws: ``ReferralLedgerError/protectedDataUnavailable`` if the data can't be read yet. The bridge then
    ///   defers its check. After any other error, it continues with its own record in memory.
    func load() throws -> Data?

    /// Replaces the data.
    ///
    /// - Throws: An error if the data can't be written. The bridge then keeps its record in memory, and saves it as
    ///   soon as it can.
    func save(_ data: Data) throws
}

/// Why a ledger can't be read yet.
public enum ReferralLedgerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Encrypted data can't be read, since the device hasn't been unlocked.
    case protectedDataUnavailable

    /// A sentence suitable for display.
    public var description: String { "The device is locked, and its protected data can't be read." }
}

/// A ledger that forgets when the process ends.
public final class InMemoryLedger: ReferralLedger {
    private var data: Data?

    /// Creates an empty ledger.
    public nonisolated init() {}

    /// The data that was saved last.
    public func load() -> Data? { data }

    /// Replaces the data.
    public func save(_ data: Data) { self.data = data }
}
