import ReferralSiteCheck
import UnlockCatalog

/// Notes on entries that an app accepts but that are probably mistakes: a member that it ignores, or an item that
/// nobody sees.
struct CatalogNotes {
    typealias Note = (offset: Int, message: Sentence)

    private typealias Members = [Name: JSONPlaces.Member]

    /// The members that an app reads.
    private enum Known {
        static let catalog: [Name] = ["format", "revision", "issued", "staleAfter", "items", "rewards", "sections"]
        static let item: [Name] = [
            "id", "product", "kind", "amount", "days", "refill", "warnAt", "grants", "enabled", "free", "includedIn",
            "platforms", "minVersion", "maxVersion", "belowMinimum", "page", "icon", "pictures", "about", "text",
            "files",
        ]
        static let file: [Name] = ["path", "url", "length", "sha256"]
        static let reward: [Name] = [
            "id", "for", "program", "every", "parameter", "value", "grants", "limit", "amount", "after", "signed",
        ]
        static let section: [Name] = ["items", "text"]
        static let text: [Name] = ["title", "detail"]

        /// The kinds of items whose members an app reads; it reads the others of every kind.
        static let kinds: [Name: [Name]] = [
            "amount": ["consumable", "allowance"], "days": ["nonRenewing", "trial"], "refill": ["allowance"],
            "warnAt": ["allowance"], "product": sold, "free": sold,
        ]
        private static let sold: [Name] = ["nonConsumable", "consumable", "subscription", "nonRenewing", "trial"]
    }

    private(set) var notes: [Note] = []
    private var items: Set<Name> = []
    private var itemsInSections: Set<Name> = []
    private let text: CatalogText

    init(on catalog: ShopCatalog, _ text: CatalogText) {
        self.text = text
        let members = read(text.json.whole, as: "the catalog", known: Known.catalog)
        if let issued = catalog.issued, catalog.isStale(at: issued), let stale = members["staleAfter"] {
            notes.append((stale.offset, "the catalog is stale before it is issued; staleAfter must be after issued"))
        }
        if catalog.revision > ShopCatalog.maximumRevisionStep, let revision = members["revision"] {
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

    private mutating func read(section: Range<Int>, _ subject: Sentence) {
        let members = read(section, as: subject, known: Known.section)
        for item in members["items"].map({ text.json.elements(of: $0.value) }) ?? [] {
            guard let id = item.string else { continue }
            if !items.contains(Name(id)) {
                notes.append((item.offset, "\(subject) names the item \(quoted: id), which doesn't exist"))
            } else if !itemsInSections.insert(Name(id)).inserted {
                notes.append((item.offset, "the item \(quoted: id) is already in a section; only the first one counts"))
            }
        }
        if let texts = members["text"] { read(texts: texts, subject) }
    }

    private mutating func read(item: Range<Int>, _ subject: Sentence) {
        let members = read(item, as: subject, known: Known.item)
        if let id = members["id"]?.string { items.insert(Name(id)) }
        if let kind = members["kind"]?.string.map({ Name($0) }), Known.kinds.values.joined().contains(kind) {
            for (name, kinds) in Known.kinds where !kinds.contains(kind) {
                guard let member = members[name], text.json.text(in: member.value) != "null" else { continue }
                notes.append(
                    (
                        member.offset,
                        "no app reads the member \(quoted: name.rawValue) of \(subject), whose kind is \(name: kind.rawValue)"
                    )
                )
            }
        }
        if let platforms = members["platforms"] { read(platforms: platforms, subject) }
        if let minimum = members["minVersion"]?.string, let maximum = members["maxVersion"],
            let least = VersionNumber(minimum), let most = maximum.string.flatMap(VersionNumber.init), least > most
        {
            notes.append((maximum.offset, "\(subject) is for no version: its minVersion is above its maxVersion"))
        }
        for file in members["files"].map({ text.json.elements(of: $0.value) }) ?? [] {
            _ = read(file.value, as: "a file of \(subject)", known: Known.file)
        }
        if let texts = members["text"] { read(texts: texts, subject) }
    }

    private mutating func read(texts: JSONPlaces.Member, _ subject: Sentence) {
        for (language, value) in read(texts.value, as: "the text of \(subject)", known: nil) {
            _ = read(value.value, as: "the text \(quoted: language.rawValue) of \(subject)", known: Known.text)
        }
    }

    /// Reads the members of an object. If a name is repeated, the last member counts.
    private mutating func read(_ object: Range<Int>, as subject: Sentence, known: [Name]?) -> Members {
        var members: Members = [:]
        for member in text.json.members(of: object) {
            let isRepeated = members.updateValue(member, forKey: member.name) != nil
            let name: Sentence = "\(quoted: member.name.rawValue)"
            if isRepeated {
                notes.append((member.offset, "\(subject) already has the member \(name); only this one counts"))
            } else if let known, !known.contains(member.name) {
                let suggestion = Self.suggestion(for: member.name, among: known)
                notes.append((member.offset, "no app reads the member \(name) of \(subject)\(suggestion)"))
            }
        }
        return members
    }

    private mutating func read(platforms: JSONPlaces.Member, _ subject: Sentence) {
        let names = CatalogCommand.platformNames
        let elements = text.json.elements(of: platforms.value)
        if elements.isEmpty, text.json.isArray(platforms.value) {
            notes.append((platforms.offset, "\(subject) is for no platform; without the member it is for all"))
        }
        for element in elements {
            guard let name = element.string.map({ Name($0) }), !names.contains(name) else { continue }
            let suggestion = Self.suggestion(for: name, among: names)
            let hint: Sentence =
                suggestion.isEmpty
                ? "; a platform is \(name: names.map(\.rawValue).joined(separator: ", "))" : suggestion
            notes.append((element.offset, "the platform \(quoted: name.rawValue) of \(subject) doesn't exist\(hint)"))
        }
    }

    /// `; did you mean 'iOS'?` for `ios`.
    private static func suggestion(for name: Name, among names: [Name]) -> Sentence {
        let lowercase = Name(name.rawValue.asciiLowercased)
        let same = names.map(\.rawValue).first { Name($0.asciiLowercased) == lowercase }
        return same.map { "; did you mean \(quoted: $0)?" }
            ?? Spelling.suggestion(for: name.rawValue, among: names.map(\.rawValue))
    }
}
