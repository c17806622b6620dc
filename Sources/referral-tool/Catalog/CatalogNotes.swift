import ReferralBridge
import SiteCheck
import UnlockCatalog

/// Notes on entries that an app accepts but that are probably mistakes: a member that it ignores, or an item that
/// nobody sees.
struct CatalogNotes {
    typealias Note = (offset: Int, message: String)

    private typealias Members = [Name: JSONPlaces.Member]

    /// The members that an app reads.
    private enum Known {
        static let catalog = ["format", "revision", "issued", "staleAfter", "items", "rewards", "sections"]
        static let item = [
            "id", "product", "kind", "amount", "days", "refill", "warnAt", "grants", "enabled", "free", "includedIn",
            "platforms", "minVersion", "maxVersion", "belowMinimum", "page", "icon", "pictures", "about", "text",
            "files",
        ]
        static let file = ["path", "url", "length", "sha256"]
        static let reward = [
            "id", "for", "program", "every", "parameter", "value", "grants", "limit", "amount", "after", "signed",
        ]
        static let section = ["items", "text"]
        static let text = ["title", "detail"]

        /// The kinds of items whose members an app reads; it reads the others of every kind.
        static let kinds = [
            "amount": ["consumable", "allowance"], "days": ["nonRenewing", "trial"], "refill": ["allowance"],
            "warnAt": ["allowance"], "product": sold, "free": sold,
        ]
        private static let sold = ["nonConsumable", "consumable", "subscription", "nonRenewing", "trial"]
    }

    /// A longer name can't be a misspelled one.
    private static let maximumName = 32

    private(set) var notes: [Note] = []
    private var items: Set<Name> = []
    private var itemsInSections: Set<Name> = []
    private let text: CatalogText

    init(on catalog: Catalog, _ text: CatalogText) {
        self.text = text
        let members = read(text.json.whole, as: "the catalog", known: Known.catalog)
        if let issued = catalog.issued, catalog.isStale(at: issued), let stale = members[Name("staleAfter")] {
            notes.append((stale.offset, "the catalog is stale before it is issued; staleAfter must be after issued"))
        }
        if catalog.revision > Catalog.maximumRevisionStep, let revision = members[Name("revision")] {
            notes.append(
                (
                    revision.offset,
                    "the revision is higher than 2^41; an app refuses it unless its own copy has one that is lower by at most 2^41"
                )
            )
        }
        for (index, item) in text.entries(of: .item).enumerated() { read(item: item, "the item at index \(index)") }
        for (index, reward) in text.entries(of: .reward).enumerated() {
            _ = read(reward, as: "the reward at index \(index)", known: Known.reward)
        }
        for (index, section) in text.entries(of: .section).enumerated() {
            read(section: section, "the section at index \(index)")
        }
    }

    private mutating func read(section: Range<Int>, _ subject: String) {
        let members = read(section, as: subject, known: Known.section)
        for item in members[Name("items")].map({ text.json.elements(of: $0.value) }) ?? [] {
            guard let id = item.string else { continue }
            if !items.contains(Name(id)) {
                notes.append((item.offset, "\(subject) names the item \(id.quoted), which doesn't exist"))
            } else if !itemsInSections.insert(Name(id)).inserted {
                notes.append((item.offset, "the item \(id.quoted) is already in a section; only the first one counts"))
            }
        }
        if let texts = members[Name("text")] { read(texts: texts, subject) }
    }

    private mutating func read(item: Range<Int>, _ subject: String) {
        let members = read(item, as: subject, known: Known.item)
        if let id = members[Name("id")]?.string { items.insert(Name(id)) }
        if let kind = members[Name("kind")]?.string, Known.kinds.values.joined().contains(kind) {
            for (name, kinds) in Known.kinds where !kinds.contains(kind) {
                guard let member = members[Name(name)], text.json.text(in: member.value) != "null" else { continue }
                notes.append(
                    (member.offset, "no app reads the member \(name.quoted) of \(subject), whose kind is \(kind)")
                )
            }
        }
        if let platforms = members[Name("platforms")] { read(platforms: platforms, subject) }
        if let minimum = members[Name("minVersion")]?.string, let maximum = members[Name("maxVersion")],
            let least = VersionNumber(minimum), let most = maximum.string.flatMap(VersionNumber.init), least > most
        {
            notes.append((maximum.offset, "\(subject) is for no version: its minVersion is above its maxVersion"))
        }
        for file in members[Name("files")].map({ text.json.elements(of: $0.value) }) ?? [] {
            _ = read(file.value, as: "a file of \(subject)", known: Known.file)
        }
        if let texts = members[Name("text")] { read(texts: texts, subject) }
    }

    private mutating func read(texts: JSONPlaces.Member, _ subject: String) {
        for (language, value) in read(texts.value, as: "the text of \(subject)", known: nil) {
            _ = read(value.value, as: "the text \(language.rawValue.quoted) of \(subject)", known: Known.text)
        }
    }

    /// Reads the members of an object. If a name is repeated, the last member counts.
    private mutating func read(_ object: Range<Int>, as subject: String, known: [String]?) -> Members {
        var members: Members = [:]
        for member in text.json.members(of: object) {
            let isRepeated = members.updateValue(member, forKey: Name(member.name)) != nil
            let name = member.name.quoted
            if isRepeated {
                notes.append((member.offset, "\(subject) already has the member \(name); only this one counts"))
            } else if let known, !known.contains(where: { Name($0) == Name(member.name) }) {
                let suggestion = Self.suggestion(for: member.name, among: known)
                notes.append((member.offset, "no app reads the member \(name) of \(subject)\(suggestion)"))
            }
        }
        return members
    }

    private mutating func read(platforms: JSONPlaces.Member, _ subject: String) {
        let names = CatalogCommand.platformNames
        let elements = text.json.elements(of: platforms.value)
        if elements.isEmpty, text.json.isArray(platforms.value) {
            notes.append((platforms.offset, "\(subject) is for no platform; without the member it is for all"))
        }
        for element in elements {
            guard let name = element.string, !names.contains(name) else { continue }
            let suggestion = Self.suggestion(for: name, among: names)
            let hint = suggestion.isEmpty ? "; a platform is \(names.joined(separator: ", "))" : suggestion
            notes.append((element.offset, "the platform \(name.quoted) of \(subject) doesn't exist\(hint)"))
        }
    }

    /// `; did you mean 'iOS'?` for `ios`.
    private static func suggestion(for name: String, among names: [String]) -> String {
        guard name.utf8.count <= maximumName else { return "" }
        let same = names.first { $0.asciiLowercased == name.asciiLowercased }
        return same.map { "; did you mean \($0.quoted)?" } ?? Spelling.suggestion(for: name, among: names)
    }
}
