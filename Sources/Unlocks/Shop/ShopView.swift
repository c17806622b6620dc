#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
public import SwiftUI

/// Shows what there is to have, sells it, and brings back what was bought elsewhere.
///
/// ```swift
/// .sheet(isPresented: $isShopOpen) { ShopView(unlocks) }
/// ```
///
/// It is a list, so it needs the screen or a sheet for itself. Call ``Unlocks/Unlocks/start()`` before.
///
/// Prices are as the store writes them. How long a subscription lasts belongs into the catalogue's text.
///
/// It speaks English and German. An app with other languages, or other words, has the same keys in a catalogue of its own.
public struct ShopView: View {
    @ObservedObject private var unlocks: Unlocks
    @State private var work: Work?
    @State private var news = ShopNews.restored
    @State private var hasNews = false
    private let bundle: Bundle

    private enum Work: Equatable {
        case buying(String)
        case restoring
    }

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - unlocks: What the person has, and what there is.
    ///   - bundle: Has the sentences, in its `Localizable` table; `nil` for those of the library.
    public init(_ unlocks: Unlocks, bundle: Bundle? = nil) {
        self.unlocks = unlocks
        self.bundle = bundle ?? .module
    }

    /// The offers, and the buttons.
    public var body: some View {
        List {
            if unlocks.isOffline, unlocks.prices == nil { offline }
            Section {
                offers
            } header: {
                Text("Shop", bundle: bundle)
                    .accessibilityAddTraits(.isHeader)
            }
            Section {
                if let delivery = unlocks.delivery { progress(delivery) }
                restoreButton
            }
        }
        .alert(news.title(bundle), isPresented: $hasNews) {
        } message: {
            if let reason = news.reason { Text(verbatim: reason) }
        }
        .task {
            if unlocks.isOffline { await unlocks.refresh() }
        }
    }

    @ViewBuilder private var offers: some View {
        let offers = unlocks.offers.filter { $0.state != .hidden }
        ForEach(offers, id: \.item.id) { offer in
            OfferRow(
                offer: offer,
                dosesLeft: dosesLeft(of: offer.item),
                isBusy: work == .buying(offer.item.id) || isLoading(offer),
                bundle: bundle,
                buy: { buy(offer) }
            )
            .disabled(work != nil)
        }
        if offers.isEmpty { Text("There is nothing to buy now.", bundle: bundle) }
    }

    private var offline: some View {
        Section {
            Label {
                Text("The store cannot be reached.", bundle: bundle)
            } icon: {
                Image(systemName: "wifi.slash")
            }
            Button {
                Task { await unlocks.refresh() }
            } label: {
                Text("Try Again", bundle: bundle)
            }
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

    private var restoreButton: some View {
        Button {
            restore()
        } label: {
            Text("Restore Purchases", bundle: bundle)
        }
        .disabled(work != nil)
    }
}

private extension ShopView {
    func isLoading(_ offer: Offer) -> Bool {
        offer.state == .unavailable && unlocks.prices == nil && !unlocks.isOffline
    }

    /// The doses that are left, where the item is for one unlock. Several may have different numbers.
    func dosesLeft(of item: CatalogueItem) -> Int {
        guard case .consumable = item.kind, let unlock = item.grants.first, item.grants.count == 1 else { return 0 }
        return unlocks.doses(of: unlock)
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
                try await unlocks.restore()
                tell(.restored)
            } catch {
                tell(.notRestored)
            }
            work = nil
        }
    }

    func tell(_ news: ShopNews) {
        self.news = news
        hasNews = true
    }
}
#endif
