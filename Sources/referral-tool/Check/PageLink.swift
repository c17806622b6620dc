import ReferralBridge

/// An element that leads to the store or has an attribute of the snippet's, as the snippet would read it.
struct PageLink {
    let element: HTMLElement

    /// The App Store page at its address, or why there is none; `nil` where it has no address.
    let page: Result<StorePage, StorePageError>?

    init(_ element: HTMLElement) {
        self.element = element
        page = Self.address(of: element).map { address in
            Result { () throws(StorePageError) in try StorePage(parsing: Self.resolved(address.value)) }
        }
    }

    var address: HTMLElement.Attribute? { Self.address(of: element) }

    var storePage: StorePage? { try? page?.get() }

    var isToStore: Bool { storePage != nil }

    /// Whether one of the attributes that name a referrer is there, empty or not.
    var isOurs: Bool { element["data-referrer"] != nil || element["data-referrer-from"] != nil }

    /// Whether the snippet may find a referrer.
    var hasReferrer: Bool {
        ["data-referrer", "data-referrer-from"].contains { element[$0]?.value.isEmpty == false }
    }

    /// The attributes `data-referral-…`, that which says where to copy left out.
    var parameters: [HTMLElement.Attribute] {
        element.attributes.filter { $0.name.hasPrefix("data-referral") && $0.name != "data-referral-on" }
    }

    var hasParameters: Bool { element.attributes.contains { $0.name.hasPrefix("data-referral-") } }

    /// Whether it is something that people tap to get somewhere. An element of the page's own making may be.
    var isLink: Bool { element.name == "a" || element.name == "area" || element.name.utf8.contains(.dash) }

    private static func address(of element: HTMLElement) -> HTMLElement.Attribute? {
        element["href"] ?? element["xlink:href"]
    }

    /// An address as a browser has it, as far as that matters to the store's: without line breaks and tabs, and with a scheme.
    private static func resolved(_ address: String) -> String {
        let address = String(address.trimmed.unicodeScalars.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" })
        return address.hasPrefix("//") ? "https:" + address : address
    }
}
