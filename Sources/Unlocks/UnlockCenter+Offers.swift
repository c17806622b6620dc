import ReferralFoundation

extension UnlockCenter {
    /// The shop's offers, in the catalog's order.
    ///
    /// An item is for sale only if the user is known not to have it. Until that is known, its state is
    /// ``ShopOffer/State/checking(_:)``. In this state, let the user try again with ``refresh()``, and restore purchases
    /// with ``restore()``.
    public var offers: [ShopOffer] {
        let now = now
        let (paid, purchasing) = (paid, purchasing)
        let isOwned = { self.isOwned($0) }
        let isSubscribed = { self.book.ledger.isSubscribed($0, at: now) }
        let plans = plans(at: now)
        let planProducts = Set(plans.map(\.productID))
        var holdings = Holdings()
        holdings.price = { self.products?[$0]?.price }
        holdings.isOwned = isOwned
        holdings.isSubscribed = isSubscribed
        holdings.isPlan = planProducts.contains
        holdings.isInGroup = { self.isInGroup($0, of: plans) }
        holdings.trial = { self.book.ledger.trial(of: $0, at: now) }
        holdings.isWaiting = { self.pendingProducts.contains($0) }
        holdings.isPaid = { paid.gives($0, has: isOwned) }
        holdings.doubt = { item in
            purchasing.gives(item, has: isOwned) ? .purchasing : self.doubt(about: item, at: now)
        }
        holdings.canPay = store.canMakePayments
        return catalog.offers(in: context, holdings)
    }

    /// The offers in the sections of the shop. Hidden offers are left out.
    public var sections: [OfferSection] { catalog.sections(of: offers, languages: context.languages) }

    /// The purchases that the app knows of, including those that haven't opened anything yet.
    var paid: ComingPurchases {
        var paid = ComingPurchases()
        for grant in undelivered { paid.add(grant, in: book.ledger) }
        for product in state.unrecordedProducts(besides: book.ledger) { paid.add(product, in: catalog) }
        return paid
    }

    private var purchasing: ComingPurchases {
        var purchasing = ComingPurchases()
        for product in state.purchasing { purchasing.add(product, in: catalog) }
        return purchasing
    }

    /// Why it isn't known whether the person has an item; `nil` if they don't have it.
    private func doubt(about item: CatalogItem, at now: Date) -> ShopOffer.Doubt? {
        var doubt: ShopOffer.Doubt?
        for unlock in item.grants {
            guard !isOwned(unlock) else { continue }
            switch unknown(unlock, at: now) {
            case nil, .beingDelivered: return nil
            case .notOpened: return .notOpened
            case .paidBefore: doubt = .paidBefore
            // The store's list lacks consumed packs, so its answer says nothing about a pack.
            case .storeNotAsked: if !item.kind.isConsumable { doubt = doubt ?? .storeNotAsked }
            }
        }
        return doubt
    }
}
