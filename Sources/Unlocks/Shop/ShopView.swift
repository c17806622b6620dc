#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
public import SwiftUI

/// Shows what there is to have, sells it, and brings back what was bought elsewhere.
///
/// ```swift
/// .sheet(isPresented: $isShopOpen) { ShopView(unlocks) }
/// ```
///
/// It is a list, so it needs the screen or a sheet for itself. Call ``UnlockCenter/start()`` before.
///
/// Prices and the periods of subscriptions are the store's. A shop with a subscription must link to its
/// terms of use and to its privacy policy (App Review, guideline 3.1.2). Without both addresses the view offers no
/// subscription, and reports ``UnlocksProblem/subscriptionNotOffered(item:)``.
///
/// What the user has paid for, or may have already, isn't for sale. Its row says why, and there are buttons to try again and
/// to restore purchases.
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
        case buying(String)
        case restoring
    }

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - unlocks: What the person has, and what there is.
    ///   - terms: The address of the terms of use. A shop with a subscription needs it.
    ///   - privacy: The address of the privacy policy. A shop with a subscription needs it.
    ///   - bundle: Has the sentences, in its `Localizable` table; `nil` for those of the library.
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
                product: offer.item.product.flatMap { unlocks.products?[$0] },
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

    /// What App Review requires beside a subscription, with the links that the app passes in any case.
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
    /// Whether the user has it or has paid for it, so it isn't for sale.
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

    /// Whether the next answer of the store tells what the offer is.
    func isLoading(_ offer: Offer) -> Bool {
        unlocks.isLoading && (offer.doubt != nil || offer.state == .unavailable && unlocks.products == nil)
    }

    /// What is left, where the item is for one unlock. Several may have different numbers.
    func dosesLeft(of item: CatalogItem) -> Int {
        guard case .consumable = item.kind, let unlock = item.grants.first, item.grants.count == 1 else { return 0 }
        return unlocks.balance(of: unlock)
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
            // A person who doesn't sign in and a device that is offline give the same error.
            // See <https://developer.apple.com/forums/thread/692177>.
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
    func titles(of unlocked: [String]) -> [String] {
        unlocks.offers.filter { $0.state != .hidden && $0.item.grants.contains(where: unlocked.contains) }.map(\.title)
    }

    func tell(_ news: ShopNews) {
        self.news = news
        hasNews = true
    }
}
#endif
