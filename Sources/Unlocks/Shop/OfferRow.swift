#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralBasics
import SwiftUI

/// An offer in the list of the shop, with its buttons.
struct OfferRow: View {
    @ObservedObject var shopping: Shopping
    let offer: ShopOffer
    let purchase: (@MainActor (CatalogItem) -> Void)?

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
        OfferStatus(shopping: shopping, offer: offer, purchase: purchase)
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
    @ObservedObject private var shopping: Shopping
    // The balance changes while the offer stays the same.
    @ObservedObject private var unlocks: UnlockCenter
    private let offer: ShopOffer

    init(shopping: Shopping, offer: ShopOffer) {
        self.shopping = shopping
        self.offer = offer
        unlocks = shopping.unlocks
    }

    var body: some View {
        VStack(alignment: .leading) {
            Text(own: shopping.title(of: offer))
                .font(.headline)
            if let detail = offer.text?.detail { note(Text(own: detail)) }
            let left = shopping.left(of: offer.item)
            if left > 0 { note(Text("\(left) left", bundle: shopping.bundle)) }
            if !shopping.isBusy(offer), let doubt = offer.doubt { note(doubt.reason(shopping.bundle)) }
            if offer.state == .unavailable(.notAllowed) {
                note(Text("Purchases are not allowed on this device.", bundle: shopping.bundle))
            }
            OfferFacts(shopping: shopping, offer: offer)
                .font(.subheadline)
                .foregroundStyle(.secondary)
        }
        .accessibilityElement(children: .combine)
    }

    private func note(_ text: Text) -> some View {
        text
            .font(.subheadline)
            .foregroundStyle(.secondary)
    }
}

/// The button of an offer, or why there is none.
struct OfferStatus: View {
    @ObservedObject private var shopping: Shopping
    // The progress changes while the offer stays the same.
    @ObservedObject private var unlocks: UnlockCenter
    private let offer: ShopOffer
    private let purchase: (@MainActor (CatalogItem) -> Void)?
    @Environment(\.purchasePlace) private var place

    init(shopping: Shopping, offer: ShopOffer, purchase: (@MainActor (CatalogItem) -> Void)?) {
        self.shopping = shopping
        self.offer = offer
        self.purchase = purchase
        unlocks = shopping.unlocks
    }

    private var bundle: Bundle { shopping.bundle }
    private var title: String { shopping.title(of: offer) }

    var body: some View {
        if let progress = unlocks.progress(of: offer.item.id) {
            LoadingBar(progress: progress, bundle: bundle)
        } else if offer.state == .checking(.purchasing) {
            ProgressView { Text("Purchasing…", bundle: bundle) }
        } else if shopping.isBusy(offer) {
            ProgressView { Text("Loading…", bundle: bundle) }
        } else {
            switch offer.state {
            case .hidden: EmptyView()
            case .updateFirst(let minimum): label("Update the app first (version \(own: minimum))", "arrow.down.app")
            case .included: label("Included", "checkmark")
            case .owned: label(shopping.daysLeft(of: offer.item) == nil ? "Yours" : "Active", "checkmark")
            case .paid: label("Paid, being delivered", "shippingbox")
            case .checking: label("Checking…", "ellipsis.circle")
            case .unavailable: label("Not available", "xmark")
            case .waiting:
                // The store never reports that a purchase was declined.
                VStack(alignment: .leading) {
                    label("Waiting for approval", "hourglass")
                    button(Text("Ask Again", bundle: bundle), "Ask again for \(own: title)")
                }
            case .free: button(Text("Get", bundle: bundle), "Get \(own: title) for free")
            case .forSale:
                forSale { price in
                    button(price, "Buy \(own: title)").accessibilityValue(price)
                }
            case .otherPlan:
                forSale { price in
                    VStack(alignment: .leading) {
                        price
                        button(Text("Change Plan", bundle: bundle), "Change to \(own: title)").accessibilityValue(price)
                    }
                }
            }
        }
    }

    @ViewBuilder private func forSale(@ViewBuilder _ content: (Text) -> some View) -> some View {
        if let product = shopping.productForSale(of: offer) {
            content(product.priceText(bundle))
        } else {
            label("Not available", "xmark")
        }
    }

    private func label(_ key: LocalizedStringKey, _ symbol: String) -> some View {
        Label {
            Text(key, bundle: bundle)
        } icon: {
            Image(systemName: symbol)
        }
    }

    private func button(_ label: Text, _ description: LocalizedStringKey) -> some View {
        Button {
            shopping.buy(offer, in: place, then: purchase)
        } label: {
            label
        }
        // A button without a style would turn the whole row into a button.
        .buttonStyle(.bordered)
        .accessibilityLabel(Text(description, bundle: bundle))
        // Voice Control accepts the visible words.
        .accessibilityInputLabels([label, Text(own: title)])
        .disabled(shopping.work != nil)
    }
}

/// How much of an item's files is loaded. VoiceOver reads the sentence and the percentage.
struct LoadingBar: View {
    let progress: DownloadProgress
    let bundle: Bundle

    var body: some View {
        let (done, total) = (size(progress.completedBytes), size(progress.totalBytes))
        ProgressView(value: progress.fraction) { Text("Loading \(own: done) of \(own: total)", bundle: bundle) }
    }

    private func size(_ bytes: Int) -> String { Int64(bytes).formatted(.byteCount(style: .file)) }
}

extension ShopOffer {
    /// The title, or the item's name if the catalog has no title.
    var title: String { text?.title ?? item.id.rawValue }

    /// Why it isn't known whether the user has the item, unless they are buying it.
    var doubt: Doubt? {
        if case .checking(let doubt) = state, doubt != .purchasing { doubt } else { nil }
    }
}

extension ShopOffer.Doubt {
    /// The reason in a sentence.
    @MainActor func reason(_ bundle: Bundle) -> Text {
        switch self {
        case .purchasing: Text("A purchase is in progress.", bundle: bundle)
        case .storeNotAsked: Text("The store has not yet confirmed whether you already have this.", bundle: bundle)
        case .notOpened: Text("Your purchases on this device can't be read yet.", bundle: bundle)
        case .paidBefore:
            Text("It is not known yet whether you bought the app before it became free.", bundle: bundle)
        }
    }
}
#endif
