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
    public enum Refill: String, Sendable, CaseIterable {
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
    public enum BelowMinimum: String, Sendable, CaseIterable {
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
    }

    /// A file that belongs to an item.
    public struct File: Sendable, Hashable {
        /// The relative path in the folder of the item's content, such as `boards/gold.json`.
        public let path: String
        /// The `https` address; in a guarded item, its ``CatalogItem/guardAddress``.
        public let url: URL
        /// The length, in bytes.
        public let length: Int
        /// The SHA-256 digest: 64 hexadecimal digits in lower case.
        public let sha256: String
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
    package let includedIn: [Name]
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
    /// Who gives out the addresses of the files for a proof of purchase, at `https`; `nil` if the catalog has them.
    public let guardAddress: URL?
    /// The files that belong to it.
    public let files: [File]

    /// Its titles and descriptions.
    package let text: Localized<Text>
    /// Longer texts about it. Blank lines separate paragraphs.
    let about: Localized<String>
}

extension CatalogItem {
    private enum KindName: String, CaseIterable {
        case nonConsumable, consumable, subscription, nonRenewing, trial, allowance
    }

    /// Reads an item, or throws its invalid member.
    init(_ value: CatalogValue, _ ignored: inout [WrongMember]) throws(WrongMember) {
        // Which other members an item has depends on its kind. An app that doesn't know the kind can't judge them.
        let name: KindName = try value["kind"].word()
        id = try value["id"].id()
        isFree = try name == .allowance ? false : value["free"].given?.bool() ?? false
        if isFree, name == .nonRenewing || name == .trial {
            throw value["free"].wrong("false for this kind, since the store remembers the purchase")
        }
        productID = try name == .allowance ? nil : isFree ? value["product"].given?.id() : value["product"].id()
        kind =
            switch name {
            case .nonConsumable: .nonConsumable
            case .consumable: .consumable(amount: try value["amount"].amount())
            case .subscription: .subscription
            case .nonRenewing: .nonRenewing(days: try value["days"].number(1...3_650))
            case .trial: .trial(days: try value["days"].number(1...365))
            case .allowance: .allowance(amount: try value["amount"].amount(), refill: try value["refill"].given?.word())
            }
        grants = try value["grants"].ids(1...(kind.isAllowance ? 1 : Int.max))
        isEnabled = try value["enabled"].given?.bool() ?? true
        minimumVersion = try value["minVersion"].given?.version()
        maximumVersion = try value["maxVersion"].given?.version()
        belowMinimum = try value["belowMinimum"].given?.word() ?? .hide
        platforms = try value["platforms"].given?.ids()
        includedIn = try value["includedIn"].given?.ids() ?? []
        text = try value["text"].given?.byLanguage(of: Text.init) ?? Localized()
        let guardAddress = try value["guard"].given?.address()
        self.guardAddress = guardAddress
        func file(_ value: CatalogValue) throws(WrongMember) -> File { try File(value, guardAddress) }
        files = try value["files"].given?.list(0...1_000, "a list of at most 1000 files", of: file) ?? []
        if let path = FileNames.firstInvalid(files.map(\.path)) {
            let place = files.lastIndex { Name($0.path) == Name(path) } ?? 0
            throw value["files"].wrong("a list of safe paths that can exist side by side, unlike files[\(place)].path")
        }

        // A member that only affects how an item is shown. If it is invalid, the item stays without it.
        func shown<Shown>(_ read: @autoclosure () throws(WrongMember) -> Shown?) -> Shown? {
            do throws(WrongMember) { return try read() } catch {
                ignored.append(error)
                return nil
            }
        }
        about = shown(try value["about"].given?.about()) ?? Localized()
        icon = shown(try value["icon"].given.map(Picture.init))
        page = shown(try value["page"].given?.address())
        pictures = shown(try value["pictures"].given?.list(0...8, "a list of up to 8 pictures", of: Picture.init)) ?? []
        warnAt = kind.isAllowance ? shown(try value["warnAt"].given?.number(0...1_000_000)) : nil
    }

    /// Whether an edition of the app includes it.
    package func isIncluded(in edition: String?) -> Bool { edition.map { includedIn.contains(Name($0)) } ?? false }
}

extension CatalogItem.Kind {
    /// Whether it is used up.
    package var isConsumable: Bool { if case .consumable = self { true } else { false } }

    /// Whether everybody has it, without a purchase.
    package var isAllowance: Bool { if case .allowance = self { true } else { false } }

    /// Whether its unlocks are counted.
    package var isCounted: Bool { isConsumable || isAllowance }
}

extension CatalogItem.Picture {
    init(_ value: CatalogValue) throws(WrongMember) {
        self = try value.text("the name of an image in the app, or an https address") { text in
            if WebAddress(text).authority != nil { return CatalogValue.url(text).map { .address($0) } }
            return text.isName ? .named(text) : nil
        }
    }
}

extension CatalogItem.Text {
    init(_ value: CatalogValue) throws(WrongMember) {
        let object = try value.object("an object with a title")
        self.init(title: try object["title"].text(), detail: try? object["detail"].text())
    }
}

extension CatalogItem.File {
    init(_ value: CatalogValue, _ guardAddress: URL?) throws(WrongMember) {
        let object = try value.object()
        path = try object["path"].text()
        url = if let guardAddress { guardAddress } else { try object["url"].address() }
        // Up to 1 TiB.
        length = try object["length"].number(0...1 << 40)
        let digits = "0123456789abcdef".utf8
        sha256 = try object["sha256"].text("64 hexadecimal digits in lower case") { digest in
            digest.utf8.count == 64 && digest.utf8.allSatisfy(digits.contains) ? digest : nil
        }
    }
}
