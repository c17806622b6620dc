#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralAppSupport
import SwiftUI

/// The final price of a purchase and its duration, as far as guideline 3.1.2 requires.
struct OfferFacts: View {
    @ObservedObject var shopping: Shopping
    let offer: ShopOffer

    private var bundle: Bundle { shopping.bundle }

    var body: some View {
        if let days = shopping.daysLeft(of: offer.item) {
            Text("\(days) days left", bundle: bundle)
            afterTrial
        } else if !offer.isTheirs {
            switch offer.item.kind {
            case .subscription: subscription
            case .trial(let days): trial(days)
            case .nonRenewing(let days):
                Text("Lasts \(days) days.", bundle: bundle)
                Text("It does not renew by itself.", bundle: bundle)
            default: EmptyView()
            }
        }
    }

    @ViewBuilder private var subscription: some View {
        if let product = shopping.product(of: offer.item), product.period != nil {
            if let introduction = shopping.introduction(of: offer) {
                introduction.text(bundle)
                Text("Then \(product.priceText(bundle)).", bundle: bundle)
            }
            Text("Renews by itself until you cancel it.", bundle: bundle)
        }
    }

    @ViewBuilder private func trial(_ days: Int) -> some View {
        Text("Free for \(days) days.", bundle: bundle)
        Text("It ends by itself, and nothing is charged.", bundle: bundle)
        if !shopping.isBought(offer.item) { afterTrial }
    }

    /// The consequence of a trial's end, and the price of the full version, as guideline 3.1.1 requires.
    @ViewBuilder private var afterTrial: some View {
        Text("What it opens is locked again then.", bundle: bundle)
        let full = shopping.offer(opening: offer.item.grants) { [.nonConsumable, .subscription].contains($0.kind) }
        if let full, let product = shopping.productForSale(of: full) {
            Text("After that: \(own: shopping.title(of: full)) for \(product.priceText(bundle)).", bundle: bundle)
        }
    }
}

extension StoreProduct {
    /// The store's price, followed by the period of a subscription: *1,99 € per month*.
    @MainActor func priceText(_ bundle: Bundle) -> Text { period?.text(for: price, bundle) ?? Text(own: price) }
}

private extension SubscriptionPeriod {
    /// A price followed by the period that it pays for.
    @MainActor func text(for price: String, _ bundle: Bundle) -> Text {
        switch unit {
        case .day: Text("\(own: price) every \(count) days", bundle: bundle)
        case .week: Text("\(own: price) every \(count) weeks", bundle: bundle)
        case .month: Text("\(own: price) every \(count) months", bundle: bundle)
        case .year: Text("\(own: price) every \(count) years", bundle: bundle)
        }
    }
}

private extension StoreProduct.Introduction {
    /// How long it lasts, and its price: that of one payment in advance, or of each period.
    @MainActor func text(_ bundle: Bundle) -> Text {
        let length = period.count * count
        let cost = price.map { count == 1 ? Text(own: $0) : period.text(for: $0, bundle) }
        return switch (period.unit, cost) {
        case (.day, nil): Text("Free for \(length) days.", bundle: bundle)
        case (.week, nil): Text("Free for \(length) weeks.", bundle: bundle)
        case (.month, nil): Text("Free for \(length) months.", bundle: bundle)
        case (.year, nil): Text("Free for \(length) years.", bundle: bundle)
        case (.day, let cost?): Text("\(cost) for the first \(length) days.", bundle: bundle)
        case (.week, let cost?): Text("\(cost) for the first \(length) weeks.", bundle: bundle)
        case (.month, let cost?): Text("\(cost) for the first \(length) months.", bundle: bundle)
        case (.year, let cost?): Text("\(cost) for the first \(length) years.", bundle: bundle)
        }
    }
}
#endif
