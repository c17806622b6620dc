import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension UnlockCenter {
    /// The shop's offers, in the catalog's order.
    ///
    /// An item is for sale only if the user is known not to have it. Until that is known, its state is
    /// ``Offer/State/checking(_:)``. In this state, let the user try again with ``refresh()``, and restore purchases
    /// with ``restore()``.
    public var offers: [Offer] {
        let now = clock.now().date
        let paid = paidProducts
        return catalog.offers(
            in: context,
            price: { products?[$0]?.price },
            isOpen: { isOpen($0, at: now) },
            isWaiting: { pendingProducts.contains($0) },
            isPaid: { !paid.isEmpty && paid.contains($0) },
            doubt: { doubt(about: $0, at: now) }
        )
    }

    /// Why it isn't known whether the person has an item; `nil` if they don't have it.
    private func doubt(about item: CatalogItem, at now: Date) -> Offer.Doubt? {
        if let product = item.productID, arrivals.purchasing.contains(product) { return .purchasing }
        var doubt: Offer.Doubt?
        for unlock in item.grants {
            guard !isOpen(unlock, at: now) else { continue }
            switch unknown(unlock, at: now) {
            case nil: return nil
            case .notOpened: return .notOpened
            case .deviceLocked: return .deviceLocked
            // Nobody bought the app in TestFlight or Xcode.
            case .paidBefore(.environment): return nil
            case .paidBefore: doubt = .paidBefore
            // What is used up isn't in the store's list, so its answer says nothing about a pack.
            case .storeNotAsked: if !item.isPack { doubt = doubt ?? .storeNotAsked }
            }
        }
        return doubt
    }
}

private extension CatalogItem {
    var isPack: Bool { if case .consumable = kind { true } else { false } }
}
