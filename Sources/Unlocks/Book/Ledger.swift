import ReferralFoundation

/// The user's unlocks and spending: the last entry in the journal for each subject.
struct Ledger {
    /// The app's identifier, if it is known.
    var app: String?
    private(set) var grants: [Grant.Source: Grant] = [:]
    /// The grants in the order in which they came.
    private(set) var order: [Grant.Source] = []
    private(set) var tallies: [UnlockID: Tally] = [:]
    /// The uses that were spent in each environment; those without an environment were spent before the store's was known.
    private var spent: [StoreEnvironment?: [UnlockID: Int]] = [:]
    private var freeUses: [StoreEnvironment?: [UnlockID: FreeUses]] = [:]
    /// The latest moment of the device's clock that was seen, or to which it was corrected.
    private(set) var seen = Date.distantPast
    /// The device's clock when it was looked at last, which isn't in the journal; `nil` if it wasn't.
    var clock: Date?
    /// The latest moment that the store has signed in each environment.
    private(set) var signed: [StoreEnvironment: Date] = [:]
    private(set) var reached: Set<EventName> = []
    /// The claims that may still earn something, in the order in which they arrived.
    private(set) var claims: [Claim] = []
    private var knownClaims: Set<Claim> = []
    /// Who came by the user's invitation, by program.
    private(set) var invited: [Name: Set<Name>] = [:]
    /// How often each reward was granted, and for whose referrals.
    private(set) var rewardCounts: [RewardID: Int] = [:]
    private(set) var rewarded: [RewardID: Set<Name>] = [:]
    /// The unlocks that are counted, since a grant gave an amount of them.
    private(set) var counted: Set<UnlockID> = []
    /// The kept answer to "bought before", for use when the store doesn't answer.
    private(set) var kept: PaidBefore.Kept?
    /// The latest answer in each environment. A list alone never replaces an earlier answer.
    private(set) var answers: [StoreEnvironment: StoreAnswer] = [:]
    /// The environment that the store has told; `nil` until it has. Until then, spent uses belong to no environment, and count
    /// in each.
    var toldEnvironment: StoreEnvironment? = .production {
        didSet { if environment != oldValue ?? .production { countAgain() } }
    }
    /// The environment whose purchases, spending and answers count.
    var environment: StoreEnvironment { toldEnvironment ?? .production }
    /// The unlocks that the current catalog adds to items that the user already has.
    var additions = Additions() {
        didSet { if additions != oldValue { countAgain() } }
    }
    /// The free uses that the current catalog gives to everybody.
    var allowances: [UnlockID: Allowance] = [:]
    /// The unlocks that a grant opens until a moment.
    private(set) var expiring: Set<UnlockID> = []
    /// The first purchase of each product, refunded or not.
    private(set) var firstPurchases: [ProductID: Date] = [:]
    /// The trials of each product, refunded or not.
    private(set) var trials: [ProductID: Set<Grant.Source>] = [:]

    /// The sum of the grants for one unlock, so that adding a grant takes the same time however many there are.
    struct Tally {
        var sources: [Grant.Source] = []
        /// The number of grants that open it permanently.
        var lasting = 0
        /// The total amount of the grants.
        var amount = 0
        /// The grants that open it until a moment.
        var expiring: Set<Grant.Source> = []
        /// The passes among them, in the order in which they follow one another.
        var passes: [Pass] = []
    }

    /// A purchase for some days.
    struct Pass: Equatable, Comparable {
        let id: Name
        let date: Date
        let days: Int

        static func < (left: Self, right: Self) -> Bool { (left.date, left.id) < (right.date, right.id) }
    }
}

// MARK: - Entries

extension Ledger {
    mutating func apply(_ entry: JournalEntry) {
        switch entry {
        case .format(_, let writer): app = app ?? writer
        case .grant(let grant): set(grant)
        case .spent(let unlock, let total, let environment, let free):
            spent[environment, default: [:]][unlock] = total
            if let free { freeUses[environment, default: [:]][unlock] = free }
            guard environment != nil else { break }
            // The entry includes uses that had no environment before.
            spent[nil]?[unlock] = nil
            freeUses[nil]?[unlock] = nil
        case .seen(let date, let environment?): signed[environment] = max(signed[environment] ?? date, date)
        case .seen(let date, nil): see(date)
        case .reached(let event): reached.insert(event)
        case .claim(let claim): if knownClaims.insert(claim).inserted { claims.append(claim) }
        case .forgotten(let claim): if knownClaims.remove(claim) != nil { claims.removeAll { $0 == claim } }
        case .invited(let id, let program): invited[program, default: []].insert(id)
        case .kept(let answer): kept = answer
        case .answer(let answer):
            if isNew(answer) { answers[answer.environment] = answer }
        }
    }

