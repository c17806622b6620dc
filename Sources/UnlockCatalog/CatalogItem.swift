import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An item in the catalog: its unlocks, its product in the store, and the apps that show it.
public struct CatalogItem: Sendable, Hashable {
    /// The effect of a purchase.
    ///
    /// A `switch` over it needs a `default`, since later versions may add cases.
    public enum Kind: Sendable, Hashable {
        /// It opens its unlocks permanently.
        case nonConsumable
        /// It gives an amount of each of its unlocks, 1 to 1,000,000.
        case consumable(amount: Int)
        /// It opens its unlocks until the store's expiration date.
        case subscription
    }

    /// The item's appearance in an app that is older than its minimum version.
    public enum BelowMinimum: String, Sendable {
        /// The item is hidden.
        case hide
        /// The shop asks the user to update the app first.
        case updateFirst
    }

    /// A title and a description in one language.
    public struct Text: Sendable, Hashable {
        /// The name of the item.
        public let title: String
        /// A description of the item.
        public let detail: String?

        package init(title: String, detail: String? = nil) { (self.title, self.detail) = (title, detail) }
    }

    /// The item's name in the catalog.
    public let id: ItemID
    /// The store's product identifier; `nil` for a free item that the store doesn't know.
    public let productID: ProductID?
    /// The effect of a purchase.
    public let kind: Kind
    /// The names of the unlocks that it opens.
    public let grants: [UnlockID]
    /// Whether it is offered. If not, users who have it keep it.
    public let isEnabled: Bool
    /// The first version of the app that it is for, as the catalog writes it.
    public let minimumVersion: String?
    /// The last version of the app that it is for.
    public let maximumVersion: String?
    /// The item's appearance in an older app.
    public let belowMinimum: BelowMinimum
    /// The platforms that it is for; `nil` for all platforms.
    public let platforms: [Platform]?
    /// The editions of the app that include it.
    public let includedIn: [String]
    /// Whether it costs nothing, and the store isn't asked.
    public let isFree: Bool
    /// A page about it.
    public let page: URL?
    /// Its texts, by language.
    public let texts: [String: Text]

    /// Values that each offer needs: the versions as numbers, and the texts by language in lower case.
    let minimum: VersionNumber?
    let maximum: VersionNumber?
    let textsByTag: [Name: Text]
    /// The text of the first language in sorted order.
    let firstText: Text?
}

extension CatalogItem {
    /// The amounts of an unlock that an item or a reward may give.
    static let amounts = 1...1_000_000

    /// Whether an edition of the app includes it.
    package func isIncluded(in edition: String?) -> Bool { edition.map(includedIn.contains) ?? false }

    /// Reads an item, or throws its invalid member.
    init(_ value: JSONValue) throws(Catalog.WrongMember) {
        guard let object = value.object else { throw .notAnObject }
        let members = Catalog.Members(object)
        id = ItemID(try members.required("id", .name))
        isFree = try members.optional("free", .bool) ?? false
        let kinds = MemberForm.oneOf("nonConsumable", "consumable", "subscription")
        _ = try members.required("kind", MemberForm(requirement: kinds.requirement, read: \.name))
        let product = try isFree ? members.optional("product", .name) : members.required("product", .name)
        productID = product.map { ProductID($0) }
        // The first invalid member is reported: an unknown kind comes after the product.
        switch try members.required("kind", kinds) {
        case "nonConsumable": kind = .nonConsumable
        case "subscription": kind = .subscription
        default: kind = .consumable(amount: try members.required("amount", .amount))
        }
        grants = try members.required("grants", .someNames).map { UnlockID($0) }
        isEnabled = try members.optional("enabled", .bool) ?? true
        minimumVersion = try members.optional("minVersion", .version)
        maximumVersion = try members.optional("maxVersion", .version)
        belowMinimum =
            try members.optional("belowMinimum", .oneOf("hide", "updateFirst")).flatMap(BelowMinimum.init) ?? .hide
        platforms = try members.optional("platforms", .names)?.map(Platform.init(rawValue:))
        includedIn = try members.optional("includedIn", .names) ?? []
        page = try members.optional("page", .address)
        texts = try members.optional("text", .texts) ?? [:]
        (minimum, maximum) = (minimumVersion.flatMap(VersionNumber.init), maximumVersion.flatMap(VersionNumber.init))
        // Sorted, so that if two languages differ only in case, the same one always counts.
        let sorted = texts.sorted { Name($0.key) < Name($1.key) }
        let byTag = sorted.map { (Name($0.key.lowercased()), $0.value) }
        (textsByTag, firstText) = (Dictionary(byTag, uniquingKeysWith: { first, _ in first }), sorted.first?.value)
    }
}

extension JSONValue {
    /// The texts of an item, by language.
    var texts: [String: CatalogItem.Text]? {
        guard let object else { return nil }
        var texts: [String: CatalogItem.Text] = [:]
        // Sorted, so that if Swift considers two languages equal, the same one always counts.
        for (language, value) in object.sorted(by: { $0.key < $1.key }) {
            guard language.rawValue.isName, let text = value.object, let title = text["title"]?.string else {
                return nil
            }
            texts[language.rawValue] = CatalogItem.Text(title: title, detail: text["detail"]?.string)
        }
        return texts
    }
}
