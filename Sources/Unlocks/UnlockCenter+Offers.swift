import ReferralFoundation

extension UnlockCenter {
    /// The shop's offers, in the catalog's order.
    ///
    /// An item is for sale only if the user is known not to have it. Until that is known, its state is
    /// ``ShopOffer/State/checking(_:)``. In this state, let the user try again with ``refresh()``, and restore purchases
    /// with ``restore()``.
    public var offers: [ShopOffer] {
        let now = now
        let (ledger, purchasing, due) = (book.ledger, state.purchasing, book.ledger.due)
        // The purchases that the app knows of and that haven't opened anything yet.
        let paid = state.unrecordedProducts(besides: ledger).union(due.compactMap(\.transaction?.productID))
        let plans = plans(at: now)
        let planProducts = Set(plans.map(\.productID))
        var holdings = Holdings()
        holdings.price = { self.products?[$0]?.price }
        holdings.isOwned = { self.isOwned($0) }
        holdings.isSubscribed = { ledger.isSubscribed($0, at: now) }
        holdings.isPlan = planProducts.contains
        holdings.isInGroup = { self.isInGroup($0, of: plans) }
        holdings.trial = { ledger.trial(of: $0, at: now) }
        holdings.isWaiting = { self.pendingProducts.contains($0) }
        holdings.isPaid = { self.gives(paid, due, $0) }
        holdings.doubt = { item in
            self.gives(purchasing, [], item) ? .purchasing : self.doubt(about: item, at: now)
        }
        holdings.canPay = store.canMakePayments
        return catalog.offers(in: context, holdings)
    }

    /// The offers in the sections of the shop. Hidden offers are left out.
    public var sections: [OfferSection] { catalog.sections(of: offers, languages: context.languages) }

    /// Whether purchases of these products, and these grants, give the user all of an item, together with what the user has.
    private func gives(_ products: Set<ProductID>, _ due: [Grant], _ item: CatalogItem) -> Bool {
        if let product = item.productID, products.contains(product) { return true }
        guard !(products.isEmpty && due.isEmpty), !item.isFree, !item.kind.isConsumable else { return false }
        // Who has subscribed can still buy the item that lasts.
        let isPlan = item.kind == .subscription
        let bought = products.compactMap(catalog.item(selling:)).filter {
            $0.kind == .nonConsumable || isPlan && $0.kind == .subscription
        }
        let coming = due.filter { $0.term == nil && (isPlan || !$0.isExpiring) }
        let unlocks = Set(bought.flatMap(\.grants) + coming.flatMap { $0.amounts.filter { $0.value == 0 }.keys })
        return !unlocks.isEmpty && item.grants.allSatisfy { unlocks.contains($0) || isOwned($0) }
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
