import ReferralBridge
import UnlockCatalog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a person has, and what they have used of it: all entries of the journal, the last one of each subject.
struct Ledger {
    private(set) var grants: [Grant.Source: Grant] = [:]
    /// The grants in the order in which they came.
    private(set) var order: [Grant.Source] = []
    private(set) var tallies: [Name: Tally] = [:]
    private var spent: [StoreEnvironment: [Name: Int]] = [:]
    private(set) var reached: Set<Name> = []
    /// The referrals that were claimed and may earn something yet, in the order in which they came.
    private(set) var claims: [Claim] = []
    private var knownClaims: Set<Claim> = []
    /// How often each reward was granted.
    private(set) var rewardCounts: [Name: Int] = [:]
    /// The unlocks that some grant gave an amount of.
    private(set) var counted: Set<Name> = []
    /// The answer to "bought before" that is kept for when the store doesn't answer.
    private(set) var kept: PaidBefore.Kept?
    /// The latest answer in each environment. A list alone never replaces another one.
    private(set) var answers: [StoreEnvironment: StoreAnswer] = [:]
    /// The environment whose purchases, spending and answers count.
    var environment = StoreEnvironment.production {
        didSet { if environment != oldValue { countAgain() } }
    }
    /// The unlocks that each product opens in the present catalog. Who bought one that isn't counted has these too,
    /// beside those that it opened then.
    var additions: [Name: [Name]] = [:] {
        didSet { if additions != oldValue { countAgain() } }
    }
    /// The grants that open something until a date.
    private var expiring: Set<Grant.Source> = []

    /// What the grants of one unlock add up to, so that one more costs as much as the first.
    struct Tally {
        var sources: [Grant.Source] = []
        /// How many open it for good.
        var lasting = 0
        /// How much they gave.
        var amount = 0
        /// Those that open it until a date.
        var expiring: Set<Grant.Source> = []
    }
}

// MARK: - Entries

extension Ledger {
    mutating func apply(_ entry: JournalEntry) {
        switch entry {
        case .format: break
        case .grant(let grant): set(grant)
        case .spent(let unlock, let total, let environment): spent[environment, default: [:]][Name(unlock)] = total
        case .reached(let event): reached.insert(Name(event))
        case .claim(let claim): if knownClaims.insert(claim).inserted { claims.append(claim) }
        case .forgotten(let claim): if knownClaims.remove(claim) != nil { claims.removeAll { $0 == claim } }
        case .kept(let answer): kept = answer
        case .answer(let answer):
            if isNew(answer) { answers[answer.environment] = answer }
        }
    }

    /// How many entries there are at most in ``entries``.
    var entryCount: Int {
        2 + answers.count + reached.count + claims.count + grants.count + spent.values.reduce(0) { $0 + $1.count }
    }

    /// Makes room for grants.
    mutating func reserve(_ count: Int) {
        grants.reserveCapacity(count)
        order.reserveCapacity(count)
    }

