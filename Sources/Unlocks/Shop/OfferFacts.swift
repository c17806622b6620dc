#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralBasics
import SwiftUI

/// The final price of a purchase and its duration, as far as guideline 3.1.2 requires.
struct OfferFacts: View {
    @ObservedObject private var shopping: Shopping
    // The days that are left change while the offer stays the same.
    @ObservedObject private var unlocks: UnlockCenter
    private let offer: ShopOffer

    init(shopping: Shopping, offer: ShopOffer) {
        self.shopping = shopping
        self.offer = offer
        unlocks = shopping.unlocks
    }

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
        if let full = fullVersion, let product = shopping.productForSale(of: full) {
            Text("After that: \(own: shopping.title(of: full)) for \(product.priceText(bundle)).", bundle: bundle)
        }
    }

    /// The item that opens permanently what the trial opens for some days.
    private var fullVersion: ShopOffer? {
        shopping.offer(opening: offer.item.grants) { [.nonConsumable, .subscription].contains($0.kind) }
    }
}

private extension StoreProduct.Introduction {
    /// How long it lasts, and its price: that of one payment in advance, or of each period.
    @MainActor func text(_ bundle: Bundle) -> Text {
        let length = period.count * count
        guard let price else {
            return switch period.unit {
            case .day: Text("Free for \(length) days.", bundle: bundle)
            case .week: Text("Free for \(length) weeks.", bundle: bundle)
            case .month: Text("Free for \(length) months.", bundle: bundle)
            case .year: Text("Free for \(length) years.", bundle: bundle)
            }
        }
        let cost = count == 1 ? Text(own: price) : period.text(for: price, bundle)
        return switch (period.unit, length) {
        case (.day, 1): Text("\(cost) for the first day.", bundle: bundle)
        case (.week, 1): Text("\(cost) for the first week.", bundle: bundle)
        case (.month, 1): Text("\(cost) for the first month.", bundle: bundle)
        case (.year, 1): Text("\(cost) for the first year.", bundle: bundle)
        case (.day, _): Text("\(cost) for the first \(length) days.", bundle: bundle)
        case (.week, _): Text("\(cost) for the first \(length) weeks.", bundle: bundle)
        case (.month, _): Text("\(cost) for the first \(length) months.", bundle: bundle)
        case (.year, _): Text("\(cost) for the first \(length) years.", bundle: bundle)
        }
    }
}
#endif
