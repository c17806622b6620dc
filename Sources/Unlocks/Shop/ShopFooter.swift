#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The last sections of a list in the shop: the buttons that a shop always has, and what App Review requires beside a subscription.
/// If the store can't be reached, or an offer is in doubt, one more button tries again.
struct ShopFooter: View {
    @ObservedObject var shopping: Shopping
    /// The offers that are shown.
    let offers: [ShopOffer]

    private var unlocks: UnlockCenter { shopping.unlocks }

    var body: some View {
        let hasSubscription = offers.contains { $0.item.kind == .subscription && !shopping.lacksTerms($0.item) }
        Section { buttons }
        if hasSubscription || shopping.links.terms != nil || shopping.links.privacy != nil {
            Section {
                if hasSubscription {
                    Text(
                        "A subscription renews by itself until you cancel it in the settings of your Apple Account.",
                        bundle: shopping.bundle
                    )
                    .font(.subheadline)
                    .foregroundStyle(.secondary)
                }
                link("Terms of Use", shopping.links.terms)
                link("Privacy Policy", shopping.links.privacy)
            }
            .disabled(shopping.isWorking)
        }
        CloseSection(bundle: shopping.bundle)
    }

    @ViewBuilder private var buttons: some View {
        if unlocks.isUnreached {
            shopping.label("The store can't be reached.", "wifi.slash")
        }
        if unlocks.isUnreached || !unlocks.isLoading && offers.contains(where: { $0.doubt != nil }) {
            shopping.button("Try Again") { Task { [unlocks] in await unlocks.refresh() } }
        }
        shopping.button("Restore Purchases") { shopping.restore() }
        if #available(iOS 16, macCatalyst 18, macOS 15, visionOS 1, *) {
            shopping.button("Redeem Code") { shopping.presentation = .redemption }
        }
    }

    @ViewBuilder private func link(_ title: LocalizedStringKey, _ address: URL?) -> some View {
        if let address { Link(destination: address) { Text(title, bundle: shopping.bundle) } }
    }
}
#endif
