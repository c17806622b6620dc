import ReferralFoundation

/// The products of the catalog, with their prices.
extension ShopState {
    /// Asks for the products of the catalog.
    mutating func askForProducts(_ refresh: Int, _ facts: Facts) {
        let identifiers = facts.assortment.products
        ask(.products(identifiers), of: refresh) { .loadProducts($0, identifiers) }
    }

    mutating func receiveProducts(
        _ result: Result<[StoreProduct], any Error>,
        of identifiers: Set<ProductID>,
        _ number: Int,
        _ refresh: Int?,
        _ facts: Facts
    ) {
        // A later question was for a newer catalog or storefront.
        let isLatest = number >= answeredProducts
        if isLatest, case .success = result { answeredProducts = number }
        switch result {
        case _ where !isLatest: break
        case .success([]) where !identifiers.isEmpty:
            if emptyLists == 0 { perform(.report(.notLoaded(StoreError.noProducts))) }
            isOffline = true
            // StoreKit sometimes lists no products, without an error, although they exist.
            askForProductsLater()
        case .success(let known):
            cancel(.products)
            (emptyLists, isOffline) = (0, false)
            products = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        case .failure(let error):
            isOffline = true
            perform(.report(.notLoaded(error)))
            if emptyLists > 0 { askForProductsLater() }
        }
        guard let refresh, let known = try? result.get() else { return }
        refreshes[refresh]?.hasProducts = !known.isEmpty
        listAgain(refresh, facts)
    }

    private mutating func askForProductsLater() {
        guard !isWaiting(.products) else { return }
        wait(.products, Backoff.seconds(after: emptyLists))
        emptyLists += 1
    }
}
