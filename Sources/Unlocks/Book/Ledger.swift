import ReferralFoundation

/// The user's unlocks and spending: the last entry in the journal for each subject.
struct Ledger {
    /// The grants in the order in which they came.
    private(set) var all: [Grant] = []
    private var places: [Grant.Source: Int] = [:]
    private var spent: [StoreEnvironment: [UnlockID: Spending]] = [:]
    /// The latest moment of the device's clock that was seen, or to which it was corrected.
    private(set) var seen = Date.distantPast
    /// The latest moment that the store has signed in each environment.
    private(set) var signed: [StoreEnvironment: Date] = [:]
    private(set) var reached: Set<EventName> = []
    /// The claims that may still earn something, in the order in which they arrived.
    private(set) var claims: [Claim] = []
    /// Who came by the user's invitation, by program.
    private(set) var invited: [Name: Set<Name>] = [:]
    /// The kept answer to "bought before", for use when the store doesn't answer.
    private(set) var kept: PaidBefore.Kept?
    /// The latest answer in each environment. A list alone never replaces an earlier answer.
    private(set) var answers: [StoreEnvironment: StoreAnswer] = [:]
    /// The environment whose purchases, spending and answers count.
    var environment = StoreEnvironment.production { didSet { if environment != oldValue { sum() } } }
    /// The free uses that the current catalog gives to everybody.
    var allowances: [UnlockID: Allowance] = [:]

    // MARK: The grants by what they give

    /// The grants of the current environment that aren't delivered.
    private(set) var due: [Grant] = []
    /// Its delivered subscriptions, ended or not.
    private(set) var subscriptions: [Grant] = []
    /// What the grants give of each unlock. A question about an unlock takes the same time with many packs as with one.
    private(set) var shares: [UnlockID: Share] = [:]
    /// The referrers for whom each reward was granted, and `nil` for each invitation's reward.
    private(set) var rewarded: [RewardID: [Name?]] = [:]

    /// What the grants of the current environment give of an unlock.
    struct Share {
        /// What opens it, delivered and not refunded.
        var sources: [Grant.Source] = []
        /// The bought and earned uses, spent or not.
        var uses = 0
        /// Whether it is open permanently.
        var isOwned = false
        /// The grants that open it until a moment.
        var expiring: [Grant] = []
        /// The ends of those that last for some days.
        var ends: [Grant.Source: Date] = [:]
        /// Whether a grant of any environment gives an amount of it.
        var isCounted = false
    }
}

/// What was spent of an unlock, in all.
struct Spending: Sendable, Codable, Equatable {
    /// The bought and earned uses.
    var amount = 0
    /// The free uses since the latest refill, and the moment of the last one.
    var (free, lastFree): (Int, Date?) = (0, nil)
}

// MARK: - Entries

extension Ledger {
    mutating func apply(_ entries: [JournalEntry]) {
        for entry in entries { note(entry) }
        let hasGrant = entries.contains { if case .grant = $0 { true } else { false } }
        if hasGrant { sum() }
    }

    private mutating func note(_ entry: JournalEntry) {
        switch entry {
        case .format: break
        case .grant(let grant):
            if let place = places[grant.source] {
                all[place] = grant
            } else {
                places[grant.source] = all.count
                all.append(grant)
            }
            if let transaction = grant.transaction, let date = transaction.signedDate {
                let environment = transaction.environment ?? environment
                signed[environment] = max(signed[environment] ?? date, date)
            }
        case .spent(let unlock, let environment, var spending):
            // A journal may have been edited.
            spending.amount = min(max(0, spending.amount), 1 << 53)
            spending.free = min(max(0, spending.free), 1 << 53)
            spent[environment, default: [:]][unlock] = spending
        case .seen(let date, let environment?): signed[environment] = max(signed[environment] ?? date, date)
        case .seen(let date, nil): see(date)
        case .reached(let event): reached.insert(event)
        case .claim(let claim): if !claims.contains(claim) { claims.append(claim) }
        case .forgotten(let claim): claims.removeAll { $0 == claim }
        case .invited(let id, let program): invited[program, default: []].insert(id)
        case .kept(let answer): kept = answer
        case .answer(let answer): if isNew(answer) { answers[answer.environment] = answer }
        }
    }

