import ReferralSiteCheck
import UnlockCatalog

/// Languages of a catalog.
///
/// A locale covers a language if one of their tags is the beginning of the other one: `en_US` covers `en`, and `de` covers
/// `de-AT`.
struct CatalogLanguages {
    /// The language, script, region and variant. The rest of a tag doesn't matter.
    private typealias Tag = [Name]

    /// Longer lists are cut.
    private static let maximumCount = 5

    /// The languages as the catalog writes them, sorted.
    private let names: [String]
    /// The languages with each tag, and those whose tag begins with it.
    private var exact: [Tag: [Int]] = [:]
    private var longer: [Tag: [Int]] = [:]

    /// The languages of all items.
    init(_ catalog: ShopCatalog) { self.init(catalog.items.flatMap(\.texts.keys)) }

    init(_ languages: [String]) {
        names = Set(languages.map { Name($0) }).sorted().map(\.rawValue)
        for (index, name) in names.enumerated() {
            let tag = Self.tag(name)
            exact[tag, default: []].append(index)
            for beginning in Self.beginnings(of: tag) { longer[beginning, default: []].append(index) }
        }
    }

    /// A list of the languages that no locale covers; `nil` if there are none.
    func missing(from locales: [String]) -> Sentence? {
        let covered = indices(coveredBy: locales)
        guard covered.count < names.count else { return nil }
        let missing = names.indices.lazy.filter { !covered.contains($0) }.prefix(Self.maximumCount)
        let more = names.count - covered.count - missing.count
        return missing.map { "\(quoted: names[$0])" as Sentence }.joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }

    /// The languages that these locales cover.
    func covered(by locales: [String]) -> CatalogLanguages {
        CatalogLanguages(indices(coveredBy: locales).map { names[$0] })
    }

    private func indices(coveredBy locales: [String]) -> Set<Int> {
        var covered: Set<Int> = []
        for tag in Set(locales.filter(\.isName).map(Self.tag)) {
            covered.formUnion(longer[tag] ?? [])
            for beginning in Self.beginnings(of: tag) { covered.formUnion(exact[beginning] ?? []) }
        }
        return covered
    }

    /// Xcode writes `zh_Hant` for the tag `zh-Hant`.
    private static func tag(_ text: String) -> Tag {
        let parts = text.asciiLowercased.utf8.split { $0 == ASCII.dash || $0 == ASCII.underscore }
        return parts.prefix(4).map { Name(String(decoding: $0, as: UTF8.self)) }
    }

    private static func beginnings(of tag: Tag) -> [Tag] { tag.indices.map { Array(tag[...$0]) } }
}
