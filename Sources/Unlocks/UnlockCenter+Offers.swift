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
        let now = now
        let paid = paidProducts
        return catalog.offers(
            in: context,
            Holdings(
                price: { self.products?[$0]?.price },
                isOwned: { self.isOwned($0) },
                isSubscribed: { self.book.ledger.isSubscribed($0, at: now) },
                trial: { self.book.ledger.trial(of: $0, at: now) },
                isWaiting: { self.pendingProducts.contains($0) },
                isPaid: { !paid.isEmpty && paid.contains($0) },
                doubt: { self.doubt(about: $0, at: now) },
                canPay: store.canMakePayments
            )
        )
    }

    /// The offers in the sections of the shop. Hidden offers are left out.
    public var sections: [OfferSection] { catalog.sections(of: offers, languages: context.languages) }

    /// Why it isn't known whether the person has an item; `nil` if they don't have it.
    private func doubt(about item: CatalogItem, at now: Date) -> Offer.Doubt? {
        if let product = item.productID, arrivals.purchasing.contains(product) { return .purchasing }
        var doubt: Offer.Doubt?
        for unlock in item.grants {
            guard !isOwned(unlock) else { continue }
            switch unknown(unlock, at: now) {
            case nil: return nil
            case .notOpened: return .notOpened
            case .deviceLocked: return .deviceLocked
            // Nobody bought the app in TestFlight or Xcode.
            case .paidBefore(.environment): return nil
            case .paidBefore: doubt = .paidBefore
            // What is used up isn't in the store's list, so its answer says nothing about a pack.
            case .storeNotAsked: if !item.kind.isConsumable { doubt = doubt ?? .storeNotAsked }
            }
        }
        return doubt
    }
}