    /// The entries that describe this ledger.
    var entries: [JournalEntry] {
        var entries = [JournalEntry.format(Journal.currentFormat)]
        if seen > .distantPast { entries.append(.seen(seen, nil)) }
        entries += signed.sorted { $0.key.rawValue < $1.key.rawValue }.map { .seen($1, $0) }
        entries += answers.values.sorted { $0.environment.rawValue < $1.environment.rawValue }.map(JournalEntry.answer)
        if kept != nil { entries.append(.kept(kept)) }
        entries += reached.sorted().map(JournalEntry.reached)
        entries += claims.map(JournalEntry.claim)
        for (program, ids) in invited.sorted(by: { $0.key < $1.key }) {
            entries += ids.sorted().map { .invited($0, program: program) }
        }
        entries += all.map(JournalEntry.grant)
        for (environment, spent) in spent.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            entries += spent.sorted { $0.key < $1.key }.map { .spent($0, environment, $1) }
        }
        return entries
    }

    /// Computes what each unlock and each reward has of the grants.
    private mutating func sum() {
        (due, subscriptions, shares, rewarded) = ([], [], [:], [:])
        for grant in all {
            switch grant.source {
            case .reward(let id, let referrer): rewarded[id, default: []].append(referrer.person)
            case .invited(let id, _, _): rewarded[id, default: []].append(nil)
            case .purchase, .free: break
            }
            let isPresent = isPresent(grant)
            if isPresent, grant.isDue { due.append(grant) }
            if counts(grant), grant.isExpiring, grant.term == nil { subscriptions.append(grant) }
            for (unlock, amount) in grant.amounts {
                shares[unlock, default: Share()].add(grant, amount, isPresent: isPresent)
            }
        }
        for (unlock, share) in shares where !share.expiring.isEmpty {
            shares[unlock]?.ends = Self.ends(of: share.expiring)
        }
    }
}

private extension Ledger.Share {
    /// Adds an amount, or 0 if a grant opens the unlock without counting.
    mutating func add(_ grant: Grant, _ amount: Int, isPresent: Bool) {
        if amount > 0 { isCounted = true }
        guard isPresent, grant.isGranted else { return }
        sources.append(grant.source)
        if amount != 0 {
            // A journal may have been edited.
            uses += max(0, min(amount, Grant.maximumDoses))
        } else if grant.isExpiring {
            expiring.append(grant)
        } else {
            isOwned = true
        }
    }
}

// MARK: - Questions

extension Ledger {
    subscript(source: Grant.Source) -> Grant? { places[source].map { all[$0] } }

    /// Whether a grant belongs to the current environment. Rewards and free items belong to every environment.
    func isPresent(_ grant: Grant) -> Bool { (grant.transaction?.environment ?? environment) == environment }

    /// Whether a grant opens something in the current environment, until its expiration.
    func counts(_ grant: Grant) -> Bool { grant.isGranted && isPresent(grant) }

    /// Whether an answer replaces the latest one.
    func isNew(_ answer: StoreAnswer) -> Bool {
        guard let latest = answers[answer.environment] else { return true }
        return answer.isFromStore && answer != latest
    }

    /// Whether a grant opens something at a moment, once it is delivered.
    func isOpen(_ grant: Grant, at now: Date) -> Bool {
        guard case .pass = grant.term else { return validity(of: grant, at: now).isOpen }
        return grant.amounts.keys.contains { unlock in
            guard let share = shares[unlock] else { return false }
            let coming = grant.isDue ? due.filter { $0.amounts[unlock] == 0 } : []
            let ends = coming.isEmpty ? share.ends : Self.ends(of: share.expiring + coming)
            return now < ends[grant.source] ?? .distantPast
        }
    }

    /// Whether a grant will open an unlock once it is delivered.
    func isBeingDelivered(_ unlock: UnlockID) -> Bool { due.contains { $0.amounts[unlock] != nil } }

    /// Whether a grant opens an unlock permanently.
    func isOwned(_ unlock: UnlockID) -> Bool { shares[unlock]?.isOwned ?? false }

    /// Whether a grant opens an unlock at a moment, without counting.
    func isOpenWithoutCounting(_ unlock: UnlockID, at now: Date) -> Bool {
        isOwned(unlock) || validities(of: unlock, at: now).contains { $1.isOpen }
    }

    /// Whether something opens an unlock at a moment.
    func isOpen(_ unlock: UnlockID, at now: Date) -> Bool {
        balance(of: unlock, at: now) > 0 || isOpenWithoutCounting(unlock, at: now)
    }

    /// Whether a subscription opens an unlock at a moment.
    func isSubscribed(_ unlock: UnlockID, at now: Date) -> Bool {
        validities(of: unlock, at: now).contains { $0.term == nil && $1.isOpen }
    }

    /// Whether a subscription for an unlock has expired, and the store hasn't answered since.
    func hasUnknownEnd(_ unlock: UnlockID, at now: Date) -> Bool {
        validities(of: unlock, at: now).contains { $1 == .unknown }
    }

    /// The evidence for an unlock at a moment, in the order in which it arrived. A pack that is used up is evidence
    /// too.
    func evidence(for unlock: UnlockID, at now: Date) -> [Evidence] {
        let ended = Set(validities(of: unlock, at: now).filter { !$1.isOpen }.map(\.0.source))
        return (shares[unlock]?.sources ?? []).filter { !ended.contains($0) }.map(\.evidence)
    }

    /// The next moment at which the state of any unlock may change because time passes.
    func nextChange(after now: Date) -> Date? {
        Set(shares.keys).union(allowances.keys).compactMap { nextChange(of: $0, after: now) }.min()
    }

