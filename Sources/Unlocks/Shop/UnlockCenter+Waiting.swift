import ReferralFoundation

extension UnlockCenter {
    /// Whether what is missing may come by itself in a moment: the folder is being opened, or the store is asked.
    var isLoading: Bool {
        book.isOpen ? state.isAsking || !state.hasAsked : book.closed == .notStarted
    }

    /// Whether the store didn't send the products, so that something that is offered has no price.
    var isUnreached: Bool {
        guard products == nil, book.isOpen, !isLoading else { return false }
        return offers.contains { $0.state != .hidden && $0.item.productID != nil }
    }
}

extension UnlockCenter {
    /// How long a thank-you waits for the delivery, in seconds.
    static let deliveryWait = 2.0

    /// Whether an item that was bought or taken is delivered, and all that it opens is open.
    func isAvailable(_ item: CatalogItem) -> Bool {
        let now = now
        let isBeingDelivered =
            item.productID.map(paid.products.contains) ?? false
            || undelivered.contains { $0.source == .free(item.id) }
        return !isBeingDelivered && item.grants.allSatisfy { isOpen($0, at: now) }
    }

    /// Waits until an item that was bought or taken is available, for a short while.
    func waitForDelivery(of item: CatalogItem) async {
        guard !isAvailable(item) else { return }
        let (isDone, done) = AsyncStream.makeStream(of: Never.self)
        let watch = Task { [weak self] in
            guard let states = self?.states else { return }
            for await _ in states where self?.isAvailable(item) != false { break }
            done.finish()
        }
        let limit = Task { [clock] in
            await clock.sleep(Self.deliveryWait)
            done.finish()
        }
        for await _ in isDone {}
        watch.cancel()
        limit.cancel()
    }

    /// The purchase of an item that isn't refunded: the user's own, or else one that a family member shares. Of several, it is
    /// one that hasn't ended, or else the one made last: the store may list older transactions later. It may not be delivered
    /// yet.
    func purchase(of item: CatalogItem) -> StoreTransaction? {
        guard let product = item.productID else { return nil }
        let (ledger, now) = (book.ledger, now)
        let purchases = ledger.all.filter { grant in
            grant.transaction?.productID == product && !grant.isRevoked && ledger.isPresent(grant)
        }
        let order = { (grant: Grant) in
            (
                grant.transaction?.isFamilyShared == false ? 1 : 0, ledger.isOpen(grant, at: now) ? 1 : 0,
                grant.purchaseDate ?? .distantPast
            )
        }
        // Of equal ones, the last to arrive.
        return purchases.reversed().max { order($0) < order($1) }?.transaction
    }

    /// Whether the user has delivered content of an item that is still needed, so that it can be loaded again.
    ///
    /// Only files that the catalog names count. The center doesn't know whether the app's `deliver` has any content for the
    /// item. An app that does can call ``UnlockCenter/deliverAgain(_:)`` itself.
    func hasContent(of item: CatalogItem) -> Bool {
        guard !item.files.isEmpty else { return false }
        let now = now
        return book.ledger.all.contains { grant in
            catalog.item(of: grant)?.id == item.id && book.ledger.needsContent(grant, at: now)
        }
    }
}
