// What all libraries and the command need: text formats, time, signatures, links and the judgment on them. Read Referral and
// ReferralLink first, the wire format; then StorePage and LandingPage, the two kinds of addresses, ReferralScanner, which judges
// strings at a given time, and Arrival, what an app receives.

/// The address of an App Store page that carries a referral in its query item `ed`.
///
/// ```swift
/// let link = try ReferralLink(page: page, referral: referral)
/// link.address  // https://apps.apple.com/app/id1300230302?ed=eyJ0aW1lc3RhbXAi…
///
/// let read = try ReferralLink(link.address)
/// read.referral == referral  // true
/// ```
public struct ReferralLink: Sendable, Hashable {
    /// The address as it was copied or created, without surrounding white space.
    public let address: String

    /// The app that the address names; `nil` only for an address that opened the app, or for one on an additional host
    /// that doesn't name an app.
    public let appID: AppID?

    /// The referral in the link.
    public let referral: Referral
}

extension ReferralLink {
    /// Creates a link from a page and a referral.
    ///
    /// `ed` is added after the page's other items and before its fragment. Any earlier `ed` of the page is removed.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - referral: The referral.
    /// - Throws: ``ReferralLinkError/invalidAddress(_:)`` with ``StorePageError/tooLong`` if the link would be longer
    ///   than 65,536 bytes, and couldn't be read back.
    public init(page: StorePage, referral: Referral) throws(ReferralLinkError) {
        let address = page.linkStart + Base64.encode(referral.payload.utf8, .url) + page.linkEnd
        guard address.utf8.count <= StoreAddress.maximumLength else { throw .invalidAddress(.tooLong) }
        self.init(address: address, appID: page.appID, referral: referral)
    }

    /// Reads a string that somebody copied.
    ///
    /// - Parameters:
    ///   - string: The string. Surrounding white space doesn't matter.
    ///   - appID: The app that the link must be for; `nil` for any app.
    ///   - additionalHosts: Hosts besides the App Store's whose addresses may carry a referral, such as `example.com`.
    /// - Throws: The first rule that the string violates.
    public init(
        _ string: String,
        for appID: AppID? = nil,
        additionalHosts: [String] = []
    ) throws(ReferralLinkError) {
        self = try string.withUTF8Bytes { bytes throws(ReferralLinkError) in
            let (address, digits) = try Self.address(bytes, for: appID, additionalHosts: additionalHosts)
            let whole = address.whole
            return Self(
                address: whole.count == bytes.count ? string : String(decoding: whole, as: UTF8.self),
                appID: digits.map(AppID.init(checkedDigits:)),
                referral: try Self.referral(in: address.items)
            )
        }
    }

    /// Reads the referral in the query of an address with which the system opened the app, whatever its scheme and host.
    ///
    /// - Throws: ``ReferralLinkError/invalidAddress(_:)`` with ``StorePageError/tooLong``,
    ///   ``ReferralLinkError/missingPayload`` or ``ReferralLinkError/invalidPayload(_:)``.
    init(opened address: String, query: Substring) throws(ReferralLinkError) {
        guard address.utf8.count <= StoreAddress.maximumLength else { throw .invalidAddress(.tooLong) }
        let referral = try String(query).withUTF8Bytes { bytes throws(ReferralLinkError) in
            try Self.referral(in: QueryItems(bytes[...]))
        }
        self.init(address: address, appID: nil, referral: referral)
    }

    private static func referral(in items: QueryItems) throws(ReferralLinkError) -> Referral {
        let value = try encodedPayload(in: items)
        do { return try Referral(encoded: value) } catch { throw .invalidPayload(error) }
    }

    static func encodedPayload(in items: QueryItems) throws(ReferralLinkError) -> Slice<Bytes> {
        guard let value = items.lastValue(named: "ed"), !value.isEmpty else { throw .missingPayload }
        return value
    }

    /// Splits an address, and finds the app that it names.
    static func address(
        _ bytes: Bytes,
        for expected: AppID?,
        additionalHosts: [String]
    ) throws(ReferralLinkError) -> (StoreAddress, appID: Slice<Bytes>?) {
        let address: StoreAddress
        do throws(StorePageError) { address = try StoreAddress(bytes, additionalHosts: additionalHosts) } catch {
            throw .invalidAddress(error)
        }
        let digits = address.appIDDigits
        guard digits != nil || !address.isOnStore else { throw .invalidAddress(address.missingApp) }
        if let digits, let expected, !expected.description.withUTF8Bytes(digits.isEqual) { throw .wrongApp }
        return (address, digits)
    }
}
