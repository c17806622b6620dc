/// Remembers the newest tap that was reported, so that none is reported twice.
public protocol ReferralLedger: Sendable {
    /// The newest tap that was reported; `nil` before the first.
    ///
    /// - Throws: What kept it from being read. The bridge then goes by what it reported itself.
    func newestReported() async throws -> Timestamp?

    /// Remembers a tap that was reported.
    ///
    /// - Throws: What kept it from being written. The bridge then remembers the tap for as long as it lives.
    func remember(_ tap: Timestamp) async throws
}

/// A ledger that forgets when the process ends.
public actor MemoryLedger: ReferralLedger {
    private var newest: Timestamp?

    /// A ledger, empty or with the newest tap that was reported.
    public init(newestReported: Timestamp? = nil) {
        newest = newestReported
    }

    /// The newest tap that was reported.
    public func newestReported() -> Timestamp? { newest }

    /// Remembers a tap.
    public func remember(_ tap: Timestamp) { newest = tap }
}
