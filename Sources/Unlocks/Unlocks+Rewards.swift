public import ReferralBridge

extension Unlocks {
    /// Claims what a referral earns.
    ///
    /// ```swift
    /// bridge.onReferral = { referral in _ = try? unlocks.claim(referral) }
    /// ```
    ///
    /// A claim whose event isn't reached waits on the disk. A reward that needs a signature is only for a referral that
    /// `isSigned`, which a scanner with signers reports.
    ///
    /// - Parameter referral: The referral, as the bridge reported it.
    /// - Returns: The rewards that it earns now or once their event is reached. Claiming it again earns nothing. A later
    ///   catalogue may have more for it.
    /// - Throws: ``UnlocksError/storage(_:)`` or ``UnlocksError/deviceLocked``. The claim is tried again while the app runs.
    @discardableResult
    public func claim(_ referral: Referral) throws(UnlocksError) -> [String] {
        let claim = Claim(referral)
        do {
            return try take(claim)
        } catch {
            if !unsavedClaims.contains(claim) { unsavedClaims.append(claim) }
            trySavingLater(error)
            throw error
        }
    }

    func take(_ claim: Claim) throws(UnlocksError) -> [String] {
        guard claim.referrer != person else { return [] }
        if !ledger.claims.contains(claim) { try commit(.claim(claim)) }
        let rewards = ledger.rewards(for: claim, in: catalogue)
        for grant in rewards { try add(grant) }
        return rewards.compactMap { if case .reward(let id, _) = $0.source { id } else { nil } }
    }

    /// Looks at what was claimed again: the catalogue may have a reward for it now, the app may have ended before a reward was
    /// granted, or the disk takes it.
    func takeClaims() {
        let claims = ledger.claims + unsavedClaims
        unsavedClaims = []
        for claim in claims {
            do throws(UnlocksError) {
                _ = try take(claim)
            } catch {
                unsavedClaims.append(claim)
                trySavingLater(error)
            }
        }
        grantClaims()
    }

    /// Says that the person has reached an event that rewards may wait for.
    ///
    /// - Throws: ``UnlocksError/storage(_:)`` or ``UnlocksError/deviceLocked``. Call it again later.
    public func didReach(_ event: String) throws(UnlocksError) {
        if !ledger.reached.contains(event) { try commit(.reached(event)) }
        grantClaims()
    }

    private func grantClaims() {
        do throws(UnlocksError) {
            while let grant = ledger.nextClaim(person: person, in: catalogue) { try add(grant) }
        } catch {
            trySavingLater(error)
        }
    }

    func add(_ grant: Grant) throws(UnlocksError) {
        try commit(.grant(grant))
        guard grant.isDue else { return }
        queue.add(grant.source)
        work()
    }
}
