/// An element that links to the store or has an attribute of the snippet.
struct PageLink {
    let element: HTMLElement

    /// The App Store page of its address, or the reason why it isn't one; `nil` without an address.
    let page: Result<StorePage, StorePageError>?

    /// The attributes with misspelled names, and the correct names.
    private(set) var misspellings: [(attribute: HTMLElement.Attribute, meant: String)] = []

    init(_ element: HTMLElement) {
        self.element = element
        page = Self.address(of: element).map { address in
            Result { () throws(StorePageError) in try StorePage(parsing: Self.resolved(address.value)) }
        }
        misspellings = findMisspellings()
    }

    var address: HTMLElement.Attribute? { Self.address(of: element) }

    /// Whether the address is a store address without its scheme, which makes it a path.
    var isStorePath: Bool {
        guard isLink, let address else { return false }
        let text = address.value.utf8.drop(while: \.isHTMLSpace)
        return ["apps.apple.com/", "itunes.apple.com/"].contains { text.starts(with: $0.utf8) }
    }

    var storePage: StorePage? { try? page?.get() }

    /// Whether it is a link with a referrer to a page on the store's host, an app's or not.
    var isStoreLinkWithReferrer: Bool {
        guard isLink, hasReferrerAttribute, let page else { return false }
        return switch page {
        case .success: true
        case .failure(.unsupportedScheme), .failure(.unsupportedHost): isStorePath
        case .failure: true
        }
    }

    /// The same link without the attributes of the snippet; `nil` if it doesn't lead to the store.
    var withoutAttributes: PageLink? {
        guard storePage != nil || isStorePath else { return nil }
        var element = element
        element.attributes.removeAll { Self.isOurs($0.name) }
        element.repeated.removeAll { Self.isOurs($0.name) }
        return PageLink(element)
    }

    /// Whether an attribute is one of the snippet, or resembles one.
    static func isOurs(_ attribute: String) -> Bool {
        attribute.hasPrefix("data-referr") || AttributeName.meant(by: attribute) != nil
    }

    /// Whether the element has an attribute for the referrer, even an empty one.
    var hasReferrerAttribute: Bool { element["data-referrer"] != nil || element["data-referrer-from"] != nil }

    /// Whether the referrer becomes the campaign token at a tap.
    var takesTokenFromReferrer: Bool { element["data-referrer-ct"] != nil }

    /// Whether the snippet may find a referrer.
    var hasReferrer: Bool {
        ["data-referrer", "data-referrer-from"].contains { element[$0]?.value.isEmpty == false }
    }

    /// The attributes `data-referral-…`, except `data-referral-on`.
    var parameters: [HTMLElement.Attribute] {
        element.attributes.filter { $0.name.hasPrefix("data-referral") && $0.name != "data-referral-on" }
    }

    /// Whether users can follow the element. A custom element may be a link.
    var isLink: Bool { element.name == "a" || element.name == "area" || element.name.utf8.contains(ASCII.dash) }

    private func findMisspellings() -> [(attribute: HTMLElement.Attribute, meant: String)] {
        let hasReferrerAttribute = hasReferrerAttribute
        // Elsewhere, such names are probably the page's own.
        guard storePage != nil || hasReferrerAttribute else { return [] }
        return element.attributes.compactMap { attribute in
            // With a referrer, such a name is the name of a parameter, correct or not.
            guard !hasReferrerAttribute || !attribute.name.hasPrefix("data-referral") else { return nil }
            return AttributeName.meant(by: attribute.name).map { (attribute, $0) }
        }
    }

    private static func address(of element: HTMLElement) -> HTMLElement.Attribute? {
        element["href"] ?? element["xlink:href"]
    }

    /// An address without line breaks and tabs, and with a scheme, as a browser resolves it.
    private static func resolved(_ address: String) -> String {
        let address = String(address.trimmed.unicodeScalars.filter { !["\t", "\n", "\r"].contains($0) })
        return address.hasPrefix("//") ? "https:" + address : address
    }
}
