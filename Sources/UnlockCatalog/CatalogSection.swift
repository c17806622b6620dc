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
        items = try value["items"].names().map { ItemID($0) }
        text = try value["text"].given?.byLanguage(of: CatalogItem.Text.init) ?? Localized()
    }
}

/// A group of offers, as the user sees it in the shop.
public struct OfferSection: Sendable, Equatable {
    /// The title and the description in the user's language; `nil` for a section without a text.
    public let text: CatalogItem.Text?
    /// The offers, in the catalog's order. None is hidden.
    public let offers: [ShopOffer]

    package init(text: CatalogItem.Text?, offers: [ShopOffer]) {
        self.text = text
        self.offers = offers
    }
}

extension ShopCatalog {
    /// Groups offers by the catalog's sections. An item is in the first section that names it; the items that no section
    /// names come last. Hidden offers and sections without offers are left out.
    package func sections(of offers: [ShopOffer], languages: [String]) -> [OfferSection] {
        let tags = Localized<CatalogItem.Text>.tags(for: languages)
        var places: [ItemID: Int] = [:]
        for (place, section) in sections.enumerated() {
            for item in section.items where places[item] == nil { places[item] = place }
        }
        var groups = [[ShopOffer]](repeating: [], count: sections.count + 1)
        for offer in offers where offer.state != .hidden {
            groups[places[offer.item.id] ?? sections.count].append(offer)
        }
        let texts = sections.map { $0.text.text(for: tags) } + [nil]
        return zip(texts, groups).filter { !$1.isEmpty }.map { OfferSection(text: $0, offers: $1) }
    }
}
