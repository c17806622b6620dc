#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralAppSupport
import SwiftUI

/// An offer in the list of the shop, with its buttons.
struct OfferRow: View {
    @ObservedObject var shopping: Shopping
    let offer: ShopOffer

    @Environment(\.dynamicTypeSize) private var dynamicTypeSize

    var body: some View {
        if dynamicTypeSize.isAccessibilitySize {
            VStack(alignment: .leading) { parts }
        } else {
            HStack { parts }
        }
    }

    @ViewBuilder private var parts: some View {
        if let icon = offer.item.icon { PictureView(icon, isIcon: true) }
        OfferDescription(shopping: shopping, offer: offer)
        Spacer()
        OfferStatus(shopping: shopping, offer: offer)
        Button {
            shopping.page = Shopping.Page(id: offer.item.id)
        } label: {
            Image(systemName: "info.circle")
        }
        .buttonStyle(.borderless)
        .accessibilityLabel(Text("Details of \(own: shopping.title(of: offer))", bundle: shopping.bundle))
    }
}

/// The title of an offer, and the facts that a user must know before they buy it.
struct OfferDescription: View {
    @ObservedObject var shopping: Shopping
    let offer: ShopOffer

    var body: some View {
        VStack(alignment: .leading) {
            Text(own: shopping.title(of: offer))
                .font(.headline)
            notes
                .font(.subheadline)
                .foregroundStyle(.secondary)
        }
        .accessibilityElement(children: .combine)
    }

    @ViewBuilder private var notes: some View {
        if let detail = offer.text?.detail { Text(own: detail) }
        if !shopping.isLoading(offer), offer.doubt != nil {
            Text("It is not known yet whether you already have this.", bundle: shopping.bundle)
        }
        if offer.isTheirs, shopping.unlocks.refusal(of: offer.item.id) != nil {
            Text("The server does not give out what belongs to this purchase.", bundle: shopping.bundle)
        }
        if offer.state == .unavailable(.notAllowed) {
            Text("Purchases are not allowed on this device.", bundle: shopping.bundle)
        }
        OfferFacts(shopping: shopping, offer: offer)
    }
}

/// The button of an offer, or why there is none.
struct OfferStatus: View {
    @ObservedObject var shopping: Shopping
    let offer: ShopOffer

    @Environment(\.purchasePlace) private var place
    @Environment(\.shop) private var shop

    private var bundle: Bundle { shopping.bundle }
    private var title: String { shopping.title(of: offer) }

    var body: some View {
        if let progress = shopping.unlocks.progress(of: offer.item.id) {
            let (done, total) = (size(progress.completedBytes), size(progress.totalBytes))
            ProgressView(value: progress.fraction) { Text("Loading \(own: done) of \(own: total)", bundle: bundle) }
        } else if shopping.isLoading(offer) {
            ProgressView { Text("Loading…", bundle: bundle) }
        } else {
            switch offer.state {
            case .hidden: EmptyView()
            case .updateFirst(let minimum):
                shopping.label("Update the app first (version \(own: minimum))", "arrow.down.app")
            case .included: shopping.label("Included", "checkmark")
            case .owned: shopping.label(shopping.daysLeft(of: offer.item) == nil ? "Yours" : "Active", "checkmark")
            case .paid: shopping.label("Paid, being delivered", "shippingbox")
            case .checking(.purchasing): ProgressView { Text("Purchasing…", bundle: bundle) }
            case .checking: shopping.label("Checking…", "ellipsis.circle")
            case .unavailable: shopping.label("Not available", "xmark")
            case .waiting:
                // The store never reports that a purchase was declined.
                VStack(alignment: .leading) {
                    shopping.label("Waiting for approval", "hourglass")
                    button(Text("Ask Again", bundle: bundle), "Ask again for \(own: title)")
                }
            case .free: button(Text("Get", bundle: bundle), "Get \(own: title) for free")
            case .forSale, .otherPlan: price
            }
        }
    }

    @ViewBuilder private var price: some View {
        if let price = shopping.productForSale(of: offer)?.priceText(bundle) {
            if case .otherPlan = offer.state {
                VStack(alignment: .leading) {
                    price
                    button(Text("Change Plan", bundle: bundle), "Change to \(own: title)").accessibilityValue(price)
                }
            } else {
                button(price, "Buy \(own: title)").accessibilityValue(price)
            }
        } else {
            shopping.label("Not available", "xmark")
        }
    }

    private func button(_ label: Text, _ description: LocalizedStringKey) -> some View {
        Button {
            shopping.buy(offer, in: place, then: shop.onPurchase)
        } label: {
            label
        }
        // A button without a style would turn the whole row into a button.
        .buttonStyle(.bordered)
        .accessibilityLabel(Text(description, bundle: bundle))
        // Voice Control accepts the visible words.
        .accessibilityInputLabels([label, Text(own: title)])
        .disabled(shopping.isWorking)
    }

    private func size(_ bytes: Int) -> String { Int64(bytes).formatted(.byteCount(style: .file)) }
}
#endif
