import ReferralFoundation

/// A question to the store for all of the user's purchases.
struct PurchaseQuestion: Sendable, Equatable {
    let number: Int
    /// When it was asked, as purchases are judged.
    let date: Date
    /// What the device's clock showed.
    let clock: Date
    /// The number of grants then: later ones have a higher index.
    let grantCount: Int
    /// Whether products or an app transaction had arrived before. A list from before may come from StoreKit's cache.
    let isFromStore: Bool
}

extension Ledger {
    /// What a list of the store says about the user's purchases, whatever else has happened since it was asked for.
    ///
    /// - Parameters:
    ///   - question: The question that it answers.
    ///   - listed: The transactions of this app in the list, once they are recorded.
    ///   - unverified: The transactions in the list that can't be verified.
    ///   - catalog: The current catalog.
    /// - Returns: The answer; `nil` if the list says nothing: it has none of the environment's transactions and may come from
    ///   StoreKit's cache, or one of them isn't recorded.
    func answer(
        to question: PurchaseQuestion,
        listing listed: [StoreTransaction],
        unverified: [StoreTransaction],
        in catalog: ShopCatalog
    ) -> StoreAnswer? {
        let listed = listed.filter { ($0.environment ?? environment) == environment }
        guard question.isFromStore || !listed.isEmpty else { return nil }
        // A listed purchase that couldn't be written yet would look as if it were missing, and its unlocks would be locked.
        guard listed.allSatisfy({ isRecorded($0, in: catalog) }) else { return nil }
        // While a subscription is listed that can't be verified, it isn't known whether others have ended.
        let isWhole = unverified.allSatisfy { $0.expirationDate == nil }
        var answer = StoreAnswer(
            environment: environment,
            date: question.date,
            clock: question.clock,
            isFromStore: question.isFromStore && isWhole,
            subscriptions: subscriptions(in: listed)
        )
        // The list may be older than purchases that were made since the store was asked.
        for grant in all(after: question.grantCount) {
            guard let transaction = grant.transaction else { continue }
            answer = answer.adding(transaction, signed: signed[environment]) ?? answer
        }
        return answer
    }

    /// The subscriptions in a list of the store. While a period opens nothing, since the catalog doesn't have it or its content
    /// isn't delivered, the earlier periods of the same subscription are among them, so that they stay open.
    private func subscriptions(in listed: [StoreTransaction]) -> Set<Name> {
        let listed = listed.filter { $0.expirationDate != nil && !$0.endsWithSignature }
        let waiting = listed.filter { grants[.purchase(Name($0.id))]?.isGranted != true }
        let originals = Set(waiting.compactMap(\.originalID).map { Name($0) })
        let earlier =
            originals.isEmpty
            ? []
            : grants.values.filter(\.isGranted).compactMap(\.transaction).filter {
                $0.expirationDate != nil && originals.contains(Name($0.originalID ?? $0.id))
            }
        return Set((listed + earlier).map { Name($0.id) })
    }

    /// Whether a statement changes nothing, or can't be recorded yet because its product isn't in the catalog.
    private func isRecorded(_ transaction: StoreTransaction, in catalog: ShopCatalog) -> Bool {
        let grant = grants[.purchase(Name(transaction.id))]
        return if case .grant = Self.change(of: grant, for: transaction, in: catalog, at: seen) { false } else { true }
    }
}
