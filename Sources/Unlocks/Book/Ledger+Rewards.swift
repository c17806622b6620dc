extension Ledger {
    /// What came of claims: the grants, and the rewards that the new claims earn now or once their event is reached.
    struct Settlement: Sendable, Equatable {
        var grants: [Grant] = []
        var rewards: [RewardID] = []
    }

    /// The number of claims to keep: those that wait for an event or for the disk, and others, which earn nothing yet.
    static let maximumClaims = (waiting: 100, others: 32)

    /// Grants the rewards of new and earlier claims: once per reward and referrer, up to the reward's limit.
    ///
    /// Until it has earned its reward, a claim is judged by the current catalog each time. Claims are judged in the
    /// order in which they arrived, each by the rewards in the catalog's order.
    ///
    /// - Parameters:
    ///   - new: The newly claimed referrals.
    ///   - event: An event that the user has just reached.
    ///   - person: The user's own referrer name. Claims with this name are forgotten, since it may not be known at the
    ///     next launch.
    ///   - catalog: The current catalog.
    /// - Returns: The entries, their grants, and the rewards that the new claims earn now or once their event is
    ///   reached.
    func settling(
        _ new: [Claim] = [],
        reaching event: EventName? = nil,
        for person: String?,
        in catalog: ShopCatalog
    ) -> (entries: [JournalEntry], value: Settlement) {
        var (ledger, entries, grants) = (self, [JournalEntry](), [Grant]())
        func add(_ entry: JournalEntry) {
            ledger.apply(entry)
            entries.append(entry)
        }
        // A catalog can't contain an event with a longer name.
        if let event, event.rawValue.isName, !reached.contains(event) { add(.reached(event)) }
        let person = person.map { Name($0).person }
        for claim in claims where claim.person == person { add(.forgotten(claim)) }
        var newcomers: [(claim: Claim, rewards: [CatalogReward])] = []
        for claim in new where claim.person != person && !ledger.claims.contains(claim) {
            newcomers.append((claim, ledger.news(for: claim, in: catalog)))
            add(.claim(claim))
        }
        for claim in ledger.claims {
            for reward in catalog.rewards(for: claim) where ledger.isDue(reward, for: claim) {
                let grant = ledger.grant(reward, for: claim, in: catalog)
                add(.grant(grant))
                grants.append(grant)
            }
        }
        for grant in ledger.dueInviterRewards(in: catalog) {
            add(.grant(grant))
            grants.append(grant)
        }
        for claim in ledger.dispensable(in: catalog) {
            ledger.apply(.forgotten(claim))
            // A claim that isn't kept isn't written either, so that many such claims can't make the journal grow.
            if let index = entries.lastIndex(of: .claim(claim)) {
                entries.remove(at: index)
            } else {
                entries.append(.forgotten(claim))
            }
        }
        let rewards = newcomers.flatMap { claim, rewards in
            rewards.filter { ledger.claims.contains(claim) || ledger.has($0, for: claim) }.map(\.id)
        }
        return (entries, Settlement(grants: grants, rewards: rewards))
    }

    /// Counts the entries of a guestbook, each once, and grants what is due after each one.
    func inviting(
        _ new: [InvitationEntry],
        in catalog: ShopCatalog
    ) -> (entries: [JournalEntry], value: [Grant]) {
        var (ledger, entries, grants) = (self, [JournalEntry](), [Grant]())
        for entry in new where ledger.canCount(entry) {
            let counted = JournalEntry.invited(Name(entry.id), program: Name(entry.program))
            ledger.apply(counted)
            entries.append(counted)
            for grant in ledger.dueInviterRewards(in: catalog) {
                ledger.apply(.grant(grant))
                entries.append(.grant(grant))
                grants.append(grant)
            }
        }
        return (entries, grants)
    }

    private func canCount(_ entry: InvitationEntry) -> Bool {
        entry.id.isName && entry.program.isName && invited[Name(entry.program)]?.contains(Name(entry.id)) != true
    }

    /// The rewards for the user who invited others that weren't granted yet, in the catalog's order.
    private func dueInviterRewards(in catalog: ShopCatalog) -> [Grant] {
        catalog.inviterRewards.flatMap { reward, program, every in
            let (granted, due) = (
                rewarded[reward.id]?.count ?? 0, min(reward.limit, (invited[program]?.count ?? 0) / every)
            )
            return (granted..<max(granted, due)).map { number in
                Grant(
                    source: .invited(reward.id, program: program, number: number + 1),
                    amounts: amounts(of: reward, in: catalog),
                    stage: .recorded
                )
            }
        }
    }

    /// The rewards that a new claim earns now or later, without those that another claim by the same referrer earns.
    private func news(for claim: Claim, in catalog: ShopCatalog) -> [CatalogReward] {
        let others = claims.filter { $0.person == claim.person }
        let earned = Set(others.flatMap { catalog.rewards(for: $0).map(\.id) })
        return catalog.rewards(for: claim).filter { reward in
            (isDue(reward, for: claim) || waits(reward, for: claim)) && !earned.contains(reward.id)
        }
    }

    private func has(_ reward: CatalogReward, for claim: Claim) -> Bool {
        rewarded[reward.id]?.contains(claim.person) ?? false
    }

    private func isOpen(_ reward: CatalogReward, for claim: Claim) -> Bool {
        rewarded[reward.id, default: []].count < reward.limit && !has(reward, for: claim)
    }

    private func isReached(_ reward: CatalogReward) -> Bool {
        reward.event.map(reached.contains) ?? true
    }

    private func isDue(_ reward: CatalogReward, for claim: Claim) -> Bool {
        isReached(reward) && isOpen(reward, for: claim)
    }

    private func waits(_ reward: CatalogReward, for claim: Claim) -> Bool {
        !isReached(reward) && isOpen(reward, for: claim)
    }

    private func grant(_ reward: CatalogReward, for claim: Claim, in catalog: ShopCatalog) -> Grant {
        Grant(
            source: .reward(reward.id, referrer: claim.referrer),
            amounts: amounts(of: reward, in: catalog),
            stage: .recorded
        )
    }

    private func amounts(of reward: CatalogReward, in catalog: ShopCatalog) -> [UnlockID: Int] {
        let amounts = reward.grants.map { unlock in
            let isCounted = catalog.isCounted(unlock) || tallies[unlock]?.isCounted ?? false
            return (unlock, reward.amount ?? (isCounted ? 1 : 0))
        }
        return Dictionary(amounts, uniquingKeysWith: { first, _ in first })
    }

    /// The claims to forget, since there are too many. Of those that may still earn a reward, the oldest are kept, so that each stays
    /// until it has earned it. Of the others, the newest are kept.
    private func dispensable(in catalog: ShopCatalog) -> [Claim] {
        let waiting = claims.filter { claim in
            catalog.rewards(for: claim).contains { isOpen($0, for: claim) }
        }
        let others = claims.filter { !waiting.contains($0) }
        return others.dropLast(Self.maximumClaims.others) + waiting.dropFirst(Self.maximumClaims.waiting)
    }
}

private extension ShopCatalog {
    /// The rewards for the user who invited others, in order.
    var inviterRewards: [(reward: CatalogReward, program: Name, every: Int)] {
        rewards.compactMap { reward in
            guard case .inviter(let program, let every) = reward.recipient else { return nil }
            return (reward, Name(program), every)
        }
    }

    /// The rewards that match a claim's parameters and signature.
    func rewards(for claim: Claim) -> [CatalogReward] {
        rewards(for: claim.parameters).filter { claim.isSigned || !$0.needsSignature }
    }
}
