import ReferralBridge

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
    private(set) var tallies: [String: Tally] = [:]
    private var spent: [StoreEnvironment: [String: Int]] = [:]
    private(set) var reached: Set<String> = []
    /// The referrals that were claimed, the last ones.
    private(set) var claims: [Claim] = []
    private static let maximumClaims = 32
    /// The answer to "bought before" that is kept for when the store doesn't answer.
    private(set) var kept: PaidBefore.Kept?
    /// The latest answer in each environment. A list alone never replaces another one.
    private var answers: [StoreEnvironment: StoreAnswer] = [:]
    /// The environment whose purchases, spent doses and answers count.
    var environment = StoreEnvironment.production {
        didSet { if environment != oldValue { countAgain() } }
    }

    /// What the grants of one unlock add up to, so that one more costs as much as the first.
    struct Tally {
        var sources: [Grant.Source] = []
        /// How many open it for good.
        var lasting = 0
        /// How many doses they gave.
        var doses = 0
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
        case .spent(let unlock, let total, let environment): spent[environment, default: [:]][unlock] = total
        case .reached(let event): reached.insert(event)
        case .claim(let claim):
            claims.removeAll { $0 == claim }
            claims = claims.suffix(Self.maximumClaims - 1) + [claim]
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
        if old == nil { order.append(grant.source) }
        for (unlock, doses) in old?.doses ?? [:] {
            if let old, counts(old) { tallies[unlock]?.count(grant.source, old.expiration, doses, -1) }
            if grant.doses[unlock] == nil { tallies[unlock]?.sources.removeAll { $0 == grant.source } }
        }
        for (unlock, doses) in grant.doses {
            if old?.doses[unlock] == nil { tallies[unlock, default: Tally()].sources.append(grant.source) }
            if counts(grant) { tallies[unlock]?.count(grant.source, grant.expiration, doses, 1) }
        }
    }

    /// Adds up again what counts, after the environment has changed.
    private mutating func countAgain() {
        tallies = tallies.mapValues { Tally(sources: $0.sources) }
        for grant in grants.values where counts(grant) {
            for (unlock, doses) in grant.doses { tallies[unlock]?.count(grant.source, grant.expiration, doses, 1) }
        }
    }
}

private extension Ledger.Tally {
    mutating func count(_ source: Grant.Source, _ expiration: Date?, _ doses: Int, _ sign: Int) {
        if doses > 0 {
            self.doses += sign * doses
        } else if expiration == nil {
            lasting += sign
        } else if sign > 0 {
            expiring.insert(source)
        } else {
            expiring.remove(source)
        }
    }
}

// MARK: - Questions

extension Ledger {
    subscript(source: Grant.Source) -> Grant? { grants[source] }

    /// The unlocks that some grant is for.
    var unlocks: some Sequence<String> { tallies.keys }

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
    func isNew(_ answer: StoreAnswer) -> Bool { answer.isFromStore || answers[answer.environment] == nil }

    /// The latest answer with a subscription that arrived after it; `nil` if that makes no difference.
    func answer(with transaction: StoreTransaction) -> StoreAnswer? { answers[environment]?.adding(transaction) }

    private func validity(of grant: Grant, at now: Date) -> Validity {
        let answer = answers[environment].flatMap { $0.isFromStore ? $0 : nil }
        return grant.transaction?.validity(after: answer, at: now) ?? .open(until: nil)
    }

    private func isOpen(_ grant: Grant, at now: Date) -> Bool {
        if case .open = validity(of: grant, at: now) { true } else { false }
    }

    private func expiring(_ tally: Tally) -> [Grant] { tally.expiring.compactMap { grants[$0] } }

    /// The doses that are left of an unlock.
    func doses(of unlock: String) -> Int { max(0, (tallies[unlock]?.doses ?? 0) - spentDoses(of: unlock)) }

    private func spentDoses(of unlock: String) -> Int { spent[environment]?[unlock] ?? 0 }

    /// The entry that spends some doses of an unlock; `nil` if too few are left.
    func spending(_ count: Int, of unlock: String) -> JournalEntry? {
        guard count > 0, count <= doses(of: unlock) else { return nil }
        return .spent(unlock, total: spentDoses(of: unlock) + count, environment)
    }

    /// Whether a grant opens an unlock at a moment.
    func isOpen(_ unlock: String, at now: Date) -> Bool {
        guard let tally = tallies[unlock] else { return false }
        return tally.lasting > 0 || doses(of: unlock) > 0 || expiring(tally).contains { isOpen($0, at: now) }
    }

    /// Whether a subscription for an unlock has expired, and the store hasn't answered since.
    func hasUnknownEnd(_ unlock: String, at now: Date) -> Bool {
        tallies[unlock].map(expiring)?.contains { validity(of: $0, at: now) == .unknown } ?? false
    }

