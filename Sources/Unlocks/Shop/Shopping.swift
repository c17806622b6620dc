#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Combine
import Foundation
import SwiftUI

/// A user's actions in a shop, and the messages about them.
@MainActor
final class Shopping: ObservableObject {
    enum Work: Equatable {
        case buying(ItemID)
        case restoring
        case deliveringAgain(ItemID)
    }

    /// The page of an item.
    struct Page: Identifiable { let id: ItemID }

    /// A page on the web, which a link leads to.
    struct WebPage: Identifiable {
        let address: URL

        var id: URL { address }
    }

    /// A sheet of the app's.
    enum Sheet { case page, web }

    @Published private(set) var work: Work?
    @Published private(set) var news = ShopNews.nothingNew
    @Published var hasNews = false
    /// The item whose page is open.
    @Published var page: Page? { didSet { if page != nil { sheets.insert(.page) } } }
    /// The page on the web that is open over the page of an item, or over the view behind it.
    @Published var webPage: WebPage? { didSet { if webPage != nil { sheets.insert(.web) } } }
    /// The sheets that are open, or that are still closing.
    @Published private var sheets: Set<Sheet> = []
    /// Whether the user is asked whether to load the content of the open page again.
    @Published var isAskingAgain = false
    @Published var isRedeeming = false
    @Published var isManaging = false
    @Published var isRefunding = false
    /// The transaction for which a refund is requested.
    private(set) var refundedTransaction: UInt64 = 0

    let unlocks: UnlockCenter
    let terms: URL?
    let privacy: URL?
    let bundle: Bundle

    init(_ unlocks: UnlockCenter, terms: URL?, privacy: URL?, bundle: Bundle?) {
        self.unlocks = unlocks
        self.terms = terms
        self.privacy = privacy
        self.bundle = bundle ?? .module
    }

    /// Whether something is presented on the page of an item, or on the view behind it. Both observe the same values, and only
    /// the one in front can present something. While a sheet closes, neither can: whatever it presented then would be lost.
    subscript(value: ReferenceWritableKeyPath<Shopping, Bool>, onPage onPage: Bool) -> Bool {
        get { self[keyPath: value] && (page != nil) == onPage && sheets == (onPage ? [.page] : []) }
        set { self[keyPath: value] = newValue }
    }

    /// The page on the web that is open over the page of an item, or over the view behind it.
    subscript(webPageOnPage onPage: Bool) -> WebPage? {
        get { (page != nil) == onPage ? webPage : nil }
        set { webPage = newValue }
    }

    /// A sheet has closed. Meanwhile, it may have been opened again.
    func didClose(_ sheet: Sheet) {
        let isOpen = sheet == .page ? page != nil : webPage != nil
        if !isOpen { sheets.remove(sheet) }
    }

    /// Whether the item is a subscription and the address of the terms of use or of the privacy policy is missing.
    func lacksTerms(_ item: CatalogItem) -> Bool {
        item.kind == .subscription && (terms == nil || privacy == nil)
    }

    /// Whether an offer is shown. A subscription without its terms is shown only to users who have it.
    func isShown(_ offer: ShopOffer) -> Bool { offer.state != .hidden && (offer.isTheirs || !lacksTerms(offer.item)) }

    /// Whether the offer's state depends on the store's next answer.
    func isLoading(_ offer: ShopOffer) -> Bool {
        let isUnknown = offer.state == .unavailable(.unknownProduct) && unlocks.products == nil
        return unlocks.isLoading && (offer.doubt != nil || isUnknown)
    }

    func isBusy(_ offer: ShopOffer) -> Bool { work == .buying(offer.item.id) || isLoading(offer) }

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

    /// The first item of the catalog that opens all of these unlocks and meets the condition. Items that the user has bought come
    /// first, then those that they have or are about to have, then those that can be had here, and then all that are shown.
    func offer(opening grants: [UnlockID], where isMeant: (CatalogItem) -> Bool = { _ in true }) -> ShopOffer? {
        let offers = unlocks.offers.filter {
            isShown($0) && isMeant($0.item) && Set($0.item.grants).isSuperset(of: grants)
        }
        let bought = unlocks.paid.products.union(unlocks.state.purchasing).union(unlocks.pendingProducts)
        return offers.first { $0.item.productID.map(bought.contains) ?? false }
            ?? offers.first { $0.isTheirs || $0.state == .checking(.purchasing) }
            ?? offers.first { $0.state == .free || productForSale(of: $0) != nil } ?? offers.first
    }