    /// The largest possible number of elements in ``entries``.
    var entryCount: Int {
        3 + answers.count + signed.count + reached.count + claims.count + grants.count
            + spent.values.reduce(0) { $0 + $1.count } + invited.values.reduce(0) { $0 + $1.count }
    }

    /// Reserves memory for grants.
    mutating func reserve(_ count: Int) {
        grants.reserveCapacity(count)
        order.reserveCapacity(count)
    }

    /// The smallest list of entries that describes this ledger.
    var entries: [JournalEntry] {
        var entries = [JournalEntry.format(JournalEntry.currentFormat, app: app)]
        if seen > .distantPast { entries.append(.seen(seen, nil)) }
        entries += signed.sorted { $0.key.rawValue < $1.key.rawValue }.map { .seen($1, $0) }
        entries += answers.values.sorted { $0.environment.rawValue < $1.environment.rawValue }.map(JournalEntry.answer)
        if kept != nil { entries.append(.kept(kept)) }
        entries += reached.sorted().map(JournalEntry.reached)
        entries += claims.map(JournalEntry.claim)
        for (program, ids) in invited.sorted(by: { $0.key < $1.key }) {
            entries += ids.sorted().map { .invited($0, program: program) }
        }
        entries += order.compactMap { grants[$0].map(JournalEntry.grant) }
        // Uses without an environment come last, since the other entries would include them.
        for (environment, totals) in spent.sorted(by: { $0.key?.rawValue ?? "~" < $1.key?.rawValue ?? "~" }) {
            let free = freeUses[environment] ?? [:]
            entries += totals.sorted { $0.key < $1.key }.map { .spent($0, total: $1, environment, free: free[$0]) }
        }
        return entries
    }

    private mutating func set(_ grant: Grant) {
        let old = grants.updateValue(grant, forKey: grant.source)
        let (before, after) = (old.map { amounts(of: $0) } ?? [:], amounts(of: grant))
        if old == nil {
            order.append(grant.source)
            if let reward = grant.source.reward { rewardCounts[reward, default: 0] += 1 }
            if case .reward(let id, let referrer) = grant.source { rewarded[id, default: []].insert(referrer.person) }
        }
        for (unlock, amount) in grant.amounts where amount > 0 { counted.insert(unlock) }
        if let transaction = grant.transaction, let date = transaction.signedDate {
            let environment = transaction.environment ?? environment
            signed[environment] = max(signed[environment] ?? date, date)
        }
        noteTrial(grant)
        if let old { count(old, before, -1) }
        for unlock in before.keys where after[unlock] == nil {
            tallies[unlock]?.sources.removeAll { $0 == grant.source }
        }
        for unlock in after.keys where before[unlock] == nil {
            tallies[unlock, default: Tally()].sources.append(grant.source)
        }
        count(grant, after, 1)
    }

    /// Computes the sums again.
    private mutating func countAgain() {
        (tallies, expiring, firstPurchases, trials) = ([:], [], [:], [:])
        for source in order {
            guard let grant = grants[source] else { continue }
            let amounts = amounts(of: grant)
            for unlock in amounts.keys { tallies[unlock, default: Tally()].sources.append(source) }
            noteTrial(grant)
            count(grant, amounts, 1)
        }
    }

    /// Adds a grant to the sums of its unlocks, or subtracts it.
    private mutating func count(_ grant: Grant, _ amounts: [UnlockID: Int], _ sign: Int) {
        guard counts(grant) else { return }
        for (unlock, amount) in amounts {
            if amount > 0 {
                tallies[unlock]?.amount += sign * amount
            } else if !isExpiring(grant) {
                tallies[unlock]?.lasting += sign
            } else if sign > 0 {
                tallies[unlock]?.expiring.insert(grant.source)
                tallies[unlock]?.add(grant)
                expiring.insert(unlock)
            } else {
                tallies[unlock]?.expiring.remove(grant.source)
                tallies[unlock]?.remove(grant)
                if tallies[unlock]?.expiring.isEmpty ?? true { expiring.remove(unlock) }
            }
        }
    }

