import ReferralBridge
import UnlockCatalog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The user's unlocks and spending: the last entry in the journal for each subject.
struct Ledger {
    private(set) var grants: [Grant.Source: Grant] = [:]
    /// The grants in the order in which they came.
    private(set) var order: [Grant.Source] = []
    private(set) var tallies: [UnlockID: Tally] = [:]
    private var spent: [StoreEnvironment: [UnlockID: Int]] = [:]
    private(set) var reached: Set<EventName> = []
    /// The claims that may still earn something, in the order in which they arrived.
    private(set) var claims: [Claim] = []
    private var knownClaims: Set<Claim> = []
    /// How often each reward was granted.
    private(set) var rewardCounts: [RewardID: Int] = [:]
    /// The unlocks of which a grant gave an amount.
    private(set) var counted: Set<UnlockID> = []
    /// The kept answer to "bought before", for use when the store doesn't answer.
    private(set) var kept: PaidBefore.Kept?
    /// The latest answer in each environment. A list alone never replaces an earlier answer.
    private(set) var answers: [StoreEnvironment: StoreAnswer] = [:]
    /// The environment whose purchases, spending and answers count.
    var environment = StoreEnvironment.production {
        didSet { if environment != oldValue { countAgain() } }
    }
    /// The unlocks that each product opens in the current catalog. For a product that isn't counted, earlier buyers
    /// have these too, in addition to those that it opened then.
    var additions: [ProductID: [UnlockID]] = [:] {
        didSet { if additions != oldValue { countAgain() } }
    }
    /// The grants that open something until a date.
    private var expiring: Set<Grant.Source> = []

    /// The sum of the grants for one unlock, so that adding a grant takes the same time however many there are.
    struct Tally {
        var sources: [Grant.Source] = []
        /// The number of grants that open it permanently.
        var lasting = 0
        /// The total amount of the grants.
        var amount = 0
        /// The grants that open it until a date.
        var expiring: Set<Grant.Source> = []
    }
}

// MARK: - Entries

extension Ledger {
    mutating func apply(_ entry: JournalEntry) {
        switch entry {
        case .format: break
        case .grant(let grant): set(grant)
        case .spent(let unlock, let total, let environment): spent[environment, default: [:]][unlock] = total
        case .reached(let event): reached.insert(event)
        case .claim(let claim): if knownClaims.insert(claim).inserted { claims.append(claim) }
        case .forgotten(let claim): if knownClaims.remove(claim) != nil { claims.removeAll { $0 == claim } }
        case .kept(let answer): kept = answer
        case .answer(let answer):
            if isNew(answer) { answers[answer.environment] = answer }
        }
    }

    /// The largest possible number of elements in ``entries``.
    var entryCount: Int {
        2 + answers.count + reached.count + claims.count + grants.count + spent.values.reduce(0) { $0 + $1.count }
    }

    /// Reserves memory for grants.
    mutating func reserve(_ count: Int) {
        grants.reserveCapacity(count)
        order.reserveCapacity(count)
    }