    /// The title: the store's for a subscription, as guideline 3.1.2 requires.
    func title(of offer: ShopOffer) -> String {
        guard offer.item.kind == .subscription, let title = product(of: offer.item)?.title else { return offer.title }
        return title
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

    /// The balance, if the item has one unlock. Several unlocks may have different balances.
    func left(of item: CatalogItem) -> Int {
        guard item.kind.isConsumable, let unlock = item.grants.first, item.grants.count == 1 else { return 0 }
        return unlocks.balance(of: unlock).count ?? 0
    }

    /// Reports the subscriptions that aren't offered because an address is missing, and asks a store again that wasn't
    /// reached.
    func appear() async {
        for item in unlocks.catalog.items where item.isEnabled && lacksTerms(item) {
            unlocks.onProblem?(.subscriptionNotOffered(item: item.id))
        }
        if unlocks.isOffline || unlocks.isUnreached { await unlocks.refresh() }
    }

    func buy(
        _ offer: ShopOffer,
        in place: PurchasePlace? = nil,
        then completion: (@MainActor (CatalogItem) -> Void)?
    ) {
        perform(.buying(offer.item.id)) { [self] in
            do {
                switch try await unlocks.buy(offer.item.id, in: place) {
                case .bought:
                    await unlocks.waitForDelivery(of: offer.item)
                    let isOpen = unlocks.isAvailable(offer.item)
                    tell(.bought(title(of: offer), isOpen: isOpen, isFree: offer.item.isFree))
                    completion?(offer.item)
                case .scheduled: tell(.scheduled(title(of: offer)))
                case .waiting, .cancelled: break
                }
            } catch {
                tell(ShopNews(error))
            }
        }
    }

    func restore() {
        perform(.restoring) { [self] in
            await unlocks.open()
            let before = unlocks.bought
            do {
                switch try await unlocks.restore() {
                case .found(let unlocked): tell(news(ofFound: unlocked))
                case .nothingNew: tell(.nothingNew)
                case .nothingFound: tell(.nothingFound)
                }
            } catch {
                // The list may have come although the app's own purchase didn't.
                let found = unlocks.bought.subtracting(before)
                tell(found.isEmpty ? ShopNews(notRestored: error) : news(ofFound: found.sorted()))
            }
        }
    }

    /// Deletes the content of an item, and delivers it again.
    func deliverAgain(_ item: CatalogItem) {
        isAskingAgain = false
        perform(.deliveringAgain(item.id)) { [self] in
            do { try await unlocks.deliverAgain(item.id) } catch { tell(.notOpened) }
        }
    }

    func requestRefund(of transaction: UInt64) {
        refundedTransaction = transaction
        isRefunding = true
    }

    private func perform(_ work: Work, _ action: @escaping @MainActor () async -> Void) {
        guard self.work == nil else { return }
        self.work = work
        Task {
            await action()
            self.work = nil
        }
    }

    /// Names the items that the user has bought and that open some of these unlocks.
    private func news(ofFound unlocked: [UnlockID]) -> ShopNews {
        let byApp = Set(unlocked).intersection(unlocks.boughtWithApp)
        let found = unlocks.offers.filter { offer in
            guard offer.state != .hidden, offer.item.grants.contains(where: unlocked.contains) else { return false }
            let isByApp = offer.state == .owned && offer.item.kind == .nonConsumable
            return unlocks.purchase(of: offer.item) != nil
                || isByApp && offer.item.grants.contains(where: byApp.contains)
        }
        return found.isEmpty && !byApp.isEmpty ? .foundApp : .found(found.map(\.title))
    }

    private func tell(_ news: ShopNews) {
        self.news = news
        hasNews = true
    }
}

extension ShopOffer {
    /// Whether the user has the item or has paid for it, so it isn't for sale.
    var isTheirs: Bool { [.owned, .included, .paid].contains(state) }
}
#endif
