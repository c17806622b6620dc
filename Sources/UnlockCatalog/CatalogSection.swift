/// A group of items in the shop.
public struct CatalogSection: Sendable, Hashable {
    /// The items that it contains. Unknown names are skipped.
    public let items: [ItemID]
    /// Its titles.
    let text: Localized<CatalogItem.Text>
}

extension CatalogSection {
    /// Reads a section, or throws its invalid member. None is ignored.
    init(_ value: CatalogValue, _: inout [WrongMember]) throws(WrongMember) {
        items = try value["items"].ids()
        text = try value["text"].given?.byLanguage(of: CatalogItem.Text.init) ?? Localized()
    }
}

/// A group of offers, as the user sees it in the shop.
public struct OfferSection: Sendable, Equatable {
    /// The title and the description in the user's language; `nil` for a section without a text.
    public let text: CatalogItem.Text?
    /// The offers, in the catalog's order. None is hidden.
    public package(set) var offers: [ShopOffer]
}

extension ShopCatalog {
    /// Groups offers by the catalog's sections. An item is in the first section that names it; the items that no section
    /// names come last. Hidden offers and sections without offers are left out.
    package func sections(of offers: [ShopOffer], languages: [String]) -> [OfferSection] {
        let tags = Localized<CatalogItem.Text>.tags(for: languages)
        let names = sections.indices.flatMap { place in sections[place].items.map { ($0, place) } }
        let places = Dictionary(names, uniquingKeysWith: min)
        let texts = sections.map { $0.text.text(for: tags) } + [nil]
        var groups = texts.map { OfferSection(text: $0, offers: []) }
        for offer in offers where offer.state != .hidden {
            groups[places[offer.item.id] ?? sections.count].offers.append(offer)
        }
        return groups.filter { !$0.offers.isEmpty }
    }
}
