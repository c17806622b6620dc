import ReferralFoundation

/// Lists of the user's purchases: asking for one, recording what it has, and what it says as an answer.
extension StoreState {
    /// A question for all purchases.
    struct Listing: Sendable, Equatable {
        let refresh: Int
        let question: PurchaseQuestion
    }

    mutating func list(_ refresh: Int, isFromStore: Bool, _ facts: Facts) {
        lastListing += 1
        let question = PurchaseQuestion(
            number: lastListing,
            date: facts.now,
            clock: facts.clock,
            grantCount: facts.ledger.count,
            isFromStore: isFromStore
        )
        let listing = Listing(refresh: refresh, question: question)
        begin(.purchases(lastListing), of: refresh, .entitlements(listing)) { .listEntitlements($0) }
    }

    /// Asks for the list again once the store was reached.
    mutating func listAgain(_ refresh: Int, _ facts: Facts) {
        guard let asked = refreshes[refresh], asked.listsAgain, asked.isReached,
            asked.listedAgain != facts.ledger.environment
        else { return }
        refreshes[refresh]?.listedAgain = facts.ledger.environment
        list(refresh, isFromStore: true, facts)
    }

    mutating func recordedEntitlements(_ statements: [StoreStatement], _ listing: Listing, _ facts: Facts) {
        // Developers report that the updates lack refunds while the app isn't running, so the store is asked about the purchases
        // that it doesn't list, and that for some users the list is empty although they have purchases.
        let missing = missing(statements, listing, facts)
        let isRestored = if case .restore? = refreshes[listing.refresh]?.waiter { true } else { false }
        guard statements.isEmpty || facts.assortment.hasPasses || isRestored || !missing.isEmpty else {
            return conclude(listing, statements, isLast: true, facts)
        }
        let number = ask(.history(listing, statements)) { .listHistory($0) }
        // Without the history, the list alone is the answer, unless this would lock an open unlock: only subscriptions are locked
        // because they aren't listed.
        let locks = missing.contains {
            $0.transaction?.expirationDate != nil && facts.ledger.isOpen($0, at: facts.now)
        }
        if !locks { wait(.answer(number), Self.answerLimit) }
    }

    private func names(in statements: [StoreStatement]) -> Set<Name> {
        Set(statements.filter { problem(with: $0) == nil }.map { Name($0.transaction.id) })
    }

    /// The purchases that the list lacks: those that haven't ended, as far as is known, and ended subscriptions of which it has
    /// neither another period nor another plan, since they may have been renewed.
    private func missing(_ statements: [StoreStatement], _ listing: Listing, _ facts: Facts) -> [Grant] {
        let names = names(in: statements)
        let transactions = statements.map(\.transaction)
        let (products, firsts) = (Set(transactions.map(\.productID)), Set(transactions.map(\.firstName)))
        return facts.ledger.grants.values.filter { grant in
            guard case .purchase(let name) = grant.source, !names.contains(name), facts.ledger.isPresent(grant) else {
                return false
            }
            guard let transaction = grant.transaction, facts.ledger.hasEnded(grant, at: facts.now) else { return true }
            return listing.question.isFromStore && transaction.expirationDate != nil && !transaction.isRevoked
                && !products.contains(transaction.productID) && !firsts.contains(transaction.firstName)
        }
    }

    mutating func recordHistory(
        _ history: [StoreStatement],
        after listed: [StoreStatement],
        _ listing: Listing,
        _ facts: Facts
    ) {
        let names = names(in: listed)
        let isSold = { (product: ProductID) in facts.catalog.item(selling: product)?.kind.isNonRenewing ?? false }
        // Of several purchases for some days, the store may list only the latest one. Developers report that the list lacks a
        // renewal at times.
        let needed = history.filter {
            facts.ledger.grants.keys.contains(.purchase(Name($0.transaction.id))) || isSold($0.transaction.productID)
                || $0.transaction.isEntitlement(at: facts.now)
        }
        let missing = history.filter {
            $0.transaction.isEntitlement(at: facts.now) && !names.contains(Name($0.transaction.id))
        }
        record(needed, .history(listing, listed + missing), facts)
    }

    /// Uses a list, if it is an answer.
    mutating func conclude(_ listing: Listing, _ listed: [StoreStatement], isLast: Bool, _ facts: Facts) {
        if isLast {
            refreshes[listing.refresh]?.isWhole = true
            let reasons = listed.compactMap { if case .unverified(_, let reason) = $0 { reason } else { nil } }
            // The list that was asked for again replaces the first one.
            if listing.question.isFromStore || !reasons.isEmpty {
                refreshes[listing.refresh]?.unverified = reasons.last
            }
        }
        let unverified = listed.filter { if case .unverified = $0 { true } else { false } }
        // The answer to a later question is newer.
        let isLatest = listing.question.number >= answeredListing
        let answer =
            isLatest
            ? facts.ledger.answer(
                to: listing.question,
                listing: listed.filter { problem(with: $0) == nil }.map(\.transaction),
                unverified: unverified.map(\.transaction),
                in: facts.catalog
            ) : nil
        guard let answer else {
            if isLast { end(.purchases(listing.question.number), of: listing.refresh, facts) }
            return
        }
        // A list that may come from StoreKit's cache doesn't replace a late answer.
        if listing.question.isFromStore { answeredListing = listing.question.number }
        ask(.saveAnswer(listing, answer, isLast: isLast)) { .saveAnswer($0, answer) }
    }

    /// On a full disk, an answer counts until the app ends.
    mutating func savedAnswer(
        _ answer: StoreAnswer,
        _ listing: Listing,
        isLast: Bool,
        _ failure: UnlocksError?,
        _ facts: Facts
    ) {
        if let failure {
            perform(.report(.notSaved(failure)))
            perform(.count(answer))
        }
        if isLast { end(.purchases(listing.question.number), of: listing.refresh, facts) }
    }
}

private extension StoreTransaction {
    /// The identifier of a subscription's first transaction, which its renewals and other plans of its group have too.
    var firstName: Name { Name(originalID ?? id) }

    /// Whether the user has something from it, as far as it says itself.
    func isEntitlement(at now: Date) -> Bool {
        !isRevoked && productKind != .consumable && expirationDate.map { $0 > now } ?? (productKind != .subscription)
    }
}
