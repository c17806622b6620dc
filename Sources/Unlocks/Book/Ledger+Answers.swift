import ReferralFoundation

extension Ledger {
    /// What a list of the store says about the user's purchases, whatever else has happened since it was asked for.
    ///
    /// - Parameters:
    ///   - listed: The transactions of this app in the list, once they are recorded.
    ///   - listing: The list.
    ///   - catalog: The current catalog.
    /// - Returns: The answer; `nil` if the list says nothing: it has none of the environment's transactions and may come from
    ///   StoreKit's cache, or one of them isn't recorded.
    func answer(
        listing listed: [StoreTransaction],
        for listing: ShopState.Listing,
        in catalog: ShopCatalog
    ) -> StoreAnswer? {
        let listed = listed.filter { ($0.environment ?? environment) == environment }
        guard listing.isFromStore || !listed.isEmpty else { return nil }
        // A listed purchase that couldn't be written yet would look as if it were missing, and its unlocks would be locked.
        guard changes(for: listed, in: catalog, at: seen).grants.isEmpty else { return nil }
        // While a subscription is listed that can't be verified, it isn't known whether others have ended.
        let isUnverified = listing.statements.contains {
            if case .unverified(let transaction, _) = $0 { transaction.expirationDate != nil } else { false }
        }
        return StoreAnswer(
            environment: environment,
            date: listing.date,
            isFromStore: listing.isFromStore && !isUnverified,
            subscriptions: subscriptions(in: listed)
        )
    }

    /// The subscriptions in a list of the store. While a period opens nothing, since the catalog doesn't have it or its content
    /// isn't delivered, the earlier periods of the same subscription are among them, so that they stay open.
    private func subscriptions(in listed: [StoreTransaction]) -> Set<Name> {
        let listed = listed.filter { $0.expirationDate != nil }
        let waiting = listed.filter { self[.purchase(Name($0.id))]?.isGranted != true }
        let originals = Set(waiting.compactMap(\.originalID).map { Name($0) })
        let earlier = all.filter(\.isGranted).compactMap(\.transaction).filter {
            $0.expirationDate != nil && originals.contains(Name($0.originalID ?? $0.id))
        }
        return Set((listed + earlier).map { Name($0.id) })
    }
}
