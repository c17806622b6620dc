import ReferralSiteCheck
import UnlockCatalog

/// A StoreKit configuration, which is the store in Xcode: its products, with their places.
///
/// Apple doesn't document the format. Xcode has written the versions 1 to 4 with the same lists.
struct StoreKitFile {
    static let option = Option(
        "--storekit",
        "FILE",
        "compares the products with those in Xcode's StoreKit configuration, a .storekit file"
    )

    struct Product {
        let id: ProductID
        /// The place of its identifier.
        let offset: Int
        /// The members that are compared with a catalog.
        let type: JSONPlaces.Member?
        let price: JSONPlaces.Member?
        let localizations: JSONPlaces.Member?
    }

    /// A thousand times the configuration of a usual app, in bytes.
    private static let maximumLength = 32 << 20

    private static let lists = ["products", "nonRenewingSubscriptions", "subscriptionGroups"]

    let name: String
    let json: JSONPlaces
    /// The products, each identifier once.
    private(set) var products: [Product] = []
    /// What is wrong in the file itself.
    private(set) var problems: [CatalogFinding.Unplaced] = []

    private var identifiers: Set<ProductID> = []

    init(_ path: String) throws(ToolError) {
        let stream = try ByteStream(reading: path)
        defer { stream.close() }
        guard let bytes = try stream.readAll(atMost: Self.maximumLength) else {
            throw .badData("\(whole: path): a StoreKit configuration has at most \(Self.maximumLength) bytes")
        }
        name = path
        json = JSONPlaces(bytes)
        if let offset = bytes.offsetOfInvalidUTF8 { throw failure("the file is not UTF-8 here", at: offset) }
        if let error = json.syntaxError(in: "a StoreKit configuration") {
            throw failure(error.message, at: error.offset)
        }
        let lists = read(json.start..<bytes.count, "The configuration") ?? [:]
        guard Self.lists.contains(where: { lists[Name($0)] != nil }) else {
            throw failure(
                "a StoreKit configuration has a member \(name: Self.lists.joined(separator: ", "))",
                at: json.start
            )
        }
        for list in Self.lists {
            for entry in try elements(of: lists[Name(list)]) {
                guard list == "subscriptionGroups" else {
                    read(product: entry, in: list)
                    continue
                }
                let group = read(entry.value, "A group in \(name: list)")
                for entry in try elements(of: group?[Name("subscriptions")]) {
                    read(product: entry, in: "subscriptions")
                }
            }
        }
    }

    private mutating func read(product entry: JSONPlaces.Member, in list: String) {
        guard let members = read(entry.value, "A product in \(name: list)") else { return }
        let identifier = members[Name("productID")]
        guard let text = identifier?.string, text.isName else {
            let problem: Sentence =
                identifier.map { "the productID \(whole: json.text(in: $0.value))" } ?? "no productID"
            let offset = identifier?.offset ?? entry.offset
            add(
                "A product in \(name: list) has \(problem); it must be a text of 1 to \(Name.maximumLength) bytes.",
                at: offset
            )
            return
        }
        let (id, offset) = (ProductID(text), identifier?.offset ?? entry.offset)
        guard identifiers.insert(id).inserted else {
            add("The product \(quoted: text) is in this file twice; only the first one counts.", at: offset, text)
            return
        }
        products.append(
            Product(
                id: id,
                offset: offset,
                type: members[Name("type")],
                price: members[Name("displayPrice")],
                localizations: members[Name("localizations")]
            )
        )
    }

    /// The members of an object; `nil` for another value. If a name is repeated, the last member counts.
    private mutating func read(_ object: Range<Int>, _ subject: Sentence) -> [Name: JSONPlaces.Member]? {
        guard json.isObject(object) else {
            add("\(subject) is \(whole: json.text(in: object)); it must be an object.", at: object.lowerBound)
            return nil
        }
        var members: [Name: JSONPlaces.Member] = [:]
        for member in json.members(of: object) where members.updateValue(member, forKey: member.name) != nil {
            add(
                "\(subject) already has the member \(quoted: member.name.rawValue); only this one counts.",
                at: member.offset
            )
        }
        return members
    }

    private func elements(of member: JSONPlaces.Member?) throws(ToolError) -> [JSONPlaces.Member] {
        guard let member else { return [] }
        guard json.isArray(member.value) else {
            let value = json.text(in: member.value)
            throw failure(
                "the member \(name: member.name.rawValue) is \(whole: value); it must be a list",
                at: member.offset
            )
        }
        return json.elements(of: member.value)
    }

    private mutating func add(_ message: Sentence, at offset: Int, _ product: String? = nil) {
        problems.append(CatalogFinding.Unplaced(offset, .difference(product: product), message))
    }

    private func failure(_ message: Sentence, at offset: Int) -> ToolError {
        var positions = TextPositions(json.bytes)
        let (line, column) = positions.position(at: offset)
        return .badData("\(whole: name):\(line):\(column): \(message)")
    }
}
