#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralBasics
import SwiftUI

/// The page of an item: its pictures, its facts, and the buttons for an item that the user has.
struct OfferPage: View {
    @ObservedObject var unlocks: UnlockCenter
    @ObservedObject var shopping: Shopping
    let id: ItemID
    let purchase: (@MainActor (CatalogItem) -> Void)?

    private var bundle: Bundle { shopping.bundle }

    var body: some View {
        List {
            UnreachedSection(unlocks: unlocks, shopping: shopping)
            if let offer = shopping.offer(of: id) {
                contents(of: offer)
            } else {
                Text("This is not for sale now.", bundle: bundle)
                Section { ShopButtons(unlocks: unlocks, shopping: shopping, offers: []) }
            }
            CloseButton(bundle: bundle) { shopping.page = nil }
        }
        .sheetSize()
        .shopSheets(of: shopping, onPage: true)
    }

    @ViewBuilder private func contents(of offer: ShopOffer) -> some View {
        Section {
            if let icon = offer.item.icon { PictureView(icon, isIcon: true) }
            OfferDescription(shopping: shopping, offer: offer)
            OfferStatus(shopping: shopping, offer: offer, purchase: purchase)
        }
        if !offer.item.pictures.isEmpty || offer.about != nil || offer.item.page != nil {
            Section {
                ForEach(offer.item.pictures, id: \.self) { PictureView($0) }
                Paragraphs(of: offer)
                if let page = offer.item.page { Link(destination: page) { Text("More", bundle: bundle) } }
            }
        }
        PurchaseSection(unlocks: unlocks, shopping: shopping, offer: offer)
        Section { ShopButtons(unlocks: unlocks, shopping: shopping, offers: [offer]) }
        LegalSection(shopping: shopping, isSubscriptionOffered: offer.item.kind == .subscription)
    }
}

/// The longer text about an item.
struct Paragraphs: View {
    private let paragraphs: [String]

    init(of offer: ShopOffer) { paragraphs = offer.paragraphs }

    var body: some View {
        // Two of them may be equal.
        ForEach(paragraphs.indices, id: \.self) { Text(own: paragraphs[$0]) }
    }
}

private extension ShopOffer {
    /// The longer text, which has blank lines between paragraphs.
    var paragraphs: [String] {
        let lines = (about ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.split { $0.allSatisfy(\.isWhitespace) }.map { $0.joined(separator: "\n") }
    }
}
#endif
