extension Ledger {
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
    func grantingRewards(
        of new: [Claim] = [],
        reaching event: EventName? = nil,
        for person: String?,
        in catalog: ShopCatalog
    ) -> (entries: [JournalEntry], value: (grants: [Grant], rewards: [RewardID])) {
        var draft = Draft(self)
        // A catalog can't contain an event with a longer name.
        if let event, event.rawValue.isName, !reached.contains(event) { draft.add(.reached(event)) }
        let person = person.map { Name($0).person }
        for claim in claims where claim.person == person { draft.add(.forgotten(claim)) }
        for claim in new where claim.person != person { draft.add(.claim(claim)) }
        for claim in draft.ledger.claims {
            for reward in catalog.rewards(for: claim) where draft.ledger.isDue(reward, for: claim) {
                draft.grant(.reward(reward.id, referrer: claim.referrer), reward, in: catalog)
            }
        }
        draft.grantInviterRewards(in: catalog)
        for claim in draft.ledger.dispensable(in: catalog) { draft.add(.forgotten(claim)) }
        let rewards = new.flatMap { claim in
            catalog.rewards(for: claim).filter { reward in
                !earns(reward, claim.person, in: catalog) && draft.ledger.earns(reward, claim.person, in: catalog)
            }.map(\.id)
        }
        return (draft.entries, (draft.grants, rewards))
    }

    /// Counts the entries of a guestbook, each once, and grants what is due after each one.
    func inviting(
        _ new: [InvitationEntry],
        in catalog: ShopCatalog
    ) -> (entries: [JournalEntry], value: [Grant]) {
        var draft = Draft(self)
        for entry in new where draft.ledger.canCount(entry) {
            draft.add(.invited(Name(entry.id), program: Name(entry.program)))
            draft.grantInviterRewards(in: catalog)
        }
        return (draft.entries, draft.grants)
    }

    private func canCount(_ entry: InvitationEntry) -> Bool {
        entry.id.isName && entry.program.isName && invited[Name(entry.program)]?.contains(Name(entry.id)) != true
    }

    private func has(_ reward: CatalogReward, _ person: Name) -> Bool { rewarded[reward.id]?.contains(person) ?? false }

    private func isOpen(_ reward: CatalogReward, for claim: Claim) -> Bool {
        rewarded[reward.id, default: []].count < reward.limit && !has(reward, claim.person)
    }

    private func isDue(_ reward: CatalogReward, for claim: Claim) -> Bool {
        (reward.event.map(reached.contains) ?? true) && isOpen(reward, for: claim)
    }

    /// Whether a referrer has earned a reward, or a claim earns it now or once its event is reached.
    private func earns(_ reward: CatalogReward, _ person: Name, in catalog: ShopCatalog) -> Bool {
        has(reward, person)
            || claims.contains { claim in
                claim.person == person && isOpen(reward, for: claim)
                    && catalog.rewards(for: claim).contains { $0.id == reward.id }
            }
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

/// A ledger with entries that aren't written yet.
private struct Draft {
    var ledger: Ledger
    var entries: [JournalEntry] = []
    var grants: [Grant] = []

    init(_ ledger: Ledger) { self.ledger = ledger }

    mutating func add(_ entry: JournalEntry) {
        ledger.apply([entry])
        entries.append(entry)
    }

    mutating func grant(_ source: Grant.Source, _ reward: CatalogReward, in catalog: ShopCatalog) {
        let amounts = reward.grants.map { unlock in
            let isCounted = catalog.isCounted(unlock) || ledger.shares[unlock]?.isCounted ?? false
            return (unlock, reward.amount ?? (isCounted ? 1 : 0))
        }
        let grant = Grant(
            source: source,
            amounts: Dictionary(amounts, uniquingKeysWith: { first, _ in first }),
            stage: .recorded
        )
        add(.grant(grant))
        grants.append(grant)
    }

    /// Grants the rewards that are due to the user who invited others, in the catalog's order.
    mutating func grantInviterRewards(in catalog: ShopCatalog) {
        for (reward, program, every) in catalog.inviterRewards {
            let granted = ledger.rewarded[reward.id]?.count ?? 0
            let due = min(reward.limit, (ledger.invited[program]?.count ?? 0) / every)
            for number in granted..<max(granted, due) {
                grant(.invited(reward.id, program: program, number: number + 1), reward, in: catalog)
            }
        }
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
