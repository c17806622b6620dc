#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralAppSupport
public import SwiftUI

/// A shop: shows the catalog's items, sells them, and restores purchases.
///
/// ```swift
/// .sheet(isPresented: $isShopOpen) { ShopView(unlocks) }
/// ```
///
/// The view is a list, so give it the whole screen or a sheet, in which it has a button that closes it. In UIKit, present a
/// `UIHostingController` with the view. Call ``UnlockCenter/start()`` first.
///
/// Prices and subscription periods come from the store. A shop with a subscription must link to its terms of use and to
/// its privacy policy (App Review, guideline 3.1.2). Without both addresses, the view offers no subscription, and
/// reports ``UnlocksProblem/subscriptionNotOffered(item:)``.
///
/// An item that the user has paid for, or may already have, isn't for sale. Its row shows the reason, and there are
/// buttons to try again and to restore purchases.
///
/// A row leads to a page of the item, with its pictures, the longer text, and the buttons for an item that the user has. After
/// a purchase the view says thank you, and calls the closure of `onPurchase(_:)`.
///
/// The view is localized in English and German. For other languages or other words, add the same keys to a string catalog
/// of your own.
public struct ShopView: View {
    @StateObject private var shopping: Shopping

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - unlocks: The center that the shop shows.
    ///   - terms: The address of the terms of use. A shop with a subscription needs it.
    ///   - privacy: The address of the privacy policy. A shop with a subscription needs it.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(_ unlocks: UnlockCenter, terms: URL? = nil, privacy: URL? = nil, bundle: Bundle? = nil) {
        let links = ShopLinks(terms: terms, privacy: privacy)
        _shopping = StateObject(wrappedValue: Shopping(unlocks, links, bundle: bundle))
    }

    /// The offers, and the buttons.
    public var body: some View {
        let sections = sections
        List {
            ForEach(sections.indices, id: \.self) { index in
                Section {
                    ForEach(sections[index].offers, id: \.item.id) { offer in
                        OfferRow(shopping: shopping, offer: offer)
                    }
                } header: {
                    header(sections[index], isFirst: index == 0)
                }
            }
            if sections.isEmpty { Text("There is nothing to buy now.", bundle: shopping.bundle) }
            if shopping.unlocks.hasContent() {
                Section { ReloadButton(shopping: shopping, title: "Something is missing?", item: nil) }
            }
            ShopFooter(shopping: shopping, offers: sections.flatMap(\.offers))
        }
        .sheetSize()
        .shopSheets(of: shopping)
        .sheet(item: $shopping.page, onDismiss: { shopping.isCovered = shopping.page != nil }) { page in
            OfferPage(shopping: shopping, offer: shopping.offer(of: page.id))
                .shopSheets(of: shopping, onPage: true)
        }
        .task { await shopping.appear() }
    }

    private var sections: [OfferSection] {
        shopping.unlocks.sections.compactMap { section in
            var section = section
            section.offers.removeAll { !shopping.isShown($0) }
            return section.offers.isEmpty ? nil : section
        }
    }

    @ViewBuilder private func header(_ section: OfferSection, isFirst: Bool) -> some View {
        let title = section.text.map { Text(own: $0.title) } ?? (isFirst ? Text("Shop", bundle: shopping.bundle) : nil)
        if let title { title.accessibilityAddTraits(.isHeader) }
    }
}
#endif
