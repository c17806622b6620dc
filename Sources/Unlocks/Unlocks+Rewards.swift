public import ReferralBridge

extension Unlocks {
    /// Claims what a referral earns.
    ///
    /// ```swift
    /// bridge.onReferral = { referral in Task { try? await unlocks.claim(referral) } }
    /// ```
    ///
    /// A claim whose event isn't reached waits on the disk. A reward that needs a signature is only for a referral that
    /// `isSigned`, which a scanner with signers reports.
    ///
    /// - Parameter referral: The referral, as the bridge reported it.
    /// - Returns: The rewards that it earns now or once their event is reached. Claiming it again earns nothing. A later
    ///   catalogue may have more for it.
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. The claim is tried again while the app runs.
    @discardableResult
    public func claim(_ referral: Referral) async throws(UnlocksError) -> [String] {
        let claim = Claim(referral)
        do {
            return try await take([claim])
        } catch {
            if !unsavedClaims.contains(claim) { unsavedClaims.append(claim) }
            trySavingLater(error)
            throw error
        }
    }

    private func take(_ claims: [Claim]) async throws(UnlocksError) -> [String] {
        let claims = claims.filter { $0.referrer != person }
        let grants = try await book.change { ledger throws(UnlocksError) in
            ledger.claiming(claims, in: catalogue)
        }
        deliverSoon(grants)
        return grants.compactMap { if case .reward(let id, _) = $0.source { id } else { nil } }
    }

    /// Looks at what was claimed again: the catalogue may have a reward for it now, the app may have ended before a reward was
    /// granted, or the disk takes it.
    func takeClaims() async {
        let unsaved = unsavedClaims
        unsavedClaims = []
        do throws(UnlocksError) {
            _ = try await take(book.ledger.claims + unsaved)
        } catch {
            unsavedClaims = unsaved + unsavedClaims
            if book.isOpen { trySavingLater(error) }
        }
        await grantClaims()
    }

    /// Says that the person has reached an event that rewards may wait for.
    ///
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. Call it again later.
    public func didReach(_ event: String) async throws(UnlocksError) {
        try await book.change { ledger throws(UnlocksError) in
            (ledger.reached.contains(event) ? [] : [.reached(event)], ())
        }
        await grantClaims()
    }

    private func grantClaims() async {
        do throws(UnlocksError) {
            let grants = try await book.change { ledger throws(UnlocksError) in
                ledger.grantingClaims(person: person, in: catalogue)
            }
            deliverSoon(grants)
        } catch {
            if book.isOpen { trySavingLater(error) }
        }
    }

    /// Puts grants that were recorded into the queue.
    func deliverSoon(_ grants: [Grant]) {
        for grant in grants where book.ledger[grant.source]?.isDue ?? false { queue.add(grant.source) }
        work()
    }
}
