public import ReferralFoundation

/// The available items and rewards, read from JSON on the web or in the app.
///
/// ```swift
/// let catalog = try ShopCatalog(json: data)
/// for rejection in catalog.rejections { log(rejection.description) }
/// ```
///
/// Unknown members are ignored. An invalid item, reward or section is left out by itself, with a reason in ``rejections``. So is
/// an invalid member that only affects how an item is shown, such as a picture.
public struct ShopCatalog: Sendable, Equatable {
    /// The largest catalog, in bytes: 1 MiB.
    public static let maximumLength = 1 << 20

    /// The revision. Of two catalogs, the one with the higher revision is newer.
    public let revision: Int

    /// The date at which the catalog was issued, if it has one.
    public let issued: Date?

    /// The date after which the catalog should be loaded again. It remains valid after that.
    public let staleAfter: Date?

    /// The items, in the catalog's order.
    public let items: [CatalogItem]

    /// The rewards, in the catalog's order.
    public let rewards: [CatalogReward]

    /// The sections of the shop, in order; empty if it has none.
    public let sections: [CatalogSection]

    /// The items, members of items, rewards and sections that were left out, with the reasons.
    public let rejections: [Rejection]

    // By name, so that a lookup takes the same time in a long catalog as in a short one.
    private let itemPlaces: [ItemID: Int]
    private let productPlaces: [ProductID: Int]
    private let countedUnlocks: Set<UnlockID>

    /// Reads a catalog.
    ///
    /// - Throws: ``CatalogError``.
    public init(json: Data) throws(CatalogError) {
        do throws(Refusal) { self = try .read(json) } catch { throw error.error }
    }

    /// Whether the catalog should be loaded again: after ``staleAfter``, but not at exactly that moment.
    public func isStale(at date: Date) -> Bool { staleAfter.map { date > $0 } ?? false }
}

// MARK: - Entries

extension ShopCatalog {
    /// The item with an identifier.
    package func item(named id: ItemID) -> CatalogItem? { itemPlaces[id].map { items[$0] } }

    /// The item that sells a product. There is at most one.
    package func item(selling product: ProductID) -> CatalogItem? { productPlaces[product].map { items[$0] } }

    /// The rewards whose parameter and value match a referral's, in the catalog's order.
    package func rewards(for parameters: [Name: Name]) -> [CatalogReward] {
        rewards.filter { reward in
            reward.recipient == .newcomer
                && reward.parameter.map { parameters[Name($0)] == Name(reward.value ?? "") } ?? true
        }
    }

    /// Whether an item in the catalog gives an amount of this unlock, to buyers or to everybody.
    package func isCounted(_ unlock: UnlockID) -> Bool { countedUnlocks.contains(unlock) }
}

// MARK: - Reading

extension ShopCatalog {
    /// Why a whole catalog is rejected, and the member that is the reason, if it is one.
    package struct Refusal: Error {
        package let error: CatalogError
        package var member: WrongMember?
    }

    /// Reads a catalog, or throws the place of the error too.
    package static func read(_ json: Data) throws(Refusal) -> ShopCatalog {
        guard json.count <= maximumLength else { throw Refusal(error: .tooLarge) }
        guard String(data: json, encoding: .utf8) != nil else { throw Refusal(error: .notUTF8) }
        return try Array(json).withUnsafeBufferPointer { bytes throws(Refusal) in
            guard let object = try? JSONValue(object: bytes) else { throw Refusal(error: .notAnObject) }
            do throws(WrongMember) { return try ShopCatalog(CatalogValue(object, object)) } catch {
                throw Refusal(error: error.member == "format" ? .unknownFormat : .notAnObject, member: error)
            }
        }
    }