    /// The next moment at which the state of an unlock may change because time passes.
    func nextChange(of unlock: UnlockID, after now: Date) -> Date? {
        let ends = validities(of: unlock, at: now).map(\.1.end)
        return (ends + [nextRefill(of: unlock, after: now)]).compactMap(\.self).min()
    }

    /// The unlocks of all purchases that haven't expired, delivered or not.
    func bought(at now: Date) -> Set<UnlockID> {
        var unlocks: Set<UnlockID> = []
        for grant in all where isPresent(grant) && !grant.isRevoked && isOpen(grant, at: now) {
            if case .purchase = grant.source { unlocks.formUnion(grant.amounts.keys) }
        }
        return unlocks
    }

    /// The entry that records a delivery; none if the grant isn't due any more.
    func delivered(_ source: Grant.Source) -> [JournalEntry] {
        guard var grant = self[source], grant.isDue else { return [] }
        grant.stage = .delivered
        return [.grant(grant)]
    }

    /// Whether the content of a grant is needed: the grant opens something, hasn't expired, and isn't used up or withheld.
    func needsContent(_ grant: Grant, at now: Date) -> Bool {
        counts(grant) && grant.isWithheld != true && isOpen(grant, at: now)
            && grant.amounts.contains { $1 == 0 || boughtUses(of: $0) > 0 }
    }
}

// MARK: - Counting

extension Ledger {
    /// What is left of a counted unlock: free uses and bought ones.
    func balance(of unlock: UnlockID, at now: Date) -> Int { freeUses(of: unlock, at: now) + boughtUses(of: unlock) }

    /// The bought or earned uses that are left.
    func boughtUses(of unlock: UnlockID) -> Int {
        max(0, (shares[unlock]?.uses ?? 0) - spending(of: unlock).amount)
    }

    /// What is left of the allowance.
    func freeUses(of unlock: UnlockID, at now: Date) -> Int {
        guard let allowance = allowances[unlock] else { return 0 }
        return max(0, allowance.amount - usedFreely(of: unlock, at: now))
    }

    private func spending(of unlock: UnlockID) -> Spending { spent[environment]?[unlock] ?? Spending() }

    /// The free uses since the latest refill.
    private func usedFreely(of unlock: UnlockID, at now: Date) -> Int {
        let spending = spending(of: unlock)
        guard let refill = allowances[unlock]?.refill, let last = spending.lastFree else { return spending.free }
        return refill.isLater(now, than: last) ? 0 : spending.free
    }

    private func nextRefill(of unlock: UnlockID, after now: Date) -> Date? {
        guard let refill = allowances[unlock]?.refill, usedFreely(of: unlock, at: now) > 0 else { return nil }
        return refill.next(after: now)
    }

    /// The entry that spends an amount of an unlock, the free uses first; `nil` if what is left is too little.
    func spending(_ count: Int, of unlock: UnlockID, at now: Date) -> JournalEntry? {
        guard count > 0, count <= balance(of: unlock, at: now) else { return nil }
        let free = min(count, freeUses(of: unlock, at: now))
        var spending = spending(of: unlock)
        spending.amount += count - free
        if free > 0 { (spending.free, spending.lastFree) = (usedFreely(of: unlock, at: now) + free, now) }
        return .spent(unlock, environment, spending)
    }
}

// MARK: - Time

extension Ledger {
    /// The time, in seconds, by which the clock must have been ahead of a moment that the store has signed since, so that it
    /// is corrected: 48 hours.
    static let maximumLead = 48 * 3_600.0

    /// The moment at which purchases are judged: the latest of the device's clock and the moments seen before. So a clock that
    /// is set back prolongs nothing.
    func now(at clock: Date) -> Date { max(clock, seen, signed[environment] ?? .distantPast) }

    /// The entries for a moment that the store has signed. A clock that was far ahead of it is corrected.
    func moments(signed moment: Date, at clock: Date) -> [JournalEntry] {
        guard moment > signed[environment] ?? .distantPast else { return [] }
        return correction(to: moment, at: clock) + [.seen(moment, environment)]
    }

    /// The entry that corrects a clock that was far ahead of a reliable moment.
    func correction(to moment: Date, at clock: Date) -> [JournalEntry] {
        guard moment > signed[environment] ?? .distantPast, seen > moment + Self.maximumLead else { return [] }
        let corrected = max(moment, clock)
        return corrected < seen ? [.seen(corrected, nil)] : []
    }

    /// Notes a moment of the device's clock. If it is earlier than the latest one, all later moments are moved back.
    mutating func see(_ moment: Date) {
        let isCorrection = moment < seen
        seen = moment
        guard isCorrection else { return }
        spent = spent.mapValues { spent in
            spent.mapValues { spending in
                var spending = spending
                spending.lastFree = spending.lastFree.map { min($0, moment) }
                return spending
            }
        }
        for (environment, answer) in answers { answers[environment]?.date = min(answer.date, moment) }
    }
}