    /// What there is for an unlock at a moment, in the order in which it came. A pack that is used up is evidence too.
    func evidence(for unlock: String, at now: Date) -> [Evidence] {
        (tallies[unlock]?.sources ?? []).compactMap { source in
            guard let grant = grants[source], counts(grant), isOpen(grant, at: now) else { return nil }
            return source.evidence
        }
    }

    /// When the next of the grants ends, after a moment.
    func nextExpiration(after now: Date) -> Date? {
        tallies.values.flatMap(expiring).compactMap { grant in
            if case .open(let end) = validity(of: grant, at: now) { end } else { nil }
        }
        .min()
    }

    /// The unlocks of all purchases that haven't ended, delivered or not.
    func bought(at now: Date) -> Set<String> {
        var unlocks: Set<String> = []
        for grant in grants.values where isPresent(grant) && !grant.isRevoked && isOpen(grant, at: now) {
            if case .purchase = grant.source { unlocks.formUnion(grant.doses.keys) }
        }
        return unlocks
    }
}

// MARK: - The store's statements

extension Ledger {
    /// What a statement of the store changes.
    enum Change: Equatable {
        case grant(Grant)
        case nothing
        /// The catalogue doesn't know the product.
        case unknownProduct
        /// The product is a subscription that doesn't renew by itself, and the catalogue doesn't define its length.
        case unknownLength
    }

    /// Judges a verified statement.
    ///
    /// If two statements are about the same transaction, the one signed later counts. If that can't be determined, a
    /// revocation counts.
    func change(for transaction: StoreTransaction, in catalogue: Catalogue) -> Change {
        let source = Grant.Source.purchase(transaction.id)
        let transaction = transaction.rounded
        guard var grant = grants[source] else {
            if transaction.isRevoked {
                return .grant(Grant(source: source, transaction: transaction, doses: [:], stage: .recorded))
            }
            return newGrant(source, transaction, catalogue)
        }
        guard let old = grant.transaction, old != transaction else { return .nothing }
        let isNewer = transaction.isSigned(after: old)
        switch (old.isRevoked, transaction.isRevoked) {
        case (false, true):
            guard !old.isSigned(after: transaction) else { return .nothing }
            grant.transaction = transaction
            return .grant(grant)
        case (true, false):
            // The refund is taken back. What was in the catalogue when it was recorded counts, if it ever was.
            guard isNewer else { return .nothing }
            guard !grant.doses.isEmpty else { return newGrant(source, transaction, catalogue) }
            grant.transaction = transaction
            grant.stage = .recorded
            return .grant(grant)
        case (true, true), (false, false):
            // Without dates, the time of a subscription is never cut.
            let isLonger = transaction.expirationDate ?? .distantPast > old.expirationDate ?? .distantFuture
            guard isNewer || (isLonger && !old.isSigned(after: transaction)) else { return .nothing }
            grant.transaction = transaction
            return .grant(grant)
        }
    }

    /// Whether a statement changes nothing any more, or can't yet be recorded because the catalogue lacks its product.
    func isRecorded(_ transaction: StoreTransaction, in catalogue: Catalogue) -> Bool {
        if case .grant = change(for: transaction, in: catalogue) { false } else { true }
    }

    private func newGrant(_ source: Grant.Source, _ transaction: StoreTransaction, _ catalogue: Catalogue) -> Change {
        guard let item = catalogue.items.first(where: { $0.product == transaction.product }) else {
            return .unknownProduct
        }
        guard transaction.productKind != .nonRenewing else { return .unknownLength }
        // The store sells at most 10 at once.
        let quantity = max(1, min(transaction.quantity, 1_000))
        let doses = item.doses(times: quantity)
        return .grant(Grant(source: source, transaction: transaction, item: item.id, doses: doses, stage: .recorded))
    }
}

extension CatalogueItem {
    /// The unlocks that it opens, and how many doses of each it gives; 0 opens it for good.
    func doses(times quantity: Int = 1) -> [String: Int] {
        let doses = if case .consumable(let doses) = kind { doses * quantity } else { 0 }
        return Dictionary(grants.map { ($0, doses) }, uniquingKeysWith: { first, _ in first })
    }
}

private extension StoreTransaction {
    func isSigned(after other: StoreTransaction) -> Bool {
        guard let signedDate, let other = other.signedDate else { return false }
        return signedDate > other
    }

    /// With its dates as the journal writes them, so that they are equal to those that are read back.
    var rounded: StoreTransaction {
        var transaction = self
        transaction.purchaseDate = purchaseDate.map { Timestamp($0).date }
        transaction.signedDate = signedDate.map { Timestamp($0).date }
        transaction.expirationDate = expirationDate.map { Timestamp($0).date }
        return transaction
    }
}
