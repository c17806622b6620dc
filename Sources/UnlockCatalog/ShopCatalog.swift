@_exported public import ReferralBasics
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
    public let rejections: [WrongMember]

    // By name, so that a lookup takes the same time in a long catalog as in a short one.
    private let itemsByID: [ItemID: CatalogItem]
    private let itemsByProduct: [ProductID: CatalogItem]
    private let countedUnlocks: Set<UnlockID>

    /// Whether the catalog should be loaded again: after ``staleAfter``, but not at exactly that moment.
    public func isStale(at date: Date) -> Bool { staleAfter.map { date > $0 } ?? false }
}

// MARK: - Entries

extension ShopCatalog {
    /// The item with an identifier.
    package func item(named id: ItemID) -> CatalogItem? { itemsByID[id] }

    /// The item that sells a product. There is at most one.
    package func item(selling product: ProductID) -> CatalogItem? { itemsByProduct[product] }

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
    /// Reads a catalog.
    ///
    /// - Throws: ``CatalogError``.
    public init(json: Data) throws(CatalogError) {
        guard json.count <= Self.maximumLength else { throw .tooLarge }
        guard String(data: json, encoding: .utf8) != nil else { throw .notUTF8 }
        self = try Array(json).withUnsafeBufferPointer { bytes throws(CatalogError) in
            guard let object = try? JSONValue(object: bytes) else { throw .notAnObject }
            do throws(WrongMember) { return try ShopCatalog(CatalogValue(object, at: "", object)) } catch {
                throw .wrongMember(error)
            }
        }
    }

    private init(_ value: CatalogValue) throws(WrongMember) {
        _ = try value["format"].number(1...1, "1")
        revision = try value["revision"].number(0...Int.max)
        issued = try value["issued"].given?.date()
        staleAfter = try value["staleAfter"].given?.date()
        var rejections: [WrongMember] = []
        // A transaction names only a product, so two items with the same product couldn't be distinguished.
        items = try Self.read(value["items"], &rejections, CatalogItem.init) { item in
            let allowance = item.kind.isAllowance ? item.grants.first : nil
            return ["id": item.id.rawValue, "product": item.productID?.rawValue, "grants": allowance?.rawValue]
        }
        rewards = try Self.read(value["rewards"].given, &rejections, CatalogReward.init) { ["id": $0.id.rawValue] }
        sections = try Self.read(value["sections"].given, &rejections, CatalogSection.init) { _ in [:] }
        self.rejections = rejections
        itemsByID = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
        let sold = items.compactMap { item in item.productID.map { ($0, item) } }
        itemsByProduct = Dictionary(uniqueKeysWithValues: sold)
        countedUnlocks = Set(items.filter(\.kind.isCounted).flatMap(\.grants))
    }

    /// Reads the valid entries. If two entries have the same value of a unique member, the second one is left out. The
    /// values of an entry that is left out may be used again.
    private static func read<Entry>(
        _ list: CatalogValue?,
        _ rejections: inout [WrongMember],
        _ read: (CatalogValue, inout [WrongMember]) throws(WrongMember) -> Entry,
        unique: (Entry) -> KeyValuePairs<String, String?>
    ) throws(WrongMember) -> [Entry] {
        var entries: [Entry] = []
        var used: Set<[Name]> = []
        for value in try list?.list(of: { $0 }) ?? [] {
            var ignored: [WrongMember] = []
            do throws(WrongMember) {
                let entry = try read(value.object(), &ignored)
                let names = unique(entry).compactMap { member, name in name.map { [Name(member), Name($0)] } }
                if let name = names.first(where: used.contains) {
                    throw value[name[0].rawValue].wrong("different in each entry")
                }
                used.formUnion(names)
                entries.append(entry)
                for place in ignored.indices { ignored[place].isMemberOnly = true }
                rejections += ignored
            } catch {
                rejections.append(error)
            }
        }
        return entries
    }
}

// MARK: - Errors

/// Why a whole catalog is rejected.
public enum CatalogError: Error, Sendable, Equatable, DescribedError {
    /// It is larger than 1 MiB.
    case tooLarge
    /// It isn't UTF-8.
    case notUTF8
    /// It isn't a JSON object.
    case notAnObject
    /// This member is missing or invalid. If it is the `format`, this version of the app can't read the catalog.
    case wrongMember(WrongMember)

    /// A sentence suitable for a log.
    public var description: String {
        switch self {
        case .tooLarge: "The catalog has more than \(ShopCatalog.maximumLength) bytes."
        case .notUTF8: "The catalog is not UTF-8."
        case .notAnObject: "The catalog is not a JSON object."
        case .wrongMember(let member): "The catalog is refused: \(member.path) \(member.problem)."
        }
    }
}

/// A member of a catalog, or an entry in one of its lists, that is missing or invalid.
public struct WrongMember: Error, Sendable, Equatable, CustomStringConvertible {
    /// Its path in the catalog, such as `items[3].files[1].url`.
    public let path: String
    /// The offset of the member in bytes, or of the object in which it is missing.
    package let offset: Int
    let problem: String
    /// Whether only this member is left out, because it doesn't affect more than how the item is shown.
    public internal(set) var isMemberOnly = false

    /// A sentence suitable for a log, without the invalid value.
    public var description: String {
        "\(isMemberOnly ? "A member" : "An entry") is left out: \(path) \(problem)."
    }
}
