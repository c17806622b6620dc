import UnlockCatalog

extension StoreKitFile {
    /// What is wrong in the configuration, and its differences from a catalog.
    ///
    /// A difference is shown in the configuration, except for a product that it lacks.
    func differences(from catalog: ShopCatalog, _ text: CatalogText, in file: String) -> [CatalogFinding] {
        let stored = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let languages = CatalogLanguages(catalog)
        var (missing, different): ([CatalogFinding.Unplaced], [CatalogFinding.Unplaced]) = ([], problems)
        for (item, range) in text.items(of: catalog) {
            // The store isn't asked about a free item.
            guard let id = item.productID, !item.isFree else { continue }
            let kind = CatalogFinding.Kind.difference(product: id.rawValue)
            if let product = stored[id] {
                let found = differences(of: product, from: item, languages, in: file)
                different += found.map {
                    CatalogFinding.Unplaced($0.offset, kind, "The product \(quoted: id.rawValue) \($0.message).")
                }
            } else if item.isEnabled {
                let place = text.json.member("product", of: range)
                let message: Sentence = "The product \(quoted: id.rawValue) isn't in \(whole: name)."
                missing.append(CatalogFinding.Unplaced(place?.offset ?? range.lowerBound, kind, message))
            }
        }
        // The product of an item that is left out isn't missing.
        let named = Set(
            text.entries(of: .item).compactMap { text.json.member("product", of: $0)?.string.map { Name($0) } }
        )
        for product in products where !named.contains(Name(product.id.rawValue)) {
            let id = product.id.rawValue
            let message: Sentence = "The product \(quoted: id) isn't in \(whole: file)."
            different.append(CatalogFinding.Unplaced(product.offset, .difference(product: id), message))
        }
        return CatalogFinding.all(missing, in: file, text.json.bytes)
            + CatalogFinding.all(different, in: name, json.bytes)
    }

    private func differences(
        of product: Product,
        from item: CatalogItem,
        _ languages: CatalogLanguages,
        in file: String
    ) -> [(offset: Int, message: Sentence)] {
        var found: [(offset: Int, message: Sentence)] = []
        if let expected = item.kind.storeKitType, product.type?.string.map({ Name($0) }) != Name(expected) {
            let problem: Sentence =
                product.type.map { "has the type \(whole: json.text(in: $0.value))" } ?? "has no type"
            let requirement: Sentence =
                "it must be \"\(name: expected)\", because it is a \(name: item.kind.name) in \(whole: file)"
            found.append((product.type?.offset ?? product.offset, "\(problem); \(requirement)"))
        }
        if case .trial = item.kind, !isFree(product) {
            let problem: Sentence =
                product.price.map { "has the displayPrice \(whole: json.text(in: $0.value))" } ?? "has no displayPrice"
            found.append(
                (product.price?.offset ?? product.offset, "\(problem); it must be \"0.00\", because a trial is free")
            )
        }
        let place = product.localizations?.offset ?? product.offset
        if let missing = languages.missing(from: locales(of: product, with: "displayName")) {
            found.append((place, "has no displayName in \(missing), which \(whole: file) has"))
        }
        // A language without a localization lacks the name too.
        let detailed = CatalogLanguages(item.detailedLanguages).covered(by: locales(of: product))
        if let missing = detailed.missing(from: locales(of: product, with: "description")) {
            found.append((place, "has no description in \(missing), although \(whole: file) has a detail"))
        }
        return found
    }

    /// Whether the price is zero, as `0`, `0.00` or `0,00`.
    private func isFree(_ product: Product) -> Bool {
        guard let price = product.price.map({ $0.string ?? json.text(in: $0.value) }) else { return false }
        let parts = price.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 == "0" } }
    }

    /// The locales of the product's localizations, or of those that have a text.
    private func locales(of product: Product, with text: String? = nil) -> [String] {
        guard let localizations = product.localizations else { return [] }
        return json.elements(of: localizations.value).compactMap { localization in
            if let text, json.member(Name(text), of: localization.value)?.string?.isEmpty ?? true { return nil }
            return json.member("locale", of: localization.value)?.string
        }
    }
}

private extension CatalogItem {
    /// The languages in which the item has a detail.
    var detailedLanguages: [String] { texts.filter { !($0.value.detail ?? "").isEmpty }.map(\.key) }
}

private extension CatalogItem.Kind {
    /// The product's type in the configuration; `nil` for a kind without a product.
    var storeKitType: String? {
        switch self {
        case .nonConsumable, .trial: "NonConsumable"
        case .consumable: "Consumable"
        case .subscription: "RecurringSubscription"
        case .nonRenewing: "NonRenewingSubscription"
        case .allowance: nil
        }
    }
}

extension CatalogItem.Kind {
    /// The kind as a catalog writes it.
    var name: String {
        switch self {
        case .nonConsumable: "nonConsumable"
        case .consumable: "consumable"
        case .subscription: "subscription"
        case .nonRenewing: "nonRenewing"
        case .trial: "trial"
        case .allowance: "allowance"
        }
    }
}
