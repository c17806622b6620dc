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
        /// Somebody must approve the purchase first.
        case waiting
        /// For nothing.
        case free
        /// For the store's price, as the store writes it.
        case forSale(price: String)
        /// The store doesn't know the product.
        case unavailable
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
    /// - Returns: An offer for each item.
    public func offers(
        in context: ShopContext,
        prices: [String: String],
        open: Set<String>,
        waiting: Set<String>
    ) -> [Offer] {
        items.map { item in
            let state = item.state(in: context, prices: prices, open: open, waiting: waiting)
            return Offer(item: item, state: state, text: item.text(for: context.languages))
        }
    }
}

private extension CatalogueItem {
    /// The first state that applies.
    func state(
        in context: ShopContext,
        prices: [String: String],
        open: Set<String>,
        waiting: Set<String>
    ) -> Offer.State {
        let isIncluded = isIncluded(in: context.edition)
        let isConsumable = if case .consumable = kind { true } else { false }
        let isOwned = !isConsumable && grants.allSatisfy(open.contains)
        guard isEnabled || isOwned || isIncluded else { return .hidden }
        if let platforms, !platforms.contains(context.platform) { return .hidden }
        if minimumVersion != nil || maximumVersion != nil {
            guard let version = VersionNumber(context.appVersion) else { return .hidden }
            if let maximum = maximumVersion.flatMap(VersionNumber.init), version > maximum { return .hidden }
            if let minimumVersion, let minimum = VersionNumber(minimumVersion), version < minimum {
                return belowMinimum == .hide ? .hidden : .updateFirst(minimum: minimumVersion)
            }
        }
        if isIncluded { return .included }
        if isOwned { return .owned }
        if let product, waiting.contains(product) { return .waiting }
        if isFree { return .free }
        return product.flatMap { prices[$0] }.map(Offer.State.forSale) ?? .unavailable
    }

    /// For each language in turn RFC 4647's lookup; else English; else the first in sorted order.
    func text(for languages: [String]) -> Text? {
        let byLanguage = Dictionary(texts.map { ($0.lowercased(), $1) }, uniquingKeysWith: { first, _ in first })
        for language in languages + ["en"] {
            var parts = language.lowercased().split(separator: "-")
            while !parts.isEmpty {
                if let text = byLanguage[parts.joined(separator: "-")] { return text }
                parts.removeLast()
                // A single letter begins an extension, and means nothing without what comes after it.
                if parts.last?.count == 1 { parts.removeLast() }
            }
        }
        return texts.min { $0.key < $1.key }?.value
    }
}