    private init(_ value: CatalogValue) throws(WrongMember) {
        _ = try value["format"].number(1...1, "1")
        revision = try value["revision"].number(atLeast: 0)
        issued = try value["issued"].given?.date()
        staleAfter = try value["staleAfter"].given?.date()
        let items = try value["items"].entries()
        let rewards = try value["rewards"].given?.entries() ?? []
        let sections = try value["sections"].given?.entries() ?? []
        var rejections: [Rejection] = []
        // A transaction names only a product, so two items with the same product couldn't be distinguished.
        self.items = Self.read(items, .item, &rejections, CatalogItem.init) { item in
            let allowance = item.kind.isAllowance ? item.grants.first : nil
            return ["id": item.id.rawValue, "product": item.productID?.rawValue, "grants": allowance?.rawValue]
        }
        self.rewards = Self.read(rewards, .reward, &rejections, CatalogReward.init) { ["id": $0.id.rawValue] }
        self.sections = Self.read(sections, .section, &rejections, CatalogSection.init) { _ in [:] }
        self.rejections = rejections
        let places = self.items.enumerated().map { (item: $1, place: $0) }
        itemPlaces = Dictionary(uniqueKeysWithValues: places.map { ($0.item.id, $0.place) })
        productPlaces = Dictionary(
            uniqueKeysWithValues: places.compactMap { item, place in item.productID.map { ($0, place) } }
        )
        countedUnlocks = Set(self.items.filter(\.kind.isCounted).flatMap(\.grants))
    }

    /// Reads the valid entries. If two entries have the same value of a unique member, the second one is left out. The
    /// values of an entry that is left out may be used again.
    private static func read<Entry>(
        _ values: [CatalogValue],
        _ list: Rejection.List,
        _ rejections: inout [Rejection],
        _ read: (CatalogValue, inout [WrongMember]) throws(WrongMember) -> Entry,
        unique: (Entry) -> KeyValuePairs<String, String?>
    ) -> [Entry] {
        var entries: [Entry] = []
        var used: Set<[Name]> = []
        for (index, value) in values.enumerated() {
            var ignored: [WrongMember] = []
            do throws(WrongMember) {
                let entry = try read(value.object(), &ignored)
                let names = unique(entry).compactMap { member, name in name.map { [Name(member), Name($0)] } }
                if let name = names.first(where: used.contains) {
                    throw value[name[0].rawValue].wrong("different in each entry")
                }
                used.formUnion(names)
                entries.append(entry)
                rejections += ignored.map { Rejection(list: list, index: index, isMemberOnly: true, wrongMember: $0) }
            } catch {
                rejections.append(Rejection(list: list, index: index, isMemberOnly: false, wrongMember: error))
            }
        }
        return entries
    }
}

// MARK: - Errors

extension ShopCatalog {
    /// An item, a member of an item, a reward or a section that was left out.
    public struct Rejection: Sendable, Equatable, CustomStringConvertible {
        /// The list that it is in: the catalog's `items`, `rewards` or `sections`.
        public enum List: String, Sendable {
            /// The catalog's `items`.
            case item
            /// The catalog's `rewards`.
            case reward
            /// The catalog's `sections`.
            case section
        }

        /// The list that it is in.
        public let list: List
        /// Its place in the list, from 0.
        public let index: Int
        /// Whether only the member is left out, because it doesn't affect more than how the item is shown.
        public let isMemberOnly: Bool
        /// The invalid member, and its requirement.
        package let wrongMember: WrongMember

        /// The invalid member; `nil` if the entry isn't an object.
        public var member: String? { wrongMember.member }

        /// A sentence suitable for a log: the entry that is left out, and the requirement. It doesn't contain the
        /// invalid value.
        public var description: String {
            let effect = isMemberOnly ? "stays without \(member ?? "a member")" : "is left out"
            return "The \(list.rawValue) at index \(index) \(effect): \(wrongMember.description)."
        }
    }
}

/// Why a whole catalog is rejected.
public enum CatalogError: Error, Sendable, Equatable {
    /// It is larger than 1 MiB.
    case tooLarge
    /// It isn't UTF-8.
    case notUTF8
    /// It isn't a JSON object with the members that a catalog needs.
    case notAnObject
    /// This version doesn't read the catalog's format.
    case unknownFormat
}

extension CatalogError: LocalizedError, CustomStringConvertible {
    /// A sentence suitable for a log.
    public var description: String {
        switch self {
        case .tooLarge: "The catalog has more than \(ShopCatalog.maximumLength) bytes."
        case .notUTF8: "The catalog is not UTF-8."
        case .notAnObject: "The catalog is not a JSON object with a revision, items and valid times."
        case .unknownFormat: "This version can't read the catalog's format."
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
