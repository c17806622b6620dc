import ReferralBridge

extension Unlocks {
    /// What a person sees in the shop, in the catalogue's order.
    ///
    /// An item is for sale only if nothing says that the person has it or may have it. Until that is known its state is
    /// ``Offer/State/checking(_:)``. Offer to try again then, with ``refresh()``, and to restore purchases, with ``restore()``.
    public var offers: [Offer] {
        var states: [String: UnlockState] = [:]
        for unlock in catalogue.items.lazy.flatMap(\.grants) where states[unlock] == nil {
            states[unlock] = state(of: unlock)
        }
        let undelivered = queue.undelivered.compactMap { book.ledger[$0]?.transaction?.product }
        return catalogue.offers(
            in: context,
            prices: (products ?? [:]).mapValues(\.price),
            open: Set(states.lazy.filter(\.value.isUnlocked).map(\.key)),
            waiting: waiting,
            paid: Set(undelivered).union(laterStatements.values.lazy.filter { !$0.isRevoked }.map(\.product)),
            doubt: { doubt(about: $0, states) }
        )
    }

    /// Why it isn't known whether the person has an item; `nil` if they don't have it.
    private func doubt(about item: CatalogueItem, _ states: [String: UnlockState]) -> Offer.Doubt? {
        if let product = item.product, purchasing.contains(product) { return .purchasing }
        var doubt: Offer.Doubt?
        for unlock in item.grants {
            switch states[unlock] {
            case .locked: return nil
            case .unknown(.notOpened): return .notOpened
            case .unknown(.deviceLocked): return .deviceLocked
            // Nobody bought the app in TestFlight or Xcode.
            case .unknown(.paidBefore(.environment)): return nil
            case .unknown(.paidBefore): doubt = .paidBefore
            // What is used up isn't in the store's list, so its answer says nothing about a pack.
            case .unknown(.storeNotAsked): if !item.isPack { doubt = doubt ?? .storeNotAsked }
            case .unlocked, nil: break
            }
        }
        return doubt
    }
}

private extension CatalogueItem {
    var isPack: Bool { if case .consumable = kind { true } else { false } }
}
