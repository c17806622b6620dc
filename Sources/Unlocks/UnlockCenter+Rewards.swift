extension UnlockCenter {
    /// Claims the rewards of a referral.
    ///
    /// ```swift
    /// bridge.onArrival = { arrival in Task { try? await unlocks.claim(arrival) } }
    /// ```
    ///
    /// A claim whose event isn't reached waits on the disk. A reward that needs a signature requires an arrival whose
    /// `isSigned` is true, which only a scanner with signers reports.
    ///
    /// - Parameter arrival: The arrival, as the bridge reported it.
    /// - Returns: The rewards that it earns now or once their event is reached. Claiming it again earns nothing, and neither
    ///   does an invite code in another spelling, or a referrer of more than 256 bytes. A later catalog may have more rewards for the same claim.
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. The claim is tried again while the app runs.
    @discardableResult
    public func claim(_ arrival: Arrival) async throws(UnlocksError) -> [RewardID] {
        guard let claim = Claim(arrival) else { return [] }
        return try await grantRewards(of: [claim]).rewards
    }

    /// Counts the people who came by the user's invitation, and grants the rewards for the inviter.
    ///
    /// Each entry counts once, by its identifier, also after a new launch.
    ///
    /// - Parameter entries: Entries of a guestbook, in their order.
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. None was counted then, so pass them again later.
    public func count(_ entries: [InvitationEntry]) async throws(UnlocksError) {
        let grants = try await book.change { ledger throws(UnlocksError) in ledger.inviting(entries, in: catalog) }
        send(.granted(grants.map(\.source)))
    }

    /// Records that the user has reached an event for which rewards may wait.
    ///
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. Call it again later.
    public func recordEvent(_ event: EventName) async throws(UnlocksError) {
        _ = try await grantRewards(reaching: event)
    }

    /// Grants the rewards of new and earlier claims. New ones that can't be written wait in the ledger while the app runs.
    @discardableResult
    func grantRewards(
        of new: [Claim] = [],
        reaching event: EventName? = nil
    ) async throws(UnlocksError) -> (grants: [Grant], rewards: [RewardID]) {
        do throws(UnlocksError) {
            let earned = try await book.change { ledger throws(UnlocksError) in
                ledger.grantingRewards(of: new, reaching: event, for: ownReferrer, in: catalog)
            }
            send(.granted(earned.grants.map(\.source)))
            return earned
        } catch {
            if !new.isEmpty { book.note(new.map(JournalEntry.claim)) }
            if !new.isEmpty || event == nil { send(.notSaved(error)) }
            throw error
        }
    }
}
