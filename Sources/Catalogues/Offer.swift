import ReferralBridge

/// What a person sees of an item in the shop.
public struct Offer: Sendable, Equatable {
    /// Whether and how the item is offered.
    public enum State: Sendable, Hashable {
        /// Not at all.
        case hidden
        /// After an update of the app to this version.
        case updateFirst(minimum: String)
        /// This edition of the app has it.
        case included
        /// The person has it.
        case owned
        /// The person has paid for it, and it is being delivered or saved.
        case paid
        /// It isn't known yet whether the person has it, so it isn't for sale, and why.
        case checking(Doubt)
        /// Somebody must approve the purchase first.
        case waiting
        /// For nothing.
        case free
        /// For the store's price, as the store writes it.
        case forSale(price: String)
        /// The store doesn't know the product.
        case unavailable
    }

    /// Why it isn't known whether a person has an item.
    public enum Doubt: String, Sendable {
        /// Its purchase has begun, and hasn't ended.
        case purchasing
        /// The store hasn't answered since the app was installed, or since a subscription's expiration passed.
        case storeNotAsked
        /// The device hasn't been unlocked since it started, so the app can't read its files.
        case deviceLocked
        /// What the person has isn't read yet.
        case notOpened
        /// Whether the person bought the app before it became free isn't known.
        case paidBefore
    }

    /// The item.
    public let item: CatalogueItem
    /// Whether and how it is offered.
    public let state: State
    /// The title and the description in the person's language, if there are any.
    public let text: CatalogueItem.Text?
}

/// The app that shows the shop.
public struct ShopContext: Sendable {
    /// The app's version.
    public var appVersion: String
    /// The platform that it runs on.
    public var platform: Platform
    /// The edition of the app, such as `full`; `nil` if it has no editions.
    public var edition: String?
    /// The person's languages, the favourite first.
    public var languages: [String]

    /// Creates a context.
    public init(appVersion: String, platform: Platform, edition: String? = nil, languages: [String]) {
        (self.appVersion, self.platform, self.edition, self.languages) = (appVersion, platform, edition, languages)
    }
}

extension Catalogue {
    /// What a person sees, in the catalogue's order.
    ///
    /// - Parameters:
    ///   - context: The app that shows the shop.
    ///   - prices: The store's prices, by product identifier. A product that isn't there is unknown to the store.
    ///   - open: The unlocks that are open.
    ///   - waiting: The products whose purchase waits for somebody's approval.
    ///   - paid: The products that were paid for, and open nothing yet.
    ///   - doubt: Why it isn't known whether the person has an item; `nil` if they don't have it.
    /// - Returns: An offer for each item.
    public func offers(
        in context: ShopContext,
        prices: [String: String],
        open: Set<String>,
        waiting: Set<String>,
        paid: Set<String> = [],
        doubt: (CatalogueItem) -> Offer.Doubt? = { _ in nil }
    ) -> [Offer] {
        let version = VersionNumber(context.appVersion)
        let tags = CatalogueItem.tags(for: context.languages)
        return items.map { item in
            let state =
                item.stateWithoutStore(in: context, version, open)
                ?? item.stateInStore(prices: prices, waiting: waiting, paid: paid, doubt(item))
            return Offer(item: item, state: state, text: item.text(for: tags))
        }
    }
}

// The first state that applies.
private extension CatalogueItem {
    func stateWithoutStore(in context: ShopContext, _ version: VersionNumber?, _ open: Set<String>) -> Offer.State? {
        let isIncluded = isIncluded(in: context.edition)
        let isConsumable = if case .consumable = kind { true } else { false }
        let isOwned = !isConsumable && grants.allSatisfy(open.contains)
        guard isEnabled || isOwned || isIncluded else { return .hidden }
        if let platforms, !platforms.contains(context.platform) { return .hidden }
        if minimumVersion != nil || maximumVersion != nil {
            guard let version else { return .hidden }
            if let maximum = maximumVersion.flatMap(VersionNumber.init), version > maximum { return .hidden }
            if let minimumVersion, let minimum = VersionNumber(minimumVersion), version < minimum {
                return belowMinimum == .hide ? .hidden : .updateFirst(minimum: minimumVersion)
            }
        }
        return isIncluded ? .included : isOwned ? .owned : nil
    }

    func stateInStore(
        prices: [String: String],
        waiting: Set<String>,
        paid: Set<String>,
        _ doubt: Offer.Doubt?
    ) -> Offer.State {
        if let product, paid.contains(product) { return .paid }
        if doubt == .purchasing { return .checking(.purchasing) }
        if let product, waiting.contains(product) { return .waiting }
        if isFree { return .free }
        if let doubt { return .checking(doubt) }
        return product.flatMap { prices[$0] }.map(Offer.State.forSale) ?? .unavailable
    }
}

private extension CatalogueItem {
    /// The language tags of RFC 4647's lookup for each language in turn, and then for English, in lower case.
    static func tags(for languages: [String]) -> [String] {
        var tags: [String] = []
        for language in languages + ["en"] {
            var parts = language.lowercased().split(separator: "-")
            while !parts.isEmpty {
                tags.append(parts.joined(separator: "-"))
                parts.removeLast()
                // A single letter begins an extension, and means nothing without what comes after it.
                if parts.last?.count == 1 { parts.removeLast() }
            }
        }
        return tags
    }

    /// The text of the first tag that there is one for; else the first in sorted order.
    func text(for tags: [String]) -> Text? {
        guard texts.count > 1 else { return texts.first?.value }
        // In order, so that of two tags that differ by case only always the same one counts.
        let texts = texts.sorted { Name($0.key) < Name($1.key) }
        let byLanguage = Dictionary(
            texts.map { ($0.key.lowercased(), $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
        return tags.lazy.compactMap { byLanguage[$0] }.first ?? texts.first?.value
    }
}
