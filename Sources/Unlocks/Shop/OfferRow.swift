#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// An offer, with its buttons.
struct OfferRow: View {
    let offer: Offer
    /// The store's product, once it is loaded.
    let product: StoreProduct?
    let dosesLeft: Int
    /// Whether the store's answer is being loaded, or the offer is being bought.
    let isBusy: Bool
    let bundle: Bundle
    let buy: @MainActor () -> Void

    @Environment(\.dynamicTypeSize) private var dynamicTypeSize

    var body: some View {
        if dynamicTypeSize.isAccessibilitySize {
            VStack(alignment: .leading) {
                description
                status
            }
        } else {
            HStack {
                description
                Spacer()
                status
            }
        }
    }

    private var description: some View {
        VStack(alignment: .leading) {
            Text(verbatim: offer.title)
                .font(.headline)
            if let detail = offer.text?.detail {
                Text(verbatim: detail)
                    .font(.subheadline)
                    .foregroundStyle(.secondary)
            }
            if dosesLeft > 0 {
                Text("\(dosesLeft) left", bundle: bundle)
                    .font(.subheadline)
            }
            if !isBusy, let doubt = offer.doubt {
                doubt.reason(bundle)
                    .font(.subheadline)
                    .foregroundStyle(.secondary)
            }
        }
        .accessibilityElement(children: .combine)
    }

    @ViewBuilder private var status: some View {
        if offer.state == .checking(.purchasing) {
            ProgressView { Text("Purchasing…", bundle: bundle) }
        } else if isBusy {
            ProgressView { Text("Loading…", bundle: bundle) }
        } else {
            switch offer.state {
            case .hidden: EmptyView()
            case .updateFirst(let minimum): label("Update the app first (version \(minimum))", "arrow.down.app")
            case .included: label("Included", "checkmark")
            case .owned: label("Yours", "checkmark")
            case .paid: label("Paid, being delivered", "shippingbox")
            case .checking: label("Checking…", "ellipsis.circle")
            case .unavailable(.notAllowed): label("Purchases are not allowed", "nosign")
            case .unavailable: label("Not available", "xmark")
            case .waiting:
                // The store never reports that a purchase was declined.
                VStack(alignment: .leading) {
                    label("Waiting for approval", "hourglass")
                    button(Text("Ask Again", bundle: bundle), "Ask again for \(offer.title)")
                }
            case .free: button(Text("Get", bundle: bundle), "Get \(offer.title)")
            case .forSale:
                // Guideline 3.1.2 requires the length of a subscription, so one without a period isn't for sale.
                if let product, offer.item.kind != .subscription || product.period != nil {
                    let price = product.priceText(bundle)
                    button(price, "Buy \(offer.title)").accessibilityValue(price)
                } else {
                    label("Not available", "xmark")
                }
            }
        }
    }

    private func label(_ key: LocalizedStringKey, _ symbol: String) -> some View {
        Label {
            Text(key, bundle: bundle)
        } icon: {
            Image(systemName: symbol)
        }
    }

    private func button(_ title: Text, _ description: LocalizedStringKey) -> some View {
        Button(action: buy) { title }
            // A button without a style would turn the whole row into a button.
            .buttonStyle(.bordered)
            .accessibilityLabel(Text(description, bundle: bundle))
            // Voice Control accepts the visible words.
            .accessibilityInputLabels([title, Text(verbatim: offer.title)])
    }
}

extension Offer {
    /// The title, or the item's name if the catalog has no title.
    var title: String { text?.title ?? item.id.rawValue }

    /// Why it isn't known whether the user has the item, unless they are buying it.
    var doubt: Doubt? {
        if case .checking(let doubt) = state, doubt != .purchasing { doubt } else { nil }
    }
}

extension Offer.Doubt {
    /// The reason in a sentence.
    @MainActor func reason(_ bundle: Bundle) -> Text {
        switch self {
        case .purchasing: Text("A purchase is in progress.", bundle: bundle)
        case .storeNotAsked: Text("The store has not yet confirmed whether you already have this.", bundle: bundle)
        case .deviceLocked:
            Text("Your purchases cannot be read until the device is unlocked.", bundle: bundle)
        case .notOpened: Text("Your purchases on this device cannot be read yet.", bundle: bundle)
        case .paidBefore:
            Text("It is not known yet whether you bought the app before it became free.", bundle: bundle)
        }
    }
}
#endif
