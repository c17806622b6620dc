#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Combine
import Foundation
import SwiftUI

/// A user's actions in a view of the shop, and the message about the last one.
@MainActor
final class Shopping: ObservableObject {
    /// The page of an item.
    struct Page: Identifiable { let id: ItemID }

    enum Presentation {
        case news, redemption, subscriptions, refund
        /// The question whether to load the content of the open page again, or all content.
        case download, reset
    }

    /// The center's publisher: what a view shows depends on both.
    nonisolated var objectWillChange: ObservableObjectPublisher { unlocks.objectWillChange }

    /// Whether an action is being performed. Until it is over, there can't be another one.
    private(set) var isWorking = false { willSet { objectWillChange.send() } }
    private(set) var news: ShopNews?
    /// What is shown over the page of an item, or over the view behind it.
    var presentation: Presentation? { willSet { objectWillChange.send() } }
    /// The item whose page is open.
    var page: Page? {
        willSet { objectWillChange.send() }
        didSet { if page != nil { isCovered = true } }
    }
    /// Whether a page is open, or is still closing. The view behind it can present nothing then.
    var isCovered = false { willSet { objectWillChange.send() } }
    /// The transaction for which a refund is requested.
    var refundedTransaction: UInt64 = 0

    nonisolated let unlocks: UnlockCenter
    let links: ShopLinks
    let bundle: Bundle

    init(_ unlocks: UnlockCenter, _ links: ShopLinks, bundle: Bundle? = nil) {
        self.unlocks = unlocks
        self.links = links
        self.bundle = bundle ?? .module
    }

    /// Whether something is presented on the page of an item, or on the view behind it. Both observe the same values, and only
    /// the one in front can present something.
    subscript(presentation: Presentation, onPage onPage: Bool) -> Bool {
        get { self.presentation == presentation && (onPage ? page != nil : !isCovered) }
        set { self.presentation = newValue ? presentation : nil }
    }

    // MARK: Offers

    /// Whether the item is a subscription and the address of the terms of use or of the privacy policy is missing.
    func lacksTerms(_ item: CatalogItem) -> Bool {
        item.kind == .subscription && (links.terms == nil || links.privacy == nil)
    }

    /// Whether an offer is shown. A subscription without its terms is shown only to users who have it.
    func isShown(_ offer: ShopOffer) -> Bool { offer.state != .hidden && (offer.isTheirs || !lacksTerms(offer.item)) }

    /// Whether the offer's state depends on the store's next answer.
    func isLoading(_ offer: ShopOffer) -> Bool {
        let isUnknown = offer.state == .unavailable(.unknownProduct) && unlocks.products == nil
        return unlocks.isLoading && (offer.doubt != nil || isUnknown)
    }

    func product(of item: CatalogItem) -> StoreProduct? { item.productID.flatMap { unlocks.products?[$0] } }

    /// The introduction with which a subscription begins for the user. A change from another plan of its group has none.
    func introduction(of offer: ShopOffer) -> StoreProduct.Introduction? {
        if case .otherPlan = offer.state { return nil }
        return product(of: offer.item)?.introduction
    }

    /// The product of an offer that can be bought here. Guideline 3.1.2 requires the length of a subscription, so one without
    /// a period isn't for sale.
    func productForSale(of offer: ShopOffer) -> StoreProduct? {
        switch offer.state {
        case .forSale, .otherPlan: break
        default: return nil
        }
        guard isShown(offer), let product = product(of: offer.item) else { return nil }
        return offer.item.kind != .subscription || product.period != nil ? product : nil
    }

    /// The offer of an item, if it is shown.
    func offer(of item: ItemID) -> ShopOffer? { unlocks.offers.first { $0.item.id == item && isShown($0) } }

    /// The first item of the catalog that opens all of these unlocks and meets the condition. Items that the user has or is about
    /// to have come first, then those that can be had here, and then all that are shown.
    func offer(opening grants: [UnlockID], where isMeant: (CatalogItem) -> Bool = { _ in true }) -> ShopOffer? {
        let offers = unlocks.offers.filter {
            isShown($0) && isMeant($0.item) && Set($0.item.grants).isSuperset(of: grants)
        }
        return offers.first { $0.isTheirs || [.waiting, .checking(.purchasing)].contains($0.state) }
            ?? offers.first { $0.state == .free || productForSale(of: $0) != nil } ?? offers.first
    }

