import WireText

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something to have: what it opens, what the store calls it, and who sees it.
public struct CatalogItem: Sendable, Hashable {
    /// What becomes of a purchase.
    public enum Kind: Sendable, Hashable {
        /// It opens its unlocks for good.
        case nonConsumable
        /// It gives an amount of each of its unlocks, 1 to 1,000,000.
        case consumable(amount: Int)
        /// It opens its unlocks until the store's expiration date.
        case subscription
    }

    /// What a person sees whose app is older than the minimum version.
    public enum BelowMinimum: String, Sendable {
        /// Nothing.
        case hide
        /// That an update of the app comes first.
        case updateFirst
    }

    /// A title and a description in one language.
    public struct Text: Sendable, Hashable {
        /// The name of the item.
        public let title: String
        /// What it brings.
        public let detail: String?

        /// Creates a text.
        public init(title: String, detail: String? = nil) { (self.title, self.detail) = (title, detail) }
    }

    /// The item's name in the catalog.
    public let id: String
    /// The store's product identifier; `nil` for a free item that the store doesn't know.
    public let product: String?
    /// What becomes of a purchase.
    public let kind: Kind
    /// The names of the unlocks that it opens.
    public let grants: [String]
    /// Whether it is offered. What somebody has stays open.
    public let isEnabled: Bool
    /// The first version of the app that it is for, as the catalog writes it.
    public let minimumVersion: String?
    /// The last version of the app that it is for.
    public let maximumVersion: String?
    /// What an older app shows.
    public let belowMinimum: BelowMinimum
    /// The platforms that it is for; `nil` is all.
    public let platforms: [Platform]?
    /// The editions of the app that have it already.
    public let includedIn: [String]
    /// Whether it costs nothing, and the store isn't asked.
    public let isFree: Bool
    /// A page about it.
    public let page: URL?
    /// Its texts, by language.
    public let texts: [String: Text]

    /// What each offer needs: the versions as numbers, and the texts by language in lower case.
    let minimum: VersionNumber?
    let maximum: VersionNumber?
    let textsByTag: [Name: Text]
    /// The text of the first language in sorted order.
    let firstText: Text?
}

extension CatalogItem {
    /// How much of an unlock an item or a reward may give.
    static let amounts = 1...1_000_000

    /// Whether an edition of the app has it already.
    package func isIncluded(in edition: String?) -> Bool { edition.map(includedIn.contains) ?? false }

    /// Reads an item, or throws the member that is wrong.
    init(_ value: JSONValue) throws(Catalog.WrongMember) {
        guard let object = value.object else { throw .notAnObject }
        let members = Catalog.Members(object)
        id = try members.required("id", .name)
        isFree = try members.optional("free", .bool) ?? false
        let kinds = MemberForm.oneOf("nonConsumable", "consumable", "subscription")
        _ = try members.required("kind", MemberForm(requirement: kinds.requirement, read: \.name))
        product =
            try isFree
            ? members.optional("product", .name) : members.required("product", .name)
        // The first wrong member is reported: an unknown kind comes after the product.
        switch try members.required("kind", kinds) {
        case "nonConsumable": kind = .nonConsumable
        case "subscription": kind = .subscription
        default: kind = .consumable(amount: try members.required("amount", .amount))
        }
        grants = try members.required("grants", .someNames)
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
        // In order, so that of two languages that differ by case only always the same one counts.
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
        // In order, so that of two languages that Swift takes for equal always the same one counts.
        for (language, value) in object.sorted(by: { $0.key < $1.key }) {
            guard language.text.isName, let text = value.object, let title = text["title"]?.string else { return nil }
            texts[language.text] = CatalogItem.Text(title: title, detail: text["detail"]?.string)
        }
        return texts
    }
}