    /// The smallest list of entries that describes this ledger.
    var entries: [JournalEntry] {
        var entries = [JournalEntry.format]
        entries += answers.values.sorted { $0.environment.rawValue < $1.environment.rawValue }.map(JournalEntry.answer)
        if kept != nil { entries.append(.kept(kept)) }
        entries += reached.sorted().map(JournalEntry.reached)
        entries += claims.map(JournalEntry.claim)
        entries += order.compactMap { grants[$0].map(JournalEntry.grant) }
        for (environment, totals) in spent.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            entries += totals.sorted { $0.key < $1.key }.map { .spent($0, total: $1, environment) }
        }
        return entries
    }

    private mutating func set(_ grant: Grant) {
        let old = grants.updateValue(grant, forKey: grant.source)
        let (before, after) = (old.map { amounts(of: $0) } ?? [:], amounts(of: grant))
        if old == nil {
            order.append(grant.source)
            if case .reward(let id, _) = grant.source { rewardCounts[id, default: 0] += 1 }
        }
        for (unlock, amount) in grant.amounts where amount > 0 { counted.insert(unlock) }
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
        (tallies, expiring) = ([:], [])
        for source in order {
            guard let grant = grants[source] else { continue }
            let amounts = amounts(of: grant)
            for unlock in amounts.keys { tallies[unlock, default: Tally()].sources.append(source) }
            count(grant, amounts, 1)
        }
    }

    /// Adds a grant to the sums of its unlocks, or subtracts it.
    private mutating func count(_ grant: Grant, _ amounts: [UnlockID: Int], _ sign: Int) {
        guard counts(grant) else { return }
        for (unlock, amount) in amounts {
            if amount > 0 {
                tallies[unlock]?.amount += sign * amount
            } else if grant.expiration == nil {
                tallies[unlock]?.lasting += sign
            } else if sign > 0 {
                tallies[unlock]?.expiring.insert(grant.source)
                expiring.insert(grant.source)
            } else {
                tallies[unlock]?.expiring.remove(grant.source)
                expiring.remove(grant.source)
            }
        }
    }

    /// The unlocks whose state an entry may change; `nil` is all.
    func unlocks(changedBy entry: JournalEntry) -> Set<UnlockID>? {
        switch entry {
        case .format, .claim, .forgotten, .reached: []
        case .grant(let grant):
            Set(amounts(of: grant).keys).union(grants[grant.source].map { amounts(of: $0) }?.keys.map(\.self) ?? [])
        case .spent(let unlock, _, _): [unlock]
        case .kept, .answer: nil
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

    private func validity(of grant: Grant, at now: Date) -> Validity {
        let answer = answers[environment].flatMap { $0.isFromStore ? $0 : nil }
        return grant.transaction?.validity(after: answer, at: now) ?? .open(until: nil)
    }

    /// Whether a grant hasn't expired.
    func isOpen(_ grant: Grant, at now: Date) -> Bool {
        if case .open = validity(of: grant, at: now) { true } else { false }
    }

    private func expiring(_ tally: Tally) -> [Grant] { tally.expiring.compactMap { grants[$0] } }

    /// The remaining amount of a counted unlock.
    func balance(of unlock: UnlockID) -> Int { max(0, (tallies[unlock]?.amount ?? 0) - spentAmount(of: unlock)) }

    private func spentAmount(of unlock: UnlockID) -> Int { spent[environment]?[unlock] ?? 0 }

    /// The entry that spends an amount of an unlock; `nil` if the remaining amount is too small.
    func spending(_ count: Int, of unlock: UnlockID) -> JournalEntry? {
        guard count > 0, count <= balance(of: unlock) else { return nil }
        return .spent(unlock, total: spentAmount(of: unlock) + count, environment)
    }

    /// Whether a grant opens an unlock at a moment.
    func isOpen(_ unlock: UnlockID, at now: Date) -> Bool {
        guard let tally = tallies[unlock] else { return false }
        return tally.lasting > 0 || balance(of: unlock) > 0 || expiring(tally).contains { isOpen($0, at: now) }
    }

    /// Whether a grant opens an unlock permanently.
    func isOwned(_ unlock: UnlockID) -> Bool { (tallies[unlock]?.lasting ?? 0) > 0 }

    /// Whether a subscription opens an unlock at a moment.
    func isSubscribed(_ unlock: UnlockID, at now: Date) -> Bool {
        tallies[unlock].map(expiring)?.contains { isOpen($0, at: now) } ?? false
    }

    /// The state of the trial with a product; `nil` if it hasn't been taken.
    func trial(of product: ProductID, at now: Date) -> Holdings.Trial? { nil }

    /// Whether a subscription for an unlock has expired, and the store hasn't answered since.
    func hasUnknownEnd(_ unlock: UnlockID, at now: Date) -> Bool {
        tallies[unlock].map(expiring)?.contains { validity(of: $0, at: now) == .unknown } ?? false
    }

    /// The evidence for an unlock at a moment, in the order in which it arrived. A pack that is used up is evidence
    /// too.
    func evidence(for unlock: UnlockID, at now: Date) -> [Evidence] {
        (tallies[unlock]?.sources ?? []).compactMap { source in
            guard let grant = grants[source], counts(grant), isOpen(grant, at: now) else { return nil }
            return source.evidence
        }
    }

    /// The next expiration of a grant after a moment.
    func nextExpiration(after now: Date) -> Date? {
        expiring.compactMap { source in
            guard let grant = grants[source], case .open(let end) = validity(of: grant, at: now) else { return nil }
            return end
        }
        .min()
    }

    /// The next moment at which the state of an unlock may change because time passes.
    func nextExpiration(of unlock: UnlockID, after now: Date) -> Date? {
        (tallies[unlock].map(expiring) ?? []).compactMap { grant in
            if case .open(let end) = validity(of: grant, at: now) { end } else { nil }
        }
        .min()
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
        counts(grant) && isOpen(grant, at: now) && grant.amounts.contains { $1 == 0 || balance(of: $0) > 0 }
    }
}
