public import ReferralFoundation

/// An item in the catalog: its unlocks, its product in the store, and the apps that show it.
public struct CatalogItem: Sendable, Hashable {
    /// The effect of a purchase.
    public enum Kind: Sendable, Hashable {
        /// It opens its unlocks permanently.
        case nonConsumable
        /// It gives an amount of each of its unlocks, 1 to 1,000,000.
        case consumable(amount: Int)
        /// It opens its unlocks until the store's expiration date.
        case subscription
        /// It opens its unlocks for a number of days from the purchase, 1 to 3,650. Several purchases follow one another.
        case nonRenewing(days: Int)
        /// It opens its unlocks for a number of days from the first purchase, 1 to 365, once per user. Its product is a
        /// non-consumable with the price 0.
        case trial(days: Int)
        /// It gives everybody an amount of its one unlock, 1 to 1,000,000, without a purchase. The shop doesn't show it.
        case allowance(amount: Int, refill: Refill?)
    }

    /// How often an allowance is filled up again. Periods begin at midnight UTC.
    public enum Refill: String, Sendable {
        /// Each day.
        case day
        /// Each week, on Monday.
        case week
        /// Each month.
        case month
    }

    /// A picture of an item.
    public enum Picture: Sendable, Hashable {
        /// An image in the app, with this name.
        case named(String)
        /// An image on the web, at an `https` address.
        case address(URL)
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

        package init(title: String, detail: String? = nil) {
            self.title = title
            self.detail = detail
        }

        // By the bytes, like names: Swift's own comparison can take minutes.
        private var bytes: [Name?] { [Name(title), detail.map { Name($0) }] }

        /// Whether two texts consist of the same bytes.
        public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

        /// Hashes the bytes of the texts.
        public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
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
    /// A small picture of it.
    public let icon: Picture?
    /// Up to 8 pictures of it.
    public let pictures: [Picture]
    /// The balance at which the app warns the user that an allowance is running out; `nil` for no warning.
    public let warnAt: Int?
    /// The files that belong to it.
    public let files: [File]
    /// Its titles and descriptions, by language.
    public let texts: [String: Text]
    /// Longer texts about it, by language. Blank lines separate paragraphs.
    public let abouts: [String: String]

    /// Values that each offer needs: the versions as numbers, and the texts for a user's languages.
    let minimum: VersionNumber?
    let maximum: VersionNumber?
    let text: Localized<Text>
    let about: Localized<String>
}

extension CatalogItem {
    /// The amounts of an unlock that an item or a reward may give.
    static let amounts = 1...1_000_000

    /// Whether an edition of the app includes it.
    package func isIncluded(in edition: String?) -> Bool { edition.map(includedIn.contains) ?? false }

    /// Reads an item, or throws its invalid member. `ignore` receives each invalid member that only affects how the item is
    /// shown; the item stays without it.
    init(_ value: JSONValue, ignore: (ShopCatalog.WrongMember) -> Void) throws(ShopCatalog.WrongMember) {
        guard let object = value.object else { throw .notAnObject }
        let members = ShopCatalog.Members(object)
        func shown<Value>(_ name: String, _ form: MemberForm<Value>) -> Value? {
            do throws(ShopCatalog.WrongMember) { return try members.optional(name, form) } catch { ignore(error) }
            return nil
        }
        // Which other members an item has depends on its kind. An app that doesn't know the kind can't judge them.
        let name = try members.required("kind", .kind)
        id = ItemID(try members.required("id", .name))
        isFree = try name == "allowance" ? false : members.optional("free", .bool) ?? false
        if isFree, name == "nonRenewing" || name == "trial" { throw .notFree }
        if name == "allowance" {
            productID = nil
        } else {
            let product = try isFree ? members.optional("product", .name) : members.required("product", .name)
            productID = product.map { ProductID($0) }
        }
        kind =
            switch name {
            case "nonConsumable": .nonConsumable
            case "subscription": .subscription
            case "nonRenewing": .nonRenewing(days: try members.required("days", .days(1...3_650)))
            case "trial": .trial(days: try members.required("days", .days(1...365)))
            case "allowance":
                .allowance(
                    amount: try members.required("amount", .amount),
                    refill: try members.optional("refill", .oneOf("day", "week", "month")).flatMap(Refill.init)
                )
            default: .consumable(amount: try members.required("amount", .amount))
            }
        grants = try members.required("grants", kind.isAllowance ? .oneName : .someNames).map { UnlockID($0) }
        isEnabled = try members.optional("enabled", .bool) ?? true
        minimumVersion = try members.optional("minVersion", .version)
        maximumVersion = try members.optional("maxVersion", .version)
        belowMinimum =
            try members.optional("belowMinimum", .oneOf("hide", "updateFirst")).flatMap(BelowMinimum.init) ?? .hide
        platforms = try members.optional("platforms", .names)?.map(Platform.init(rawValue:))
        includedIn = try members.optional("includedIn", .names) ?? []
        texts = try members.optional("text", .texts) ?? [:]
        files = try members.optional("files", .files) ?? []
        abouts = shown("about", .about) ?? [:]
        icon = shown("icon", .picture)
        page = shown("page", .address)
        pictures = shown("pictures", .pictures) ?? []
        warnAt = kind.isAllowance ? shown("warnAt", .warning) : nil
        minimum = minimumVersion.flatMap(VersionNumber.init)
        maximum = maximumVersion.flatMap(VersionNumber.init)
        text = Localized(texts)
        about = Localized(abouts)
    }
}

extension CatalogItem.Kind {
    /// Whether it is used up.
    package var isConsumable: Bool { if case .consumable = self { true } else { false } }

    /// Whether everybody has it, without a purchase.
    package var isAllowance: Bool { if case .allowance = self { true } else { false } }

    /// Whether its unlocks are counted.
    package var isCounted: Bool { isConsumable || isAllowance }
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
