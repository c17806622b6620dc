extension Unlocks {
    /// The result of a purchase attempt.
    public enum Purchase: Sendable, Hashable {
        /// The item was bought, and is being delivered. ``Unlocks/Unlocks/state(of:)`` shows when it is open.
        case bought
        /// Somebody must approve it first.
        case waiting
        /// The user canceled the purchase.
        case cancelled
    }

    /// Buys an item of the catalogue, or takes a free one.
    ///
    /// - Parameter item: The item's name in the catalogue.
    /// - Returns: The result.
    /// - Throws: ``UnlocksError``, or the store's error.
    public func buy(_ item: String) async throws -> Purchase {
        guard let offer = offers.first(where: { $0.item.id == item }) else { throw UnlocksError.unknownItem(item) }
        switch offer.state {
        case .free:
            try take(offer.item)
            return .bought
        case .forSale, .waiting: break
        case .unavailable where products == nil: break
        default: throw UnlocksError.notForSale(offer.state)
        }
        guard let product = offer.item.product else { throw UnlocksError.notForSale(offer.state) }
        // The sheet may have changed more than this purchase, such as the account.
        defer { Task { [weak self] in await self?.askStore() } }
        switch try await store.purchase(product) {
        case .cancelled: return .cancelled
        case .pending:
            willChange.send()
            waiting.insert(product)
            return .waiting
        case .purchased(let statement):
            receive(statement)
            await finish(statement.transaction.id)
            if case .unverified(_, let reason) = statement { throw UnlocksError.notVerified(reason) }
            return .bought
        }
    }

    /// Buys a product that the user chose outside of the app, unless the app defers it.
    func buyPromoted(_ product: String) async {
        guard let item = catalogue.items.first(where: { $0.product == product }) else {
            onProblem?(.notBought(product: product, StoreError.noSuchProduct(product)))
            return
        }
        guard onPurchaseIntent?(item) ?? true else { return }
        do {
            _ = try await buy(item.id)
        } catch {
            onProblem?(.notBought(product: product, error))
        }
    }

    func take(_ item: CatalogueItem) throws(UnlocksError) {
        let source = Grant.Source.free(item.id)
        guard ledger[source] == nil else { return }
        try add(Grant(source: source, item: item.id, doses: item.doses(), stage: .recorded))
    }

    /// Uses some doses of something.
    ///
    /// - Returns: Whether enough were left. If so, the use is on the disk.
    /// - Throws: ``UnlocksError/storage(_:)`` or ``UnlocksError/deviceLocked``. Nothing was used then.
    public func spend(_ count: Int = 1, of unlock: String) throws(UnlocksError) -> Bool {
        guard journal != nil else { throw .deviceLocked }
        guard let entry = ledger.spending(count, of: unlock) else { return false }
        try commit(entry)
        publish([unlock])
        return true
    }

    /// Deletes all content, and delivers it again. What is open stays open.
    ///
    /// - Throws: ``UnlocksError/storage(_:)`` or ``UnlocksError/deviceLocked``. Call it again to continue.
    public func reset() throws(UnlocksError) {
        guard journal != nil else { throw .deviceLocked }
        for var grant in Array(ledger.all) where ledger.counts(grant) {
            if !grant.isDueAgain {
                grant.isDueAgain = true
                try commit(.grant(grant))
            }
            try storage.removeFolder(grant.folderName)
            queue.add(grant.source, isUrgent: true)
        }
        work()
    }
}