    /// The title: the store's for a subscription, as guideline 3.1.2 requires.
    func title(of offer: ShopOffer) -> String {
        guard offer.item.kind == .subscription, let title = product(of: offer.item)?.title else { return offer.title }
        return title
    }

    /// The title of an unlock: that of the item that opens it alone, or its name if there is none.
    func title(of unlock: UnlockID) -> String {
        unlocks.offers.first { $0.item.grants == [unlock] }?.title ?? unlock.rawValue
    }

    /// Whether the user has bought all that an item opens, with this item or with others.
    func isBought(_ item: CatalogItem) -> Bool {
        let now = unlocks.now
        return item.grants.allSatisfy { unlocks.isOwned($0) || unlocks.book.ledger.isSubscribed($0, at: now) }
    }

    /// The days until a running trial ends, rounded up; `nil` for anything else, and for a trial whose end locks nothing since
    /// the user has bought all that it opens.
    func daysLeft(of item: CatalogItem) -> Int? {
        guard case .trial = item.kind, let product = item.productID, !isBought(item) else { return nil }
        let now = unlocks.now
        guard let end = unlocks.book.ledger.trialEnd(of: product, at: now) else { return nil }
        // A date in a damaged journal may be too far ahead for a whole number. No trial lasts longer.
        return Int(min(end.timeIntervalSince(now) / 86_400, 365).rounded(.up))
    }

    // MARK: Actions

    /// Reports the subscriptions that aren't offered because an address is missing, and asks a store again that wasn't
    /// reached.
    func appear() async {
        for item in unlocks.catalog.items where item.isEnabled && lacksTerms(item) {
            unlocks.onProblem?(.subscriptionNotOffered(item: item.id))
        }
        if unlocks.isOffline || unlocks.isUnreached { await unlocks.refresh() }
    }

    func buy(_ offer: ShopOffer, in place: PurchasePlace?, then completion: (@MainActor (CatalogItem) -> Void)?) {
        perform(orSay: "The purchase failed. Try again later.") { [self] in
            switch try await unlocks.buy(offer.item.id, in: place) {
            case .bought:
                completion?(offer.item)
                return ShopNews("Thank you!", items: [title(of: offer)], in: bundle)
            case .scheduled:
                let then: LocalizedStringKey = "From then on: \(own: title(of: offer))"
                return ShopNews("Your plan changes when the current period ends.", then, in: bundle)
            case .waiting, .cancelled: return nil
            }
        }
    }

    func restore() {
        perform(orSay: Self.notRestored) { [self] in
            switch try await unlocks.restore() {
            case .found(let unlocked):
                let found = unlocks.offers.filter { $0.isTheirs && $0.item.grants.contains(where: unlocked.contains) }
                return ShopNews("Your purchases are back.", items: found.map(\.title), in: bundle)
            case .nothingNew: return ShopNews("All your purchases are here already.", in: bundle)
            case .nothingFound:
                return ShopNews(
                    "No purchases were found.",
                    "If you bought something with another Apple Account, sign in with that one and try again.",
                    in: bundle
                )
            }
        }
    }

    /// Deletes the content of an item, or all content, and delivers it again.
    func deliverAgain(_ item: CatalogItem?) {
        perform(orSay: Self.notRestored) { [self] in
            if let item { try await unlocks.deliverAgain(item.id) } else { try await unlocks.reset() }
            return nil
        }
    }

    // The system may report the same error to users who don't sign in and to those who are offline. See
    // <https://developer.apple.com/forums/thread/692177>.
    private static let notRestored: LocalizedStringKey =
        "Not everything could be restored. You have to be online, and signed in to the App Store."

    private func perform(
        orSay failure: LocalizedStringKey,
        _ action: @escaping @MainActor () async throws -> ShopNews?
    ) {
        guard !isWorking else { return }
        isWorking = true
        Task {
            do { news = try await action() } catch { news = ShopNews(of: error, otherwise: failure, bundle) }
            isWorking = false
            if news != nil { presentation = .news }
        }
    }
}

extension ShopOffer {
    /// The title, or the item's name if the catalog has no title.
    var title: String { text?.title ?? item.id.rawValue }

    /// Whether the user has the item or has paid for it, so it isn't for sale.
    var isTheirs: Bool { [.owned, .included, .paid].contains(state) }

    /// Why it isn't known whether the user has the item, unless they are buying it.
    var doubt: Doubt? { if case .checking(let doubt) = state, doubt != .purchasing { doubt } else { nil } }
}
#endif