    private mutating func noteTrial(_ grant: Grant) {
        guard let product = grant.transaction?.productID, isPresent(grant) else { return }
        if case .trial = grant.term { trials[product, default: []].insert(grant.source) }
        guard let date = grant.originalPurchaseDate else { return }
        firstPurchases[product] = min(firstPurchases[product] ?? date, date)
    }

    /// The unlocks whose state an entry may change; `nil` is all.
    func unlocks(changedBy entry: JournalEntry) -> Set<UnlockID>? {
        switch entry {
        case .format, .claim, .forgotten, .invited, .reached: []
        case .seen(let date, nil) where date >= seen: []
        case .seen(let date, _?) where date <= seen: []
        case .grant(let grant):
            // A trial begins with the first purchase of its product, and a pass after those before it.
            grant.term == nil && grant.transaction.flatMap { trials[$0.productID] } == nil
                ? Set(amounts(of: grant).keys).union(
                    grants[grant.source].map { amounts(of: $0) }?.keys.map(\.self) ?? []
                ) : nil
        case .spent(let unlock, _, _, _): [unlock]
        case .kept, .answer, .seen: nil
        }
    }
}

// MARK: - Questions

extension Ledger {
    subscript(source: Grant.Source) -> Grant? { grants[source] }

    /// Whether a claim is kept.
    func knows(_ claim: Claim) -> Bool { knownClaims.contains(claim) }

    /// The unlocks that have a grant.
    var unlocks: some Sequence<UnlockID> { tallies.keys }

    /// The number of grants.
    var count: Int { order.count }

    /// The grants in the order in which they came.
    var all: some Sequence<Grant> { all(after: 0) }

    /// The grants after the first `count`.
    func all(after count: Int) -> some Sequence<Grant> { order.dropFirst(count).lazy.compactMap { grants[$0] } }

    /// Whether a grant belongs to the current environment. Rewards and free items belong to every environment.
    func isPresent(_ grant: Grant) -> Bool { (grant.transaction?.environment ?? environment) == environment }

    /// Whether a grant opens something in the current environment, until its expiration.
    func counts(_ grant: Grant) -> Bool { grant.isGranted && isPresent(grant) }

    /// Whether the store has answered at least once.
    var hasAnswer: Bool { answers[environment] != nil }

    /// Whether an answer replaces the latest one.
    func isNew(_ answer: StoreAnswer) -> Bool {
        guard let latest = answers[answer.environment] else { return true }
        return answer.isFromStore && answer != latest
    }

    /// Whether a grant opens something at a moment, once it is delivered.
    func isOpen(_ grant: Grant, at now: Date) -> Bool {
        guard isExpiring(grant) else { return true }
        return amounts(of: grant).keys.contains { validity(of: grant, for: $0, at: now).isOpen }
    }

    /// Whether the time of a grant is over, as far as is known.
    func hasEnded(_ grant: Grant, at now: Date) -> Bool {
        isExpiring(grant) && amounts(of: grant).keys.allSatisfy { validity(of: grant, for: $0, at: now) == .ended }
    }

    /// Whether a grant opens an unlock permanently.
    func isOwned(_ unlock: UnlockID) -> Bool { (tallies[unlock]?.lasting ?? 0) > 0 }

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
        guard let tally = tallies[unlock] else { return [] }
        let ends = ends(of: tally.passes)
        return tally.sources.compactMap { source in
            guard let grant = grants[source], counts(grant) else { return nil }
            if isExpiring(grant), !validity(of: grant, ends, at: now).isOpen { return nil }
            return source.evidence
        }
    }

    /// The next moment at which the state of any unlock may change because time passes.
    func nextChange(after now: Date) -> Date? {
        expiring.union(allowances.keys).compactMap { nextChange(of: $0, after: now) }.min()
    }

    /// The next moment at which the state of an unlock may change because time passes.
    func nextChange(of unlock: UnlockID, after now: Date) -> Date? {
        let ends = validities(of: unlock, at: now).compactMap { if case .open(let end) = $1 { end } else { nil } }
        return (ends + [nextRefill(of: unlock, after: now)]).compactMap(\.self).min()
    }

    /// The unlocks of all purchases that haven't expired, delivered or not.
    func bought(at now: Date) -> Set<UnlockID> {
        var unlocks: Set<UnlockID> = []
        for grant in grants.values where isPresent(grant) && !grant.isRevoked && isOpen(grant, at: now) {
            if case .purchase = grant.source { unlocks.formUnion(amounts(of: grant).keys) }
        }
        return unlocks
    }

    /// Whether the content of a grant is needed: the grant opens something, hasn't expired, and isn't used up.
    func needsContent(_ grant: Grant, at now: Date) -> Bool {
        counts(grant) && isOpen(grant, at: now) && grant.amounts.contains { $1 == 0 || boughtUses(of: $0) > 0 }
    }
}

