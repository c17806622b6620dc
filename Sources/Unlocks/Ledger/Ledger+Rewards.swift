private extension CatalogueReward {
    /// Whether a referral earns it, as far as its parameters and its signature go.
    func isFor(_ claim: Claim) -> Bool {
        guard claim.isSigned || !needsSignature else { return false }
        guard let parameter else { return true }
        return claim.parameters[parameter]?.utf8.elementsEqual((value ?? "").utf8) ?? false
    }
}

extension Ledger {
    /// The entries and the grants of referrals that are claimed, one after the other.
    func claiming(_ claims: [Claim], in catalogue: Catalogue) -> (entries: [JournalEntry], value: [Grant]) {
        var (ledger, entries, grants) = (self, [JournalEntry](), [Grant]())
        for claim in claims {
            let isNew = !ledger.claims.contains(claim)
            let earned = ledger.rewards(for: claim, in: catalogue)
            let new = (isNew ? [.claim(claim)] : []) + earned.map(JournalEntry.grant)
            for entry in new { ledger.apply(entry) }
            entries += new
            grants += earned
        }
        return (entries, grants)
    }

    /// The entries and the grants of rewards that wait for an event that was reached.
    func grantingClaims(person: String?, in catalogue: Catalogue) -> (entries: [JournalEntry], value: [Grant]) {
        var (ledger, grants) = (self, [Grant]())
        while let grant = ledger.nextClaim(person: person, in: catalogue) {
            ledger.apply(.grant(grant))
            grants.append(grant)
        }
        return (grants.map(JournalEntry.grant), grants)
    }

    /// The rewards that a claim earns, in the catalogue's order: once a reward and referrer, as often as the reward says.
    ///
    /// One that waits for an event is only counted once it is granted.
    func rewards(for claim: Claim, in catalogue: Catalogue) -> [Grant] {
        catalogue.rewards.compactMap { reward in
            let source = Grant.Source.reward(reward.id, referrer: claim.referrer)
            guard reward.isFor(claim), grants[source] == nil else { return nil }
            let waits = reward.event.map { !reached.contains($0) } ?? false
            guard waits || granted(reward.id) < reward.limit else { return nil }
            let doses = reward.grants.map { ($0, reward.doses ?? (isCounted($0, in: catalogue) ? 1 : 0)) }
            return Grant(
                source: source,
                doses: Dictionary(doses, uniquingKeysWith: { first, _ in first }),
                stage: waits ? .waiting : .recorded,
                event: reward.event,
                limit: reward.limit
            )
        }
    }

    /// The next claim that waits for an event that was reached, and may be granted: the catalogue still has the reward. If it
    /// needs a signature now, a signed claim must earn it.
    func nextClaim(person: String?, in catalogue: Catalogue) -> Grant? {
        for source in order {
            guard case .reward(let id, let referrer) = source, var grant = grants[source], grant.stage == .waiting,
                let event = grant.event, reached.contains(event), referrer != person,
                granted(id) < grant.limit ?? 1,
                let reward = catalogue.rewards.first(where: { $0.id == id }),
                !reward.needsSignature || claims.contains(where: { $0.referrer == referrer && reward.isFor($0) })
            else { continue }
            grant.stage = .recorded
            return grant
        }
        return nil
    }

    /// How often a reward was granted.
    private func granted(_ reward: String) -> Int {
        grants.values.count { grant in
            if case .reward(reward, _) = grant.source { grant.stage != .waiting } else { false }
        }
    }

    /// Whether an unlock comes in doses.
    private func isCounted(_ unlock: String, in catalogue: Catalogue) -> Bool {
        let isSold = catalogue.items.contains { $0.grants.contains(unlock) && ($0.doses()[unlock] ?? 0) > 0 }
        return isSold || (tallies[unlock]?.sources ?? []).contains { (grants[$0]?.doses[unlock] ?? 0) > 0 }
    }
}
