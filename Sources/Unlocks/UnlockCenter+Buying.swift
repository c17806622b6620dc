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
            try await take(offer.item)
            return .bought
        case .forSale, .otherPlan, .waiting: break
        case .unavailable(.unknownProduct) where products == nil: break
        default: throw UnlocksError.notForSale(offer.state)
        }
        guard let product = offer.item.productID else { throw UnlocksError.notForSale(offer.state) }
        observers.willChange()
        arrivals.purchasing.insert(product)
        defer {
            observers.willChange()
            arrivals.purchasing.remove(product)
            // The sheet may have changed more than this purchase, such as the account.
            Task { [weak self] in await self?.askStore() }
        }
        if let purchase = try await purchase(product, in: place) { return purchase }
        if offer.item.kind == .subscription { return .scheduled }
        // The store repeats a pack that it hasn't finished.
        await finish()
        guard let purchase = try await purchase(product, in: place) else { throw UnlocksError.repeatedPurchase }
        return purchase
    }

    /// Asks the store to sell a product.
    ///
    /// - Returns: The result; `nil` if the store answers with an earlier purchase or another product's, so that nothing was bought.
    private func purchase(_ product: ProductID, in place: PurchasePlace?) async throws -> Purchase? {
        let count = book.ledger.count
        switch try await store.purchase(product, in: place) {
        case .cancelled: return .cancelled
        case .pending:
            observers.willChange()
            pendingProducts.insert(product)
            return .waiting
        case .purchased(let statement):
            finishSoon(of: await receive([statement]))
            if let problem = arrivals.problem(with: statement) { throw UnlocksError(problem) }
            let source = Grant.Source.purchase(Name(statement.transaction.id))
            // An update may have reported the purchase while the user was asked.
            let isNew = book.ledger[source] == nil || book.ledger.all(after: count).contains { $0.source == source }
            return isNew && statement.transaction.productID == product ? .bought : nil
        }
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

    private func take(_ item: CatalogItem) async throws(UnlocksError) {
        let source = Grant.Source.free(item.id)
        let grant = Grant(
            source: source,
            item: item.id,
            amounts: item.amounts(),
            hasFiles: !item.files.isEmpty,
            stage: .recorded
        )
        let isHad = try await book.change { ledger throws(UnlocksError) in
            let old = ledger[source]
            return (old == nil ? [.grant(grant)] : [], old?.isDue == false)
        }
        if isHad { throw .notForSale(.owned) }
        deliveries.follow([grant])
    }

    /// Deletes all content, and delivers it again. Open unlocks stay open.
    ///
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. Call it again to continue.
    public func reset() async throws(UnlocksError) { try await deliveries.reset { _ in true } }

    /// Deletes the content of an item, and delivers it again. Its unlocks stay open.
    ///
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. Call it again to continue.
    public func deliverAgain(_ item: ItemID) async throws(UnlocksError) {
        try await deliveries.reset { (deliveries.item(of: $0)?.id ?? $0.item) == item }
    }
}

private extension UnlocksError {
    /// The error of a purchase that has a problem.
    init(_ problem: UnlocksProblem) {
        switch problem {
        case .notVerified(_, let reason): self = .notVerified(reason)
        case .otherApp: self = .notVerified("It belongs to another app.")
        default: self = .notVerified("It is incomplete.")
        }
    }
}