// MARK: - Counting

extension Ledger {
    /// What is left of a counted unlock: free uses and bought ones.
    func balance(of unlock: UnlockID, at now: Date) -> Int { freeUses(of: unlock, at: now) + boughtUses(of: unlock) }

    /// The bought or earned uses that are left.
    func boughtUses(of unlock: UnlockID) -> Int { max(0, (tallies[unlock]?.amount ?? 0) - spentAmount(of: unlock)) }

    /// The environments whose uses count in the present one.
    private var countedEnvironments: [StoreEnvironment?] { [environment, nil] }

    private func spentAmount(of unlock: UnlockID) -> Int { spentAmount(of: unlock, in: countedEnvironments) }

    private func spentAmount(of unlock: UnlockID, in environments: [StoreEnvironment?]) -> Int {
        environments.reduce(0) { $0 + (spent[$1]?[unlock] ?? 0) }
    }

    /// What is left of the allowance.
    func freeUses(of unlock: UnlockID, at now: Date) -> Int {
        guard let allowance = allowances[unlock] else { return 0 }
        return max(0, allowance.amount - usedFreely(of: unlock, at: now))
    }

    /// The free uses since the latest refill.
    private func usedFreely(of unlock: UnlockID, at now: Date) -> Int {
        usedFreely(of: unlock, in: countedEnvironments, at: now)
    }

    private func usedFreely(of unlock: UnlockID, in environments: [StoreEnvironment?], at now: Date) -> Int {
        let refill = allowances[unlock]?.refill
        return environments.compactMap { freeUses[$0]?[unlock] }
            .reduce(0) { $0 + (refill?.isLater(now, than: $1.last) ?? false ? 0 : $1.count) }
    }

    private func nextRefill(of unlock: UnlockID, after now: Date) -> Date? {
        guard let refill = allowances[unlock]?.refill, usedFreely(of: unlock, at: now) > 0 else { return nil }
        return refill.next(after: now)
    }

    /// The entry that spends an amount of an unlock, the free uses first; `nil` if what is left is too little.
    func spending(_ count: Int, of unlock: UnlockID, at now: Date) -> JournalEntry? {
        guard count > 0, count <= balance(of: unlock, at: now) else { return nil }
        return spending(count, freely: min(count, freeUses(of: unlock, at: now)), of: unlock, at: now)
    }

    /// The entries that assign uses that were spent before the store's environment was known to that environment.
    func placing(at now: Date) -> [JournalEntry] {
        guard toldEnvironment != nil else { return [] }
        return (spent[nil] ?? [:]).keys.sorted().map { spending(0, freely: 0, of: $0, at: now) }
    }

    /// An entry includes the uses that were spent before in its environment and, if the store's environment is known, those
    /// without one.
    private func spending(_ count: Int, freely free: Int, of unlock: UnlockID, at now: Date) -> JournalEntry {
        let included = toldEnvironment == nil ? [nil] : countedEnvironments
        let moves = toldEnvironment != nil && freeUses[nil]?[unlock] != nil
        let last = free > 0 ? now : moves ? included.compactMap { freeUses[$0]?[unlock]?.last }.max() : nil
        let uses = last.map { FreeUses(count: usedFreely(of: unlock, in: included, at: now) + free, last: $0) }
        let total = spentAmount(of: unlock, in: included) + count - free
        return .spent(unlock, total: total, toldEnvironment, free: uses)
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
        let moment = Timestamp(moment).date
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
        for (environment, uses) in freeUses {
            freeUses[environment] = uses.mapValues { FreeUses(count: $0.count, last: min($0.last, moment)) }
        }
        for (environment, answer) in answers { answers[environment] = answer.moved(to: min(answer.date, moment)) }
    }
}
