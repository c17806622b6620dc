#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The buttons for an item that the user has bought: to manage a subscription, to load its content again, and to request a
/// refund. Only the family member who shares a purchase can manage it and request a refund, so it has no such buttons, and says
/// so.
struct PurchaseSection: View {
    @ObservedObject var shopping: Shopping
    let offer: ShopOffer

    private var bundle: Bundle { shopping.bundle }

    var body: some View {
        let purchase = shopping.unlocks.purchase(of: offer.item)
        // For another plan, this is the one that it would replace.
        let present = shopping.unlocks.plan(for: offer.item) ?? (offer.isTheirs ? purchase : nil)
        let isShared = offer.isTheirs && present?.isFamilyShared == true
        let canManage = offer.item.kind == .subscription && present?.isFamilyShared == false
        let hasContent = shopping.unlocks.hasContent(of: offer.item.id)
        let refundable = purchase.flatMap { $0.isFamilyShared ? nil : UInt64($0.id) }
        if isShared || canManage || hasContent || refundable != nil {
            Section {
                if isShared { Text("A family member shares this with you.", bundle: bundle) }
                if canManage { manageButton }
                if hasContent { ReloadButton(shopping: shopping, title: "Download Again", item: offer.item) }
                if let refundable {
                    shopping.button("Request a Refund") {
                        (shopping.refundedTransaction, shopping.presentation) = (refundable, .refund)
                    }
                }
            }
        }
    }

    @ViewBuilder private var manageButton: some View {
        #if canImport(UIKit)
        shopping.button("Manage Subscription") { shopping.presentation = .subscriptions }
        #else
        if let address = URL(string: "https://apps.apple.com/account/subscriptions") {
            Link(destination: address) { Text("Manage Subscription", bundle: bundle) }
        }
        #endif
    }
}

/// A button that deletes content and loads it again, after a question.
struct ReloadButton: View {
    @ObservedObject var shopping: Shopping
    let title: LocalizedStringKey
    /// The item whose content it is; `nil` for all.
    let item: CatalogItem?

    var body: some View {
        let question = item == nil ? Shopping.Presentation.reset : .download
        shopping.button(title) { shopping.presentation = question }
            .alert(
                Text("Delete the downloaded content, and load it again?", bundle: shopping.bundle),
                isPresented: $shopping[question, onPage: item != nil && shopping.page != nil]
            ) {
                Button(role: .destructive) {
                    shopping.presentation = nil
                    shopping.deliverAgain(item)
                } label: {
                    Text("Download Again", bundle: shopping.bundle)
                }
                Button(role: .cancel) {
                } label: {
                    Text("Cancel", bundle: shopping.bundle)
                }
            } message: {
                EmptyView()
            }
    }
}
#endif
