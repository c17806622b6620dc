#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The buttons for an item that the user has bought: to manage a subscription, to load its content again, and to request a
/// refund.
struct PurchaseSection: View {
    // The offer of a pack doesn't change when the pack is bought, refunded or used up.
    @ObservedObject var unlocks: UnlockCenter
    @ObservedObject var shopping: Shopping
    let offer: Offer

    private var bundle: Bundle { shopping.bundle }

    var body: some View {
        let transaction = unlocks.transaction(of: offer.item)
        let isSubscriber = offer.item.kind == .subscription && offer.isTheirs && transaction != nil
        let hasContent = unlocks.hasContent(of: offer.item)
        if transaction != nil || hasContent {
            Section {
                if isSubscriber { manageButton }
                if hasContent { downloadButton }
                if let transaction {
                    button("Request a Refund") { shopping.requestRefund(of: transaction) }
                }
            }
        }
    }

    @ViewBuilder private var manageButton: some View {
        #if canImport(UIKit)
        button("Manage Subscription") { shopping.isManaging = true }
        #else
        if let address = URL(string: "https://apps.apple.com/account/subscriptions") {
            Link(destination: address) { Text("Manage Subscription", bundle: bundle) }
        }
        #endif
    }

    private var downloadButton: some View {
        button("Download Again") { shopping.isAskingAgain = true }
            .alert(
                Text("Delete the downloaded content, and load it again?", bundle: bundle),
                isPresented: $shopping.isAskingAgain
            ) {
                Button(role: .destructive) {
                    shopping.deliverAgain(offer.item)
                } label: {
                    Text("Download Again", bundle: bundle)
                }
                Button(role: .cancel) {
                } label: {
                    Text("Cancel", bundle: bundle)
                }
            } message: {
                EmptyView()
            }
    }

    private func button(_ title: LocalizedStringKey, _ action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) { Text(title, bundle: bundle) }
            .disabled(shopping.work != nil)
    }
}
#endif
