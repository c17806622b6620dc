#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The page of an item: its pictures, what there is to know, and what the user may do with what they have.
struct OfferPage: View {
    @ObservedObject var unlocks: UnlockCenter
    @ObservedObject var shopping: Shopping
    let id: ItemID
    let purchase: (@MainActor (CatalogItem) -> Void)?

    private var bundle: Bundle { shopping.bundle }

    var body: some View {
        List {
            if let offer = unlocks.offers.first(where: { $0.item.id == id }), shopping.isShown(offer) {
                contents(of: offer)
            } else {
                Text("This is not for sale now.", bundle: bundle)
            }
            Section {
                Button {
                    shopping.page = nil
                } label: {
                    Text("Close", bundle: bundle)
                }
            }
        }
        .shopSheets(of: shopping, onPage: true)
    }

    @ViewBuilder private func contents(of offer: Offer) -> some View {
        Section {
            if let icon = offer.item.icon { PictureView(icon, isIcon: true, in: unlocks) }
            OfferDescription(shopping: shopping, offer: offer)
            OfferStatus(shopping: shopping, offer: offer, purchase: purchase)
        }
        if !offer.item.pictures.isEmpty || offer.about != nil || offer.item.page != nil {
            Section {
                ForEach(offer.item.pictures, id: \.self) { PictureView($0, in: unlocks) }
                ForEach(offer.paragraphs, id: \.self) { Text(verbatim: $0) }
                if let page = offer.item.page { Link(destination: page) { Text("More", bundle: bundle) } }
            }
        }
        if offer.isTheirs { theirs(offer) }
        Section { ShopButtons(shopping: shopping) }
        LegalSection(shopping: shopping, isSubscriptionOffered: offer.item.kind == .subscription)
    }

    @ViewBuilder private func theirs(_ offer: Offer) -> some View {
        let transaction = unlocks.transaction(of: offer.item)
        Section {
            if offer.item.kind == .subscription, transaction != nil {
                #if canImport(UIKit)
                button("Manage Subscription") { shopping.isManaging = true }
                #else
                if let address = URL(string: "https://apps.apple.com/account/subscriptions") {
                    Link(destination: address) { Text("Manage Subscription", bundle: bundle) }
                }
                #endif
            }
            if offer.state == .owned, !offer.item.files.isEmpty {
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
            if let transaction {
                button("Request a Refund") { shopping.requestRefund(of: transaction) }
            }
        }
    }

    private func button(_ title: LocalizedStringKey, _ action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) { Text(title, bundle: bundle) }
            .disabled(shopping.work != nil)
    }
}

extension Offer {
    /// The longer text, which has blank lines between paragraphs.
    var paragraphs: [String] {
        (about ?? "").components(separatedBy: "\n\n").filter { !$0.isEmpty }
    }
}
#endif
