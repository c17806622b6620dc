import ReferralFoundation

extension Ledger {
    /// Why a statement of the store can't be recorded yet.
    private struct NotYet: Error { let problem: UnlocksProblem }

    /// The changes that several statements of the store make.
    struct Changes {
        /// The changed grants, in order, and their entries.
        var grants: [Grant] = []
        var entries: [JournalEntry] = []
        /// The statements that can't be recorded yet, with the reasons.
        var later: [(StoreTransaction, UnlocksProblem)] = []
        /// The products of purchases that are new.
        var bought: Set<ProductID> = []
    }

    /// Whether a purchase isn't recorded yet.
    func isNewPurchase(_ transaction: StoreTransaction) -> Bool {
        !transaction.isRevoked && self[.purchase(Name(transaction.id))] == nil
    }

    /// Whether this statement is recorded, or one that it doesn't replace.
    func isKnown(_ transaction: StoreTransaction) -> Bool {
        guard let old = self[.purchase(Name(transaction.id))]?.transaction else { return false }
        return !transaction.recorded.replaces(old)
    }

    /// Judges verified statements, one after the other.
    ///
    /// - Parameters:
    ///   - transactions: The statements.
    ///   - catalog: The current catalog.
    ///   - clock: The device's clock.
    /// - Returns: The changes.
    func changes(for transactions: [StoreTransaction], in catalog: ShopCatalog, at clock: Date) -> Changes {
        var changes = Changes()
        let signed = transactions.filter { ($0.environment ?? environment) == environment }.compactMap(\.signedDate)
            .max()
        changes.entries = signed.map { moments(signed: $0, at: clock) } ?? []
        // A transaction without a date is recorded at the corrected moment.
        var corrected = self
        corrected.apply(changes.entries)
        let now = corrected.now(at: clock)
        var changed: [Grant.Source: Grant] = [:]
        for transaction in transactions {
            let source = Grant.Source.purchase(Name(transaction.id))
            let old = changed[source] ?? self[source]
            // Without one, it belongs to the environment in which it was recorded.
            var placed = transaction
            placed.environment = transaction.environment ?? old?.transaction?.environment ?? environment
            do throws(NotYet) {
                guard let grant = try Self.change(of: old, for: placed, in: catalog, at: now) else { continue }
                if old == nil, !grant.isRevoked { changes.bought.insert(transaction.productID) }
                changed[source] = grant
                changes.grants.append(grant)
                changes.entries.append(.grant(grant))
            } catch { changes.later.append((transaction, error.problem)) }
        }
        return changes
    }

    /// Judges a verified statement, and returns the grant if it changes.
    private static func change(
        of grant: Grant?,
        for transaction: StoreTransaction,
        in catalog: ShopCatalog,
        at now: Date
    ) throws(NotYet) -> Grant? {
        let source = Grant.Source.purchase(Name(transaction.id))
        let transaction = transaction.recorded
        guard var grant else {
            if transaction.isRevoked {
                return Grant(source: source, transaction: transaction, amounts: [:], stage: .recorded)
            }
            return try newGrant(source, transaction, catalog, now)
        }
        guard let old = grant.transaction, old != transaction, transaction.replaces(old) else { return nil }
        if old.isRevoked, !transaction.isRevoked {
            // The refund was reversed. The unlocks that were recorded count, if there were any.
            guard !grant.amounts.isEmpty else { return try newGrant(source, transaction, catalog, now) }
            grant.stage = .recorded
        }
        grant.transaction = transaction
        grant.isWithheld = nil
        return grant
    }

    private static func newGrant(
        _ source: Grant.Source,
        _ transaction: StoreTransaction,
        _ catalog: ShopCatalog,
        _ now: Date
    ) throws(NotYet) -> Grant {
        guard let item = catalog.item(selling: transaction.productID) else {
            throw NotYet(problem: .unknownProduct(transaction))
        }
        if transaction.productKind == .nonRenewing, !item.kind.isNonRenewing {
            throw NotYet(problem: .unknownLength(transaction))
        }
        let quantity = max(1, min(transaction.quantity, Grant.maximumQuantity))
        // The store knows how long a subscription lasts that renews by itself.
        let term = transaction.productKind == .subscription ? nil : item.kind.term(times: quantity)
        return Grant(
            source: source,
            transaction: transaction,
            item: item.id,
            amounts: item.amounts(times: quantity),
            term: term,
            recorded: term != nil && transaction.purchaseDate == nil ? now : nil,
            stage: .recorded
        )
    }
}

extension CatalogItem {
    /// The unlocks that it opens, and the amount of each; 0 opens the unlock permanently.
    func amounts(times quantity: Int = 1) -> [UnlockID: Int] {
        let amount = if case .consumable(let amount) = kind { amount * quantity } else { 0 }
        return Dictionary(grants.map { ($0, amount) }, uniquingKeysWith: { first, _ in first })
    }
}

extension CatalogItem.Kind {
    /// Whether it opens its unlocks for a number of days after the purchases before it.
    var isNonRenewing: Bool { if case .nonRenewing = self { true } else { false } }

    fileprivate func term(times quantity: Int) -> Grant.Term? {
        switch self {
        case .nonRenewing(let days): .pass(days: days * quantity)
        case .trial(let days): .trial(days: days)
        default: nil
        }
    }
}

extension StoreTransaction {
    /// Whether this statement counts instead of an earlier one about the same transaction.
    ///
    /// The one signed later counts. If that can't be determined, a revocation counts.
    func replaces(_ old: StoreTransaction) -> Bool {
        let isNewer = isSigned(after: old)
        switch (old.isRevoked, isRevoked) {
        case (false, true): return !old.isSigned(after: self)
        case (true, false): return isNewer
        case (true, true), (false, false):
            // Without dates, a subscription is never shortened.
            let isLonger = expirationDate ?? .distantPast > old.expirationDate ?? .distantFuture
            return isNewer || (isLonger && !old.isSigned(after: self))
        }
    }

    private func isSigned(after other: StoreTransaction) -> Bool {
        guard let signedDate, let other = other.signedDate else { return false }
        return signedDate > other
    }
}

private extension StoreTransaction {
    /// The transaction as in the journal: without the signed text, which is longer than all else.
    var recorded: StoreTransaction {
        var transaction = self
        transaction.signedText = nil
        if originalPurchaseDate == purchaseDate { transaction.originalPurchaseDate = nil }
        return transaction
    }
}
