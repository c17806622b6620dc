#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralBasics
public import SwiftUI

/// A shop: shows the catalog's items, sells them, and restores purchases.
///
/// ```swift
/// .sheet(isPresented: $isShopOpen) { ShopView(unlocks) }
/// ```
///
/// The view is a list, so give it the whole screen or a sheet. In a sheet on a Mac or on visionOS, where no gesture closes it, the
/// view has a button for that. Call ``UnlockCenter/start()`` first.
///
/// Prices and subscription periods come from the store. A shop with a subscription must link to its terms of use and to
/// its privacy policy (App Review, guideline 3.1.2). Without both addresses, the view offers no subscription, and
/// reports ``UnlocksProblem/subscriptionNotOffered(item:)``.
///
/// An item that the user has paid for, or may already have, isn't for sale. Its row shows the reason, and there are
/// buttons to try again and to restore purchases.
///
/// A row leads to a page of the item, with its pictures, the longer text, and the buttons for an item that the user has. After
/// a purchase the view says thank you, and calls ``onPurchase(_:)``.
///
/// The view is localized in English and German. For other languages or other words, add the same keys to a string catalog
/// of your own.
public struct ShopView: View {
    @ObservedObject private var unlocks: UnlockCenter
    @StateObject private var shopping: Shopping
    private var purchase: (@MainActor (CatalogItem) -> Void)?

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - unlocks: The center that the shop shows.
    ///   - terms: The address of the terms of use. A shop with a subscription needs it.
    ///   - privacy: The address of the privacy policy. A shop with a subscription needs it.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(_ unlocks: UnlockCenter, terms: URL? = nil, privacy: URL? = nil, bundle: Bundle? = nil) {
        self.unlocks = unlocks
        _shopping = StateObject(
            wrappedValue: Shopping(unlocks, terms: terms, privacy: privacy, bundle: bundle)
        )
    }

    /// Calls a closure after each purchase, with the item.
    ///
    /// - Parameter action: The closure. The item's content may not be delivered yet.
    /// - Returns: The view.
    public func onPurchase(_ action: @escaping @MainActor (CatalogItem) -> Void) -> ShopView {
        var view = self
        view.purchase = action
        return view
    }

    /// The offers, and the buttons.
    public var body: some View {
        let sections = shownSections
        List {
            UnreachedSection(unlocks: unlocks, shopping: shopping)
            ForEach(sections.indices, id: \.self) { index in
                Section {
                    ForEach(sections[index].offers, id: \.item.id) { offer in
                        OfferRow(shopping: shopping, offer: offer, purchase: purchase)
                    }
                } header: {
                    header(sections[index], isFirst: index == 0)
                }
            }
            if sections.isEmpty { empty }
            Section {
                if let delivery = unlocks.delivery { progress(delivery) }
                ShopButtons(unlocks: unlocks, shopping: shopping, offers: sections.flatMap(\.offers))
            }
            LegalSection(shopping: shopping, isSubscriptionOffered: isSubscriptionOffered)
            CloseSection(bundle: shopping.bundle)
        }
        .sheetSize()
        .shopSheets(of: shopping)
        .sheet(item: $shopping.page, onDismiss: { shopping.didClose(.page) }) { page in
            OfferPage(unlocks: unlocks, shopping: shopping, id: page.id, purchase: purchase)
        }
        .task { await shopping.appear() }
    }

    private var shownSections: [OfferSection] {
        unlocks.sections.map { OfferSection(text: $0.text, offers: $0.offers.filter(shopping.isShown)) }
            .filter { !$0.offers.isEmpty }
    }

    private var isSubscriptionOffered: Bool {
        unlocks.catalog.items.contains { $0.kind == .subscription && !shopping.lacksTerms($0) }
    }

    @ViewBuilder private func header(_ section: OfferSection, isFirst: Bool) -> some View {
        if let text = section.text {
            Text(own: text.title)
                .accessibilityAddTraits(.isHeader)
        } else if isFirst {
            title
        }
    }

    private var title: some View {
        Text("Shop", bundle: shopping.bundle)
            .accessibilityAddTraits(.isHeader)
    }

    private var empty: some View {
        Section {
            Text("There is nothing to buy now.", bundle: shopping.bundle)
        } header: {
            title
        }
    }

    @ViewBuilder private func progress(_ delivery: Delivery) -> some View {
        let title = unlocks.offers.first { $0.item.id == delivery.item?.id }?.title
        ProgressView {
            if let title {
                Text("Being delivered: \(own: title)…", bundle: shopping.bundle)
            } else {
                Text("Delivering…", bundle: shopping.bundle)
            }
        }
    }
}
#endif
