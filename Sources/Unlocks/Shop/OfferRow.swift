#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// An offer, and what can be done about it.
struct OfferRow: View {
    let offer: Offer
    /// The store's product, once it is loaded.
    let product: StoreProduct?
    let dosesLeft: Int
    /// Whether its price is loading, or it is being bought.
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
        }
        .accessibilityElement(children: .combine)
    }

    @ViewBuilder private var status: some View {
        if isBusy {
            ProgressView { Text("Loading…", bundle: bundle) }
        } else {
            switch offer.state {
            case .hidden: EmptyView()
            case .updateFirst(let minimum): label("Update the app first (version \(minimum))", "arrow.down.app")
            case .included: label("Included", "checkmark")
            case .owned: label("Yours", "checkmark")
            case .unavailable: label("Not available", "xmark")
            case .waiting:
                // The store never says that somebody declined.
                VStack(alignment: .leading) {
                    label("Waiting for approval", "hourglass")
                    button(Text("Ask Again", bundle: bundle), "Ask again for \(offer.title)")
                }
            case .free: button(Text("Get", bundle: bundle), "Get \(offer.title)")
            case .forSale:
                // Guideline 3.1.2 demands the length of a subscription, so one without a period isn't for sale.
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
            // A button without a style makes a button of the whole row.
            .buttonStyle(.bordered)
            .accessibilityLabel(Text(description, bundle: bundle))
            // For a voice that says what is to be seen.
            .accessibilityInputLabels([title, Text(verbatim: offer.title)])
    }
}

extension Offer {
    /// The title, or the item's name in a catalogue that has none.
    var title: String { text?.title ?? item.id }
}
#endif