    /// The fewest entries that say the same.
    var entries: [JournalEntry] {
        var entries = [JournalEntry.format]
        entries += answers.values.sorted { $0.environment.rawValue < $1.environment.rawValue }.map(JournalEntry.answer)
        if kept != nil { entries.append(.kept(kept)) }
        entries += reached.sorted().map { .reached($0.text) }
        entries += claims.map(JournalEntry.claim)
        entries += order.compactMap { grants[$0].map(JournalEntry.grant) }
        for (environment, totals) in spent.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            entries += totals.sorted { $0.key < $1.key }.map { .spent($0.text, total: $1, environment) }
        }
        return entries
    }

    private mutating func set(_ grant: Grant) {
        let old = grants.updateValue(grant, forKey: grant.source)
        let (before, after) = (old.map { amounts(of: $0) } ?? [:], amounts(of: grant))
        if old == nil {
            order.append(grant.source)
            if case .reward(let id, _) = grant.source { rewardCounts[Name(id), default: 0] += 1 }
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

    /// Adds up again what counts.
    private mutating func countAgain() {
        (tallies, expiring) = ([:], [])
        for source in order {
            guard let grant = grants[source] else { continue }
            let amounts = amounts(of: grant)
            for unlock in amounts.keys { tallies[unlock, default: Tally()].sources.append(source) }
            count(grant, amounts, 1)
        }
    }

    /// Adds what a grant gives to what its unlocks have, or takes it away.
    private mutating func count(_ grant: Grant, _ amounts: [Name: Int], _ sign: Int) {
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
    func unlocks(changedBy entry: JournalEntry) -> Set<Name>? {
        switch entry {
        case .format, .claim, .forgotten, .reached: []
        case .grant(let grant):
            Set(amounts(of: grant).keys).union(grants[grant.source].map { amounts(of: $0) }?.keys.map(\.self) ?? [])
        case .spent(let unlock, _, _): [Name(unlock)]
        case .kept, .answer: nil
        }
    }
}

// MARK: - Questions

extension Ledger {
    subscript(source: Grant.Source) -> Grant? { grants[source] }

    /// Whether a claim is kept.
    func knows(_ claim: Claim) -> Bool { knownClaims.contains(claim) }

    /// The unlocks that some grant is for.
    var unlocks: some Sequence<Name> { tallies.keys }

    /// The number of grants.
    var count: Int { order.count }

    /// The grants in the order in which they came.
    var all: some Sequence<Grant> { all(after: 0) }

    /// The grants that came after the first ones.
    func all(after count: Int) -> some Sequence<Grant> { order.dropFirst(count).lazy.compactMap { grants[$0] } }

    /// Whether a grant belongs to the present environment. Rewards and free items belong to every environment.
    func isPresent(_ grant: Grant) -> Bool { (grant.transaction?.environment ?? environment) == environment }

    /// Whether a grant opens something now, up to its expiration.
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

    /// Whether a grant's time isn't over.
    func isOpen(_ grant: Grant, at now: Date) -> Bool {
        if case .open = validity(of: grant, at: now) { true } else { false }
    }

    private func expiring(_ tally: Tally) -> [Grant] { tally.expiring.compactMap { grants[$0] } }

    /// What is left of an unlock that is counted.
    func balance(of unlock: Name) -> Int { max(0, (tallies[unlock]?.amount ?? 0) - spentAmount(of: unlock)) }

    private func spentAmount(of unlock: Name) -> Int { spent[environment]?[unlock] ?? 0 }

    /// The entry that spends some of an unlock; `nil` if too few are left.
    func spending(_ count: Int, of unlock: Name) -> JournalEntry? {
        guard count > 0, count <= balance(of: unlock) else { return nil }
        return .spent(unlock.text, total: spentAmount(of: unlock) + count, environment)
    }

    /// Whether a grant opens an unlock at a moment.
    func isOpen(_ unlock: Name, at now: Date) -> Bool {
        guard let tally = tallies[unlock] else { return false }
        return tally.lasting > 0 || balance(of: unlock) > 0 || expiring(tally).contains { isOpen($0, at: now) }
    }

    /// Whether a subscription for an unlock has expired, and the store hasn't answered since.
    func hasUnknownEnd(_ unlock: Name, at now: Date) -> Bool {
        tallies[unlock].map(expiring)?.contains { validity(of: $0, at: now) == .unknown } ?? false
    }

    /// What there is for an unlock at a moment, in the order in which it came. A pack that is used up is evidence too.
    func evidence(for unlock: Name, at now: Date) -> [Evidence] {
        (tallies[unlock]?.sources ?? []).compactMap { source in
            guard let grant = grants[source], counts(grant), isOpen(grant, at: now) else { return nil }
            return source.evidence
        }
    }

    /// When the next of the grants ends, after a moment.
    func nextExpiration(after now: Date) -> Date? {
        expiring.compactMap { source in
            guard let grant = grants[source], case .open(let end) = validity(of: grant, at: now) else { return nil }
            return end
        }
        .min()
    }

    /// When the state of an unlock may change next by the passing of time.
    func nextExpiration(of unlock: Name, after now: Date) -> Date? {
        (tallies[unlock].map(expiring) ?? []).compactMap { grant in
            if case .open(let end) = validity(of: grant, at: now) { end } else { nil }
        }
        .min()
    }

    /// The unlocks of all purchases that haven't ended, delivered or not.
    func bought(at now: Date) -> Set<Name> {
        var unlocks: Set<Name> = []
        for grant in grants.values where isPresent(grant) && !grant.isRevoked && isOpen(grant, at: now) {
            if case .purchase = grant.source { unlocks.formUnion(amounts(of: grant).keys) }
        }
        return unlocks
    }

    /// Whether the content of a grant is of use: it opens something that hasn't ended and isn't used up.
    func needsContent(_ grant: Grant, at now: Date) -> Bool {
        counts(grant) && isOpen(grant, at: now) && grant.amounts.contains { $1 == 0 || balance(of: $0) > 0 }
    }
}
