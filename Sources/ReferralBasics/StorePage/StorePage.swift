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

    /// The address with an empty `ed`, and the number of bytes after it, so that the address isn't parsed again for
    /// each link.
    package let template: Template

    package struct Template: Sendable {
        package let address: String
        package let tailCount: Int
    }

    /// Creates a page from its parts: `https://apps.apple.com/us/app/slug/id1300230302?ppid=…&pt=…&ct=…&mt=8`.
    ///
    /// - Parameters:
    ///   - appID: The app.
    ///   - storefront: Two letters, an ISO 3166-1 country code. Without it, the store uses the user's own storefront.
    ///   - slug: The app's name in the address. It is only for readers: the store ignores it.
    ///   - campaign: The campaign for which App Store Connect counts the downloads.
    ///   - customProductPage: The UUID of a custom product page, as App Store Connect shows it.
    /// - Throws: ``StorePageError/invalidStorefront(_:)``, ``StorePageError/invalidSlug(_:)``,
    ///   ``StorePageError/invalidCustomProductPage(_:)`` or ``StorePageError/tooLong``.
    public init(
        appID: AppID,
        storefront: String? = nil,
        slug: String? = nil,
        campaign: Campaign? = nil,
        customProductPage: String? = nil
    ) throws(StorePageError) {
        var address = "https://apps.apple.com/"
        if let storefront {
            guard Self.isStorefront(storefront) else { throw .invalidStorefront(storefront) }
            address += storefront.lowercased() + "/"
        }
        address += "app/"
        if let slug {
            guard !["", ".", ".."].contains(slug) else { throw .invalidSlug(slug) }
            address += PercentEncoding.encode(slug) + "/"
        }
        address += "id" + appID.description
        try self.init(parsing: Self.stamp(address, campaign: campaign, customProductPage: customProductPage))
    }

    /// Creates a page from an address that somebody copied. Surrounding white space is removed, and the rest is
    /// unchanged.
    ///
    /// - Throws: ``StorePageError`` if the address isn't that of an App Store page.
    public init(parsing address: String) throws(StorePageError) {
        self = try address.withUTF8Bytes { bytes throws(StorePageError) in try Self(StoreAddress(bytes)) }
    }

    /// The country in the address, such as `us`, if it names one.
    public var storefront: String? { pathComponents.first.flatMap { Self.isStorefront($0) ? $0 : nil } }

    /// The app's name in the address, such as `trestle-the-new-sudoku`, if it contains one.
    public var slug: String? {
        let components = pathComponents
        guard let app = components.firstIndex(of: "app"), app + 2 < components.count else { return nil }
        return components[app + 1]
    }

    /// The campaign in the address, if it has both `pt` and `ct` and they are valid for a ``Campaign``.
    public var campaign: Campaign? {
        guard let provider = item(named: "pt"), let token = item(named: "ct") else { return nil }
        return try? Campaign(providerToken: provider, campaignToken: token)
    }

    /// `ppid`: the custom product page that the address shows, a UUID.
    public var customProductPage: String? { item(named: "ppid").flatMap { Self.isUUID($0) ? $0 : nil } }

    /// The decoded value of the last query item with this name; `nil` if there is none.
    package func item(named name: StaticString) -> String? {
        address.withUTF8Bytes { bytes in
            (try? StoreAddress(bytes))?.items.lastValue(named: name).map(PercentEncoding.decode)
        }
    }

    /// Returns the same page with another campaign, another custom product page, or both.
    ///
    /// The new items are added after the page's other items. An argument that is `nil` changes nothing, and an existing
    /// `mt` is unchanged.
    ///
    /// - Throws: ``StorePageError/invalidCustomProductPage(_:)``, or ``StorePageError/tooLong`` if the address becomes
    ///   too long.
    public func with(campaign: Campaign? = nil, customProductPage: String? = nil) throws(StorePageError) -> StorePage {
        try StorePage(parsing: Self.stamp(address, campaign: campaign, customProductPage: customProductPage))
    }

    /// Returns the same page without the items that have one of these names.
    package func withoutItems(named names: [StaticString]) throws(StorePageError) -> StorePage {
        try StorePage(
            parsing: address.withUTF8Bytes { bytes throws(StorePageError) in
                try StoreAddress(bytes).replacingItems(named: names)
            }
        )
    }
}

extension StorePage: Hashable {
    /// Whether two pages have the same address.
    public static func == (left: Self, right: Self) -> Bool { left.address == right.address }

    /// Hashes the address.
    public func hash(into hasher: inout Hasher) { hasher.combine(address) }
}

extension StorePage: CustomStringConvertible {
    /// The address.
    public var description: String { address }
}

extension StorePage {
    init(_ parts: StoreAddress) throws(StorePageError) {
        guard let digits = parts.appIDDigits else { throw parts.missingApp }
        address = String(decoding: parts.whole, as: UTF8.self)
        guard !address.unicodeScalars.contains(where: \.isDisplayControl) else { throw .containsControlCharacter }
        if let kind = parts.otherKind { throw .notAnAppPage(kind: kind) }
        appID = AppID(checkedDigits: digits)
        template = Template(
            address: parts.replacingItems(named: ["ed"], with: "ed="),
            tailCount: parts.fragment.count
        )
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

private extension StorePage {
    var pathComponents: [String] {
        address.withUTF8Bytes { bytes in
            (try? StoreAddress(bytes))?.path.split(separator: ASCII.slash).map(PercentEncoding.decode) ?? []
        }
    }

    /// Adds the items of a campaign and a custom product page to an address, in the order `ppid pt ct mt`.
    static func stamp(
        _ address: String,
        campaign: Campaign?,
        customProductPage: String?
    ) throws(StorePageError) -> String {
        var names: [StaticString] = []
        var items: [String] = []
        if let customProductPage {
            guard isUUID(customProductPage) else { throw .invalidCustomProductPage(customProductPage) }
            names.append("ppid")
            items.append("ppid=" + customProductPage)
        }
        if let campaign {
            names += ["pt", "ct"]
            items.append("pt=" + PercentEncoding.encode(campaign.providerToken))
            items.append("ct=" + PercentEncoding.encode(campaign.campaignToken))
        }
        guard !items.isEmpty else { return address }
        return try address.withUTF8Bytes { bytes throws(StorePageError) in
            let parts = try StoreAddress(bytes)
            if campaign != nil, !parts.items.contains(where: { $0.isNamed("mt") }) { items.append("mt=8") }
            return parts.replacingItems(named: names, with: items.joined(separator: "&"))
        }
    }

    static func isStorefront(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { ASCII.isLetter($0) }
    }
}
