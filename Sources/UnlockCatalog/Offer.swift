/// An item as the user sees it in the shop.
public struct Offer: Sendable, Equatable {
    /// Whether and how the item is offered.
    ///
    /// A `switch` over it needs a `default`, since later versions may add cases.
    public enum State: Sendable, Hashable {
        /// The item isn't shown.
        case hidden
        /// The user must update the app to this version first.
        case updateFirst(minimum: String)
        /// This edition of the app includes the item.
        case included
        /// The user has the item.
        case owned
        /// The user has paid for the item, and it is being delivered or saved.
        case paid
        /// It isn't known yet whether the user has the item, for this reason, so it isn't for sale.
        case checking(Doubt)
        /// Somebody must approve the purchase first.
        case waiting
        /// The item is free.
        case free
        /// The item is for sale at this price, as the store writes it.
        case forSale(price: String)
        /// The store doesn't have the product.
        case unavailable
    }

    /// Why it isn't known whether the user has an item.
    ///
    /// A `switch` over it needs a `default`, since later versions may add cases.
    public enum Doubt: String, Sendable {
        /// Its purchase is in progress.
        case purchasing
        /// The store hasn't answered since the app was installed, or since a subscription's expiration passed.
        case storeNotAsked
        /// The device hasn't been unlocked since it started, so the app can't read its files.
        case deviceLocked
        /// The journal hasn't been read yet.
        case notOpened
        /// It isn't known whether the user bought the app before it became free.
        case paidBefore
    }

    /// The item.
    public let item: CatalogItem
    /// Whether and how it is offered.
    public let state: State
    /// The title and the description in the user's language, if there are any.
    public let text: CatalogItem.Text?
}

/// The app that shows the shop.
public struct ShopContext: Sendable {
    /// The app's version.
    public var appVersion: String
    /// The platform that it runs on.
    public var platform: Platform
    /// The edition of the app, such as `full`; `nil` if it has no editions.
    public var edition: String?
    /// The user's languages, in order of preference.
    public var languages: [String]

    /// Creates a context.
    public init(appVersion: String, platform: Platform, edition: String? = nil, languages: [String]) {
        (self.appVersion, self.platform, self.edition, self.languages) = (appVersion, platform, edition, languages)
    }
}

extension Catalog {
    /// The offers of the shop, in the catalog's order.
    ///
    /// - Parameters:
    ///   - context: The app that shows the shop.
    ///   - prices: The store's prices, by product identifier. A product without a price is unknown to the store.
    ///   - open: The open unlocks.
    ///   - waiting: The products whose purchase waits for somebody's approval.
    /// - Returns: One offer per item.
    package func offers(
        in context: ShopContext,
        prices: [ProductID: String],
        open: Set<UnlockID>,
        waiting: Set<ProductID>
    ) -> [Offer] {
        offers(
            in: context,
            price: { prices[$0] },
            isOpen: open.contains,
            isWaiting: waiting.contains,
            isPaid: { _ in false },
            doubt: { _ in nil }
        )
    }

    package func offers(
        in context: ShopContext,
        price: (ProductID) -> String?,
        isOpen: (UnlockID) -> Bool,
        isWaiting: (ProductID) -> Bool,
        isPaid: (ProductID) -> Bool,
        doubt: (CatalogItem) -> Offer.Doubt?
    ) -> [Offer] {
        let version = VersionNumber(context.appVersion)
        let tags = CatalogItem.tags(for: context.languages)
        return items.map { item in
            let state =
                item.stateWithoutStore(in: context, version, isOpen)
                ?? item.stateInStore(price, isWaiting, isPaid, doubt)
            return Offer(item: item, state: state, text: item.text(for: tags))
        }
    }
}

// The first state that applies.
private extension CatalogItem {
    func stateWithoutStore(
        in context: ShopContext,
        _ version: VersionNumber?,
        _ isOpen: (UnlockID) -> Bool
    ) -> Offer.State? {
        let isIncluded = isIncluded(in: context.edition)
        let isConsumable = if case .consumable = kind { true } else { false }
        let isOwned = !isConsumable && grants.allSatisfy(isOpen)
        guard isEnabled || isOwned || isIncluded else { return .hidden }
        if let platforms, !platforms.contains(context.platform) { return .hidden }
        if minimum != nil || maximum != nil {
            guard let version else { return .hidden }
            if let maximum, version > maximum { return .hidden }
            if let minimumVersion, let minimum, version < minimum {
                return belowMinimum == .hide ? .hidden : .updateFirst(minimum: minimumVersion)
            }
        }
        return isIncluded ? .included : isOwned ? .owned : nil
    }

    func stateInStore(
        _ price: (ProductID) -> String?,
        _ isWaiting: (ProductID) -> Bool,
        _ isPaid: (ProductID) -> Bool,
        _ doubt: (CatalogItem) -> Offer.Doubt?
    ) -> Offer.State {
        if let productID, isPaid(productID) { return .paid }
        let doubt = doubt(self)
        if doubt == .purchasing { return .checking(.purchasing) }
        if let productID, isWaiting(productID) { return .waiting }
        if isFree { return .free }
        if let doubt { return .checking(doubt) }
        return productID.flatMap(price).map(Offer.State.forSale) ?? .unavailable
    }

    /// The language tags of RFC 4647's lookup for each language in turn, and then for English, in lower case.
    static func tags(for languages: [String]) -> [Name] {
        var tags: [Name] = []
        for language in languages + ["en"] {
            var parts = language.lowercased().split(separator: "-")
            while !parts.isEmpty {
                tags.append(Name(parts.joined(separator: "-")))
                parts.removeLast()
                // A single letter starts an extension, and has no meaning without the subtags after it.
                if parts.last?.count == 1 { parts.removeLast() }
            }
        }
        return tags
    }

    /// The text of the first tag that has one; otherwise the first in sorted order.
    func text(for tags: [Name]) -> Text? {
        guard textsByTag.count > 1 else { return firstText }
        return tags.lazy.compactMap { textsByTag[$0] }.first ?? firstText
    }
}
