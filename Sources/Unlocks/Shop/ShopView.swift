#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
public import SwiftUI

/// A shop: shows the catalog's items, sells them, and restores purchases.
///
/// ```swift
/// .sheet(isPresented: $isShopOpen) { ShopView(unlocks) }
/// ```
///
/// The view is a list, so give it the whole screen or a sheet. Call ``UnlockCenter/start()`` first.
///
/// Prices and subscription periods come from the store. A shop with a subscription must link to its terms of use and to
/// its privacy policy (App Review, guideline 3.1.2). Without both addresses, the view offers no subscription, and
/// reports ``UnlocksProblem/subscriptionNotOffered(item:)``.
///
/// An item that the user has paid for, or may already have, isn't for sale. Its row shows the reason, and there are
/// buttons to try again and to restore purchases.
///
/// The view is localized in English and German. For other languages or other words, add the same keys to a string catalog
/// of your own.
public struct ShopView: View {
    @ObservedObject private var unlocks: UnlockCenter
    @State private var work: Work?
    @State private var news = ShopNews.nothingNew
    @State private var hasNews = false
    private let terms: URL?
    private let privacy: URL?
    private let bundle: Bundle

    private enum Work: Equatable {
        case buying(ItemID)
        case restoring
    }

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - unlocks: The center that the shop shows.
    ///   - terms: The address of the terms of use. A shop with a subscription needs it.
    ///   - privacy: The address of the privacy policy. A shop with a subscription needs it.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(_ unlocks: UnlockCenter, terms: URL? = nil, privacy: URL? = nil, bundle: Bundle? = nil) {
        self.unlocks = unlocks
        (self.terms, self.privacy) = (terms, privacy)
        self.bundle = bundle ?? .module
    }

    /// The offers, and the buttons.
    public var body: some View {
        let shown = shown
        List {
            if unlocks.isUnreached { unreached }
            Section {
                rows(shown)
            } header: {
                Text("Shop", bundle: bundle)
                    .accessibilityAddTraits(.isHeader)
            }
            Section {
                if let delivery = unlocks.delivery { progress(delivery) }
                if !unlocks.isLoading, !unlocks.isUnreached, shown.contains(where: { $0.doubt != nil }) {
                    tryAgainButton
                }
                restoreButton
            }
            legal
        }
        .alert(news.title(bundle), isPresented: $hasNews) {
        } message: {
            news.message(bundle)
        }
        .task {
            for item in unlocks.catalog.items where item.isEnabled && lacksTerms(item) {
                unlocks.onProblem?(.subscriptionNotOffered(item: item.id))
            }
            if unlocks.isOffline || unlocks.isUnreached { await unlocks.refresh() }
        }
    }

    @ViewBuilder private func rows(_ offers: [Offer]) -> some View {
        ForEach(offers, id: \.item.id) { offer in
            OfferRow(
                offer: offer,
                product: offer.item.productID.flatMap { unlocks.products?[$0] },
                dosesLeft: dosesLeft(of: offer.item),
                isBusy: work == .buying(offer.item.id) || isLoading(offer),
                bundle: bundle,
                buy: { buy(offer) }
            )
            .disabled(work != nil)
        }
        if offers.isEmpty { Text("There is nothing to buy now.", bundle: bundle) }
    }

    private var unreached: some View {
        Section {
            Label {
                Text("The store cannot be reached.", bundle: bundle)
            } icon: {
                Image(systemName: "wifi.slash")
            }
            tryAgainButton
        }
    }

    private var tryAgainButton: some View {
        Button {
            Task { await unlocks.refresh() }
        } label: {
            Text("Try Again", bundle: bundle)
        }
    }

    @ViewBuilder private func progress(_ delivery: Delivery) -> some View {
        let title = unlocks.offers.first { $0.item.id == delivery.item?.id }?.title
        ProgressView {
            if let title {
                Text("Delivering \(title)…", bundle: bundle)
            } else {
                Text("Delivering…", bundle: bundle)
            }
        }
    }

    /// The text that App Review requires for a subscription, and any links that the app passes.
    @ViewBuilder private var legal: some View {
        let isSubscriptionOffered = unlocks.catalog.items.contains { $0.kind == .subscription && !lacksTerms($0) }
        if isSubscriptionOffered || terms != nil || privacy != nil {
            Section {
                if isSubscriptionOffered {
                    Text(
                        "A subscription renews by itself until you cancel it in the settings of your Apple Account.",
                        bundle: bundle
                    )
                    .font(.subheadline)
                    .foregroundStyle(.secondary)
                }
                if let terms { Link(destination: terms) { Text("Terms of Use", bundle: bundle) } }
                if let privacy { Link(destination: privacy) { Text("Privacy Policy", bundle: bundle) } }
            }
        }
    }

    private var restoreButton: some View {
        Button {
            restore()
        } label: {
            Text("Restore Purchases", bundle: bundle)
        }
        .disabled(work != nil)
    }
}

private extension Offer {
    /// Whether the user has the item or has paid for it, so it isn't for sale.
    var isTheirs: Bool { [.owned, .included, .paid].contains(state) }
}

private extension ShopView {
    /// Whether the item is a subscription and the address of the terms of use or of the privacy policy is missing.
    func lacksTerms(_ item: CatalogItem) -> Bool {
        item.kind == .subscription && (terms == nil || privacy == nil)
    }

    var shown: [Offer] {
        unlocks.offers.filter { $0.state != .hidden && ($0.isTheirs || !lacksTerms($0.item)) }
    }

    /// Whether the offer's state depends on the store's next answer.
    func isLoading(_ offer: Offer) -> Bool {
        let isUnknown = offer.state == .unavailable(.unknownProduct) && unlocks.products == nil
        return unlocks.isLoading && (offer.doubt != nil || isUnknown)
    }

    /// The remaining amount if the item has one unlock. Several unlocks may have different amounts.
    func dosesLeft(of item: CatalogItem) -> Int {
        guard case .consumable = item.kind, let unlock = item.grants.first, item.grants.count == 1 else { return 0 }
        return unlocks.balance(of: unlock) ?? 0
    }

    func buy(_ offer: Offer) {
        guard work == nil else { return }
        work = .buying(offer.item.id)
        Task {
            do { _ = try await unlocks.buy(offer.item.id) } catch { tell(ShopNews(error)) }
            work = nil
        }
    }

    func restore() {
        guard work == nil else { return }
        work = .restoring
        Task {
            // The error is the same if the user doesn't sign in and if the device is offline. See
            // <https://developer.apple.com/forums/thread/692177>.
            do {
                await unlocks.open()
                switch try await unlocks.restore() {
                case .found(let unlocked): tell(.found(titles(of: unlocked)))
                case .nothingNew: tell(.nothingNew)
                case .nothingFound: tell(.nothingFound)
                }
            } catch is UnlocksError {
                tell(.notOpened)
            } catch {
                tell(.notRestored)
            }
            work = nil
        }
    }

    /// The titles of the offers that open some of these unlocks.
    func titles(of unlocked: [UnlockID]) -> [String] {
        unlocks.offers.filter { $0.state != .hidden && $0.item.grants.contains(where: unlocked.contains) }.map(\.title)
    }

    func tell(_ news: ShopNews) {
        self.news = news
        hasNews = true
    }
}
#endif
