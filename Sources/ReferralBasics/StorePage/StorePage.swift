/// The address of an app's page in the App Store.
///
/// Create it from its parts, or from an address that somebody copied:
///
/// ```swift
/// let page = try StorePage(appID: 1300230302, storefront: "us", slug: "trestle-the-new-sudoku")
/// let copied = try StorePage("https://apps.apple.com/us/app/trestle-the-new-sudoku/id1300230302?mt=8")
/// ```
public struct StorePage: Sendable, Hashable {
    /// The address as it was copied or created.
    public let address: String

    /// The app whose page it is.
    public let appID: AppID

    /// The address without its query and its fragment.
    private let base: String

    /// The items of the query that aren't empty.
    private let items: [String]

    /// The fragment, which comes after the value of `ed` in a link to the page.
    package let linkEnd: String

    /// What comes before the value of `ed`.
    package var linkStart: String { address(without: ["ed"], adding: ["ed="]) }

    /// Creates a page from its parts: `https://apps.apple.com/us/app/slug/id1300230302?ppid=…&pt=…&ct=…&mt=8`.
    ///
    /// - Parameters:
    ///   - appID: The app.
    ///   - storefront: Two letters, an ISO 3166-1 country code. Without it, the store uses the user's own storefront.
    ///   - slug: The app's name in the address. It is only for readers: the store ignores it.
    ///   - campaign: The campaign for which App Store Connect counts the downloads.
    ///   - customProductPage: The UUID of a custom product page, as App Store Connect shows it.
    /// - Throws: ``StorePageError/invalidPart(name:problem:)`` or ``StorePageError/tooLong``.
    public init(
        appID: AppID,
        storefront: String? = nil,
        slug: String? = nil,
        campaign: Campaign? = nil,
        customProductPage: String? = nil
    ) throws(StorePageError) {
        var address = "https://apps.apple.com/"
        if let storefront {
            guard storefront.utf8.count == 2, storefront.utf8.allSatisfy({ ASCII.isLetter($0) }) else {
                let rule: Sentence = "it must be a country code of two letters, such as us"
                throw .invalid("storefront", "The storefront is “\(name: storefront)”; \(rule).")
            }
            address += storefront.lowercased() + "/"
        }
        address += "app/"
        if let slug {
            guard !["", ".", ".."].contains(slug) else {
                throw .invalid("slug", "The slug is “\(name: slug)”; it must be a name such as trestle-the-new-sudoku.")
            }
            address += PercentEncoding.encode(slug) + "/"
        }
        address += "id" + appID.description
        self = try StorePage(address).with(campaign: campaign, customProductPage: customProductPage)
    }

    /// Creates a page from an address that somebody copied. Surrounding white space is removed, and the rest is
    /// unchanged.
    ///
    /// - Throws: ``StorePageError`` if the address isn't that of an App Store page.
    public init(_ address: String) throws(StorePageError) {
        self = try address.withUTF8Bytes { bytes throws(StorePageError) in try Self(StoreAddress(bytes)) }
    }

    init(_ parts: StoreAddress) throws(StorePageError) {
        guard let digits = parts.appIDDigits else { throw parts.missingApp }
        address = String(decoding: parts.whole, as: UTF8.self)
        guard !address.unicodeScalars.contains(where: \.isDisplayControl) else { throw .containsControlCharacter }
        if let kind = parts.otherKind { throw .notAnAppPage(kind: kind) }
        appID = AppID(checkedDigits: digits)
        base = String(decoding: parts.base, as: UTF8.self)
        items = parts.items.map { String(decoding: $0.bytes, as: UTF8.self) }
        linkEnd = String(decoding: parts.fragment, as: UTF8.self)
    }

    /// Returns the same page with another campaign, another custom product page, or both.
    ///
    /// The new items are added after the page's other items, in the order `ppid pt ct mt`. An argument that is `nil` changes nothing,
    /// and an existing `mt` is unchanged.
    ///
    /// - Throws: ``StorePageError/invalidPart(name:problem:)`` if the custom product page isn't a UUID, or
    ///   ``StorePageError/tooLong``.
    public func with(campaign: Campaign? = nil, customProductPage: String? = nil) throws(StorePageError) -> StorePage {
        var names: [String] = []
        var items: [String] = []
        if let customProductPage {
            guard Self.isUUID(customProductPage) else {
                throw .invalid("ppid", "The product page ppid is “\(name: customProductPage)”; it must be a UUID.")
            }
            names.append("ppid")
            items.append("ppid=" + customProductPage)
        }
        if let campaign {
            names += ["pt", "ct"]
            items.append("pt=" + PercentEncoding.encode(campaign.providerToken))
            items.append("ct=" + PercentEncoding.encode(campaign.campaignToken))
            if item(named: "mt") == nil { items.append("mt=8") }
        }
        return items.isEmpty ? self : try StorePage(address(without: names, adding: items) + linkEnd)
    }

    /// Returns the same page without the items that have one of these names.
    package func withoutItems(named names: [String]) throws(StorePageError) -> StorePage {
        try StorePage(address(without: names, adding: []) + linkEnd)
    }

    /// The address without its fragment, and with other items in place of those with these names. Empty items (`&&`, a bare `?`) are
    /// removed, and everything else stays the same, byte for byte.
    private func address(without names: [String], adding new: [String]) -> String {
        let all = items.filter { item in !names.contains { Self.isItem(item, named: $0) } } + new
        return base + (all.isEmpty ? "" : "?") + all.joined(separator: "&")
    }

    /// Names are compared without decoding.
    private static func isItem(_ item: String, named name: String) -> Bool {
        item.utf8.prefix { $0 != ASCII.equals }.elementsEqual(name.utf8)
    }
}

extension StorePage {
    /// The decoded value of the last query item with this name; `nil` if there is none.
    package func item(named name: String) -> String? {
        let item = items.last { Self.isItem($0, named: name) }
        return item.map { PercentEncoding.decode($0.utf8.dropFirst(name.utf8.count + 1)) }
    }

    /// A probable mistake in an address that is accepted, and the solution.
    package var note: String? {
        items.contains { $0.utf8.starts(with: "amp;".utf8) }
            ? "it contains &amp;, as in HTML, so the store doesn't recognize the items after it; write & in its place"
            : nil
    }

    /// 8, 4, 4, 4 and 12 hexadecimal digits. On Linux, Foundation's `UUID` accepts a space or a sign in place of a
    /// digit.
    package static func isUUID(_ text: String) -> Bool {
        let shape: StaticString = "00000000-0000-0000-0000-000000000000"
        return Array(text.utf8).elementsEqual(shape.utf8) { byte, place in
            place == ASCII.dash ? byte == place : ASCII.hexadecimalValue(byte) != nil
        }
    }
}
