/// An element that links to the store or has an attribute of the snippet.
final class PageLink {
    let element: HTMLElement

    /// The App Store page of its address, or the reason why it isn't one; `nil` without an address.
    let page: Result<StorePage, StorePageError>?

    init(_ element: HTMLElement) {
        self.element = element
        page = element.address.map { address in
            // As a browser resolves it.
            let text = String(address.value.trimmed.unicodeScalars.filter { !["\t", "\n", "\r"].contains($0) })
            let resolved = text.hasPrefix("//") ? "https:" + text : text
            return Result { () throws(StorePageError) in try StorePage(resolved) }
        }
    }

    var storePage: StorePage? { try? page?.get() }

    /// The place of its address.
    var offset: Int { element.address?.offset ?? element.offset }

    /// The value of an item of a store page's address.
    func item(_ name: String) -> String? { storePage?.item(named: name) }

    /// Whether the address is a store address without its scheme, which makes it a path.
    var isStorePath: Bool {
        guard element.isLink, let address = element.address?.value.trimmed else { return false }
        return ["apps.apple.com/", "itunes.apple.com/"].contains { address.hasPrefix($0) }
    }

    /// The names of the items whose values end with a mark, or have an escape of one that ends a sentence, and no name for the path.
    /// Programs that make links of addresses in a text take such a mark for a part of the address.
    var markedItems: [String] {
        let address = WebAddress(element.address?.value.trimmed ?? "")
        let items = "=\(address.path)&\(address.query ?? "")".utf8.split(separator: ASCII.ampersand)
        return items.compactMap { item in
            let name = item.prefix { $0 != ASCII.equals }
            let value = Substring(item.dropFirst(name.count + 1))
            let text = PercentEncoding.decodeForm(value.utf8)
            let isMarked =
                value.last.map(".,;:!?'*)]".contains) ?? false
                || text.last.map { !$0.isASCII && $0.isPunctuation } ?? false
                || text.unicodeScalars.contains { !$0.isASCII && $0.properties.isSentenceTerminal }
            return isMarked ? PercentEncoding.decodeForm(name) : nil
        }
    }

    /// Whether it is a link with a referrer to a page on the store's host, an app's or not.
    var isStoreLinkWithReferrer: Bool {
        guard element.isLink, hasReferrerAttribute, let page else { return false }
        return switch page {
        case .failure(.unsupportedScheme), .failure(.unsupportedHost): isStorePath
        default: true
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

    /// Whether the snippet may find a referrer.
    var hasReferrer: Bool {
        ["data-referrer", "data-referrer-from"].contains { element[$0]?.value.isEmpty == false }
    }

    /// The attributes `data-referral-…`, except `data-referral-on`.
    var parameters: [HTMLElement.Attribute] {
        element.attributes.filter { $0.name.hasPrefix("data-referral") && $0.name != "data-referral-on" }
    }

    /// The attributes with misspelled names, and the correct names. Elsewhere, such names are probably the page's own, and with a
    /// referrer, they are names of parameters, correct or not.
    var misspellings: [(attribute: HTMLElement.Attribute, meant: String)] {
        guard storePage != nil || hasReferrerAttribute else { return [] }
        return element.attributes.filter { !hasReferrerAttribute || !$0.name.hasPrefix("data-referral") }
            .compactMap { attribute in AttributeName.meant(by: attribute.name).map { (attribute, $0) } }
    }
}

extension HTMLElement {
    var address: Attribute? { self["href"] ?? self["xlink:href"] }

    /// Whether users can follow the element. A custom element may be a link.
    var isLink: Bool { name == "a" || name == "area" || name.utf8.contains(ASCII.dash) }
}
