/// An item as the user sees it in the shop.
public struct ShopOffer: Sendable, Equatable {
    /// Whether and how the item is offered.
    public enum State: Sendable, Hashable {
        /// The item isn't shown.
        case hidden
        /// The user must update the app to this version first.
        case updateFirst(minimum: String)
        /// This edition of the app includes the item.
        case included
        /// The user has the item.
        case owned
        /// The user has paid for the item or earned it, and it is being delivered or saved.
        case paid
        /// It isn't known yet whether the user has the item, for this reason, so it isn't for sale.
        case checking(Doubt)
        /// Somebody must approve the purchase first.
        case waiting
        /// The item is free.
        case free
        /// The item is for sale at this price, as the store writes it.
        case forSale(price: String)
        /// The user has another plan of the same subscription, and can change to this one. It costs this price, as the store writes
        /// it, without an introduction.
        case otherPlan(price: String)
        /// The item can't be bought, for this reason.
        case unavailable(Obstacle)
    }

    /// Why an item can't be bought.
    public enum Obstacle: String, Sendable {
        /// The store doesn't have the product.
        case unknownProduct
        /// The device doesn't allow payments, such as one with parental controls.
        case notAllowed
    }

    /// Why it isn't known whether the user has an item.
    public enum Doubt: String, Sendable {
        /// Its purchase is in progress.
        case purchasing
        /// The store hasn't answered since the app was installed, or since a subscription's expiration passed.
        case storeNotAsked
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
    /// The longer text about the item in the user's language, if there is one. Blank lines separate paragraphs.
    public let about: String?
}

/// The app that shows the shop.
public struct ShopContext: Sendable {
    /// The app's version.
    public var appVersion: String
    /// The platform that it runs on.
    public var platform: CatalogItem.Platform
    /// The edition of the app, such as `full`; `nil` if it has no editions.
    public var edition: String?
    /// The user's languages, in order of preference.
    public var languages: [String]

    /// Creates a context.
    public init(appVersion: String, platform: CatalogItem.Platform, edition: String? = nil, languages: [String]) {
        self.appVersion = appVersion
        self.platform = platform
        self.edition = edition
        self.languages = languages
    }
}

/// The user's purchases and unlocks, as far as the shop's offers depend on them.
package struct Holdings {
    /// Whether a trial is over.
    package enum Trial: String { case running, ended }

    /// The store's price of a product; `nil` if the store doesn't know the product.
    package var price: (ProductID) -> String? = { _ in nil }
    /// Whether an unlock is open permanently. An allowance, a pack, a trial or a purchase for some days isn't permanent.
    package var isOwned: (UnlockID) -> Bool = { _ in false }
    /// Whether a subscription opens an unlock.
    package var isSubscribed: (UnlockID) -> Bool = { _ in false }
    /// Whether the user has an active subscription with a product.
    package var isPlan: (ProductID) -> Bool = { _ in false }
    /// Whether the user has an active subscription in a product's group; `nil` if the store doesn't tell the group.
    package var isInGroup: (ProductID) -> Bool? = { _ in nil }
    /// The state of the trial with a product; `nil` if it hasn't been taken.
    package var trial: (ProductID) -> Trial? = { _ in nil }
    /// Whether the purchase of a product waits for somebody's approval.
    package var isWaiting: (ProductID) -> Bool = { _ in false }
    /// Whether purchases that are paid for, and not delivered yet, give the user all of an item.
    package var isPaid: (CatalogItem) -> Bool = { _ in false }
    /// Why it isn't known whether the user has an item; `nil` if it is known.
    package var doubt: (CatalogItem) -> ShopOffer.Doubt? = { _ in nil }
    /// Whether the device allows payments.
    package var canPay = true

    package init() {}
}

extension ShopCatalog {
    /// The offers of the shop, in the catalog's order, one per item.
    package func offers(in context: ShopContext, _ holdings: Holdings) -> [ShopOffer] {
        let version = VersionNumber(context.appVersion)
        let tags = Localized<CatalogItem.Text>.tags(for: context.languages)
        return items.map { item in
            ShopOffer(
                item: item,
                state: item.state(in: context, version, holdings),
                text: item.text.text(for: tags),
                about: item.about.text(for: tags)
            )
        }
    }
}

private extension CatalogItem {
    /// The first state that applies.
    func state(in context: ShopContext, _ version: VersionNumber?, _ holdings: Holdings) -> ShopOffer.State {
        if kind.isAllowance { return .hidden }
        let (isIncluded, isOwned) = (isIncluded(in: context.edition), isOwned(holdings))
        guard isEnabled || isOwned || isIncluded else { return .hidden }
        if let platforms, !platforms.contains(context.platform) { return .hidden }
        if minimumVersion != nil || maximumVersion != nil {
            guard let version else { return .hidden }
            if let maximum = maximumVersion.flatMap(VersionNumber.init), version > maximum { return .hidden }
            if let minimumVersion, let minimum = VersionNumber(minimumVersion), version < minimum {
                return belowMinimum == .hide ? .hidden : .updateFirst(minimum: minimumVersion)
            }
        }
        if isIncluded { return .included }
        // The store sells a trial only once, and it gives nothing to users who have bought the full version since.
        if trial(holdings) == .ended { return .hidden }
        if isOwned { return .owned }
        if holdings.isPaid(self) { return .paid }
        let doubt = holdings.doubt(self)
        if doubt == .purchasing { return .checking(.purchasing) }
        if let productID, holdings.isWaiting(productID) { return .waiting }
        if isFree { return .free }
        if let doubt { return .checking(doubt) }
        guard holdings.canPay else { return .unavailable(.notAllowed) }
        guard let price = productID.flatMap(holdings.price) else { return .unavailable(.unknownProduct) }
        return isOtherPlan(holdings) ? .otherPlan(price: price) : .forSale(price: price)
    }

    func isOwned(_ holdings: Holdings) -> Bool {
        switch kind {
        case .consumable: false
        // If a plan of another group opens the same, a subscriber would pay for both.
        case .subscription: isPlan(holdings) || isOpen(holdings) && !isOtherPlan(holdings)
        case .trial: trial(holdings) == .running || isOpen(holdings)
        default: grants.allSatisfy(holdings.isOwned)
        }
    }

    /// Whether all that it opens is open without counting, and not just for some days.
    func isOpen(_ holdings: Holdings) -> Bool {
        grants.allSatisfy { holdings.isOwned($0) || holdings.isSubscribed($0) }
    }

    func isPlan(_ holdings: Holdings) -> Bool { kind == .subscription && productID.map(holdings.isPlan) ?? false }

    /// Whether the user can change to it from the subscription that they have.
    func isOtherPlan(_ holdings: Holdings) -> Bool {
        guard kind == .subscription, !isPlan(holdings), !grants.allSatisfy(holdings.isOwned) else { return false }
        return productID.flatMap(holdings.isInGroup) ?? isOpen(holdings)
    }

    func trial(_ holdings: Holdings) -> Holdings.Trial? {
        guard case .trial = kind else { return nil }
        return productID.flatMap(holdings.trial)
    }
}
