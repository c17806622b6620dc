extension UnlockCenter {
    /// The result of a purchase attempt.
    public enum Purchase: Sendable, Hashable {
        /// The item was bought, and is being delivered. Observe ``UnlockCenter/state(of:)`` to learn when it is open.
        case bought
        /// The subscription changes to this plan when the present one's period ends, and nothing changes until then. The store
        /// answers a change to a smaller plan with the present plan's transaction.
        case scheduled
        /// Somebody must approve the purchase first.
        case waiting
        /// The user canceled the purchase.
        case cancelled
    }

    /// Buys an item of the catalog, or gets a free one.
    ///
    /// - Parameters:
    ///   - item: The item's name in the catalog.
    ///   - place: Where the user has tapped, so that the system's question appears there; `nil` is the view in front.
    /// - Returns: The result.
    /// - Throws: ``UnlocksError``, or the store's error. A free pack is had once: after that, the error is
    ///   ``UnlocksError/notForSale(_:)`` with ``ShopOffer/State/owned``.
    public func buy(_ item: ItemID, in place: PurchasePlace? = nil) async throws -> Purchase {
        guard let offer = offers.first(where: { $0.item.id == item }) else { throw UnlocksError.unknownItem(item) }
        switch offer.state {
        case .free:
            try await grantFree(offer.item)
            return .bought
        case .forSale, .otherPlan, .waiting: break
        case .unavailable(.unknownProduct) where products == nil: break
        default: throw UnlocksError.notForSale(offer.state)
        }
        guard let product = offer.item.productID else { throw UnlocksError.notForSale(offer.state) }
        let isSubscription = offer.item.kind == .subscription
        let reply = await ask {
            places[$0] = place
            return .buyAsked(call: $0, product, isSubscription: isSubscription)
        }
        guard case .purchase(let result) = reply else { return .cancelled }
        return try result.get()
    }

    /// Buys a product that the user chose outside of the app, unless the app defers it.
    func buyPromoted(_ product: ProductID) async {
        guard let item = catalog.item(selling: product) else {
            onProblem?(.notBought(productID: product, StoreError.noSuchProduct(product)))
            return
        }
        guard onPurchaseIntent?(item) ?? true else { return }
        // At the first launch, the store hasn't answered yet.
        if case .checking = offers.first(where: { $0.item.id == item.id })?.state { await refresh() }
        do {
            _ = try await buy(item.id)
        } catch {
            onProblem?(.notBought(productID: product, error))
        }
    }

    private func grantFree(_ item: CatalogItem) async throws(UnlocksError) {
        let source = Grant.Source.free(item.id)
        let grant = Grant(source: source, item: item.id, amounts: item.amounts(), stage: .recorded)
        let isHad = try await book.change { ledger throws(UnlocksError) in
            let old = ledger[source]
            return (old == nil ? [.grant(grant)] : [], old?.isDue == false)
        }
        if isHad { throw .notForSale(.owned) }
        send(.granted([source]))
    }
}
