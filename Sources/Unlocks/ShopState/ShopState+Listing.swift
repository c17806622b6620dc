import ReferralFoundation

/// Lists of the user's purchases: asking for one, recording what it has, and what it says as an answer.
extension ShopState {
    /// What the store lists, and what follows it.
    struct Listing: Sendable, Equatable {
        let number: Int
        /// Whether products or an app transaction had arrived before. A list from before may come from StoreKit's cache.
        let isFromStore: Bool
        /// Whether the history was read before.
        var isWhole = false
        /// When the list was asked for, as purchases are judged.
        var date = Date.distantPast
        var statements: [StoreStatement] = []
    }

    /// Asks for a list of the user's purchases, after their history.
    ///
    /// Developers report that the updates lack refunds while the app isn't running, and the list a renewal at times. Of several
    /// purchases for some days, it may have only the latest one. A history that doesn't come is done without.
    mutating func list(_ refresh: Int, isFromStore: Bool) {
        lastListing += 1
        let listing = Listing(number: lastListing, isFromStore: isFromStore)
        wait(.answer(ask(.history(listing), of: refresh) { .listHistory($0) }), Self.answerLimit)
    }

    /// Asks for the list again once the store was reached.
    mutating func listAgain(_ refresh: Int, _ facts: Facts) {
        guard facts.closed == nil, let asked = refreshes[refresh], asked.isReached,
            asked.listedAgain != facts.ledger.environment, asked.asksForPurchases || answeredListing < lastListing
        else { return }
        refreshes[refresh]?.listedAgain = facts.ledger.environment
        list(refresh, isFromStore: true)
    }

    /// Records of the history what the user has, what they had before, and what is sold for some days.
    mutating func recordHistory(
        _ statements: [StoreStatement],
        _ listing: Listing,
        _ refresh: Int?,
        _ facts: Facts
    ) {
        let needed = statements.filter { statement in
            guard case .verified(let transaction) = statement else { return false }
            let isOver =
                transaction.expirationDate.map { $0 <= facts.now } ?? (transaction.productKind == .subscription)
            return facts.ledger[.purchase(Name(transaction.id))] != nil
                || !(transaction.isRevoked || transaction.productKind == .consumable || isOver)
                || facts.catalog.item(selling: transaction.productID)?.kind.isNonRenewing ?? false
        }
        var listing = listing
        listing.isWhole = true
        record(needed, .history(listing), refresh, facts)
    }

    mutating func askForEntitlements(_ listing: Listing, _ refresh: Int?, _ facts: Facts) {
        var listing = listing
        listing.date = facts.now
        ask(.entitlements(listing), of: refresh) { .listEntitlements($0) }
    }

    /// Uses a list, if it is an answer. On a full disk, it counts until the app ends.
    mutating func conclude(_ listing: Listing, _ refresh: Int?, _ facts: Facts) {
        if let refresh {
            let unverified = listing.statements.last { if case .unverified = $0 { true } else { false } }
            let reason: (any Error)? = unverified.flatMap(problem).map(UnlocksError.notVerified)
            refreshes[refresh]?.failure = (reason ?? (listing.isWhole ? nil : StoreError.unreachable)).map(Failure.init)
        }
        let transactions = listing.statements.filter { problem(with: $0) == nil }.map(\.transaction)
        // The answer to a later question is newer. A list that may come from StoreKit's cache doesn't replace a late answer.
        guard listing.number >= answeredListing,
            let answer = facts.ledger.answer(listing: transactions, for: listing, in: facts.catalog)
        else { return }
        if listing.isFromStore { answeredListing = listing.number }
        if facts.ledger.isNew(answer) { note([.answer(answer)]) }
    }
}
