import ReferralFoundation

extension UnlockCenter {
    /// Whether what is missing may come by itself in a moment: the folder is being opened, or the store is asked.
    var isLoading: Bool { book.isOpen ? state.isAsking : book.closed == .notStarted }

    /// Whether the store didn't send the products, so that something that is offered has no price.
    var isUnreached: Bool {
        guard products == nil, book.isOpen, !isLoading else { return false }
        return offers.contains { $0.state != .hidden && $0.item.productID != nil }
    }

    /// The purchase of an item that isn't refunded: the user's own, or else one that a family member shares. Of several, it is
    /// one that hasn't ended, or else the one made last: the store may list older transactions later. It may not be delivered
    /// yet.
    func purchase(of item: CatalogItem) -> StoreTransaction? {
        let (ledger, now) = (book.ledger, now)
        func order(_ grant: Grant) -> (Int, Int, Date) {
            let isOwn = grant.transaction?.isFamilyShared == false
            return (isOwn ? 1 : 0, ledger.isOpen(grant, at: now) ? 1 : 0, grant.purchaseDate ?? .distantPast)
        }
        let purchases = ledger.all.filter { grant in
            item.productID != nil && grant.transaction?.productID == item.productID && !grant.isRevoked
                && ledger.isPresent(grant)
        }
        // Of equal ones, the last to arrive.
        return purchases.reversed().max { order($0) < order($1) }?.transaction
    }

    /// Whether the user has delivered content, of an item or of any, that is still needed or withheld, so that it can be loaded again.
    ///
    /// Only files that the catalog names count. The center doesn't know whether the app's `deliver` has any content for the
    /// item. An app that does can call ``UnlockCenter/deliverAgain(_:)`` itself.
    func hasContent(of item: ItemID? = nil) -> Bool {
        let now = now
        return book.ledger.all.contains { grant in
            guard let own = catalog.item(of: grant), !own.files.isEmpty, item == nil || item == own.id else {
                return false
            }
            return grant.isWithheld == true || book.ledger.needsContent(grant, at: now)
        }
    }
}
