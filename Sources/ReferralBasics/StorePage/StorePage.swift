/// The address of an app's page in the App Store.
///
/// Create it from its parts, or from an address that somebody copied:
///
/// ```swift
/// let page = try StorePage(appID: 1300230302, storefront: "us", slug: "trestle-the-new-sudoku")
/// let copied = try StorePage(parsing: "https://apps.apple.com/us/app/trestle-the-new-sudoku/id1300230302?mt=8")
/// ```
public struct StorePage: Sendable {
    /// The address as it was copied or created.
    public let address: String

    /// The app whose page it is.
    public let appID: AppID

    /// What comes before and after the value of `ed` in a link to the page. For a link, the address isn't parsed again.
    package let linkStart, linkEnd: String

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
        self = try StorePage(parsing: address).with(campaign: campaign, customProductPage: customProductPage)
    }

    /// Creates a page from an address that somebody copied. Surrounding white space is removed, and the rest is
    /// unchanged.
    ///
    /// - Throws: ``StorePageError`` if the address isn't that of an App Store page.
    public init(parsing address: String) throws(StorePageError) {
        self = try address.withUTF8Bytes { bytes throws(StorePageError) in try Self(StoreAddress(bytes)) }
    }

    init(_ parts: StoreAddress) throws(StorePageError) {
        guard let digits = parts.appIDDigits else { throw parts.missingApp }
        address = String(decoding: parts.whole, as: UTF8.self)
        guard !address.unicodeScalars.contains(where: \.isDisplayControl) else { throw .containsControlCharacter }
        if let kind = parts.otherKind { throw .notAnAppPage(kind: kind) }
        appID = AppID(checkedDigits: digits)
        linkStart = parts.replacingItems(named: ["ed"], with: "ed=")
        linkEnd = String(decoding: parts.fragment, as: UTF8.self)
    }

    /// The campaign in the address, if it has both `pt` and `ct` and they are valid for a ``Campaign``.
    public var campaign: Campaign? {
        guard let provider = item(named: "pt"), let token = item(named: "ct") else { return nil }
        return try? Campaign(providerToken: provider, campaignToken: token)
    }

    /// Returns the same page with another campaign, another custom product page, or both.
    ///
    /// The new items are added after the page's other items, in the order `ppid pt ct mt`. An argument that is `nil` changes nothing,
    /// and an existing `mt` is unchanged.
    ///
    /// - Throws: ``StorePageError/invalidPart(name:problem:)`` if the custom product page isn't a UUID, or
    ///   ``StorePageError/tooLong``.
    public func with(campaign: Campaign? = nil, customProductPage: String? = nil) throws(StorePageError) -> StorePage {
        var names: [StaticString] = []
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
        return items.isEmpty ? self : try replacingItems(named: names, with: items.joined(separator: "&"))
    }

    /// Returns the same page without the items that have one of these names.
    package func withoutItems(named names: [StaticString]) throws(StorePageError) -> StorePage {
        try replacingItems(named: names, with: "")
    }

    private func replacingItems(named names: [StaticString], with items: String) throws(StorePageError) -> StorePage {
        let address = try self.address.withUTF8Bytes { bytes throws(StorePageError) in
            let parts = try StoreAddress(bytes)
            return parts.replacingItems(named: names, with: items) + String(decoding: parts.fragment, as: UTF8.self)
        }
        return try StorePage(parsing: address)
    }
}

extension StorePage: Hashable, CustomStringConvertible {
    /// Whether two pages have the same address.
    public static func == (left: Self, right: Self) -> Bool { left.address == right.address }

    /// Hashes the address.
    public func hash(into hasher: inout Hasher) { hasher.combine(address) }

    /// The address.
    public var description: String { address }
}

extension StorePage {
    /// The decoded value of the last query item with this name; `nil` if there is none.
    package func item(named name: StaticString) -> String? {
        address.withUTF8Bytes { bytes in
            (try? StoreAddress(bytes))?.items.lastValue(named: name).map(PercentEncoding.decode)
        }
    }

    /// A probable mistake in an address that is accepted, and the solution.
    package var note: String? {
        let isEscaped = address.withUTF8Bytes { bytes in
            (try? StoreAddress(bytes))?.items.contains { $0.bytes.starts(with: ("amp;" as StaticString).utf8) }
        }
        return isEscaped == true
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
