#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralAppSupport
import SwiftUI

/// All about one item: its facts, its pictures, and the buttons of the shop, with those for an item that the user has.
struct OfferPage: View {
    @ObservedObject var shopping: Shopping
    let offer: ShopOffer?
    /// The first line; `nil` if nothing is missing.
    var reason: Text?
    /// An offer to compare it with.
    var other: ShopOffer?

    private var bundle: Bundle { shopping.bundle }

    var body: some View {
        List {
            if let offer {
                contents(of: offer)
            } else {
                Text("This is not for sale now.", bundle: bundle)
            }
            ShopFooter(shopping: shopping, offers: [offer].compactMap(\.self))
        }
        .sheetSize()
    }

    @ViewBuilder private func contents(of offer: ShopOffer) -> some View {
        let item = offer.item
        Section {
            if let reason { reason }
            if let icon = item.icon { PictureView(icon, isIcon: true) }
            OfferDescription(shopping: shopping, offer: offer)
            OfferStatus(shopping: shopping, offer: offer)
        }
        if let other {
            Section {
                HStack {
                    column(offer)
                    Spacer()
                    column(other)
                }
            }
        }
        if !item.pictures.isEmpty || offer.about != nil || item.page != nil {
            Section {
                ForEach(item.pictures, id: \.self) { PictureView($0) }
                let paragraphs = offer.paragraphs
                // Two of them may be equal.
                ForEach(paragraphs.indices, id: \.self) { Text(own: paragraphs[$0]) }
                if let page = item.page { Link(destination: page) { Text("More", bundle: bundle) } }
            }
            .disabled(shopping.isWorking)
        }
        PurchaseSection(shopping: shopping, offer: offer)
    }

    /// What an item opens, beside another one.
    private func column(_ offer: ShopOffer) -> some View {
        VStack(alignment: .leading) {
            Text(own: shopping.title(of: offer)).font(.headline)
            ForEach(offer.item.grants, id: \.self) { Text(own: shopping.title(of: $0)) }
            Spacer()
            OfferStatus(shopping: shopping, offer: offer)
        }
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
