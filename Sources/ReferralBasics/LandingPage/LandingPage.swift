/// A page of the website that names the referrer in its address, such as `https://example.com/get?via=anna`.
///
/// ```swift
/// scanner.landingPages = [LandingPage("https://example.com/get")]
/// ```
///
/// If such an address opens the app, its referrer counts, although the address contains no ``ReferralLink``.
public struct LandingPage: Sendable, Hashable {
    /// Where an address names the referrer: in an item of the query, or in the part of the path that `*` stands for.
    public enum ReferrerPlace: Sendable, Hashable { case query, path }

    /// The address of the page, in ASCII: its host is in Punycode, and other letters are escapes.
    ///
    /// If its path ends with `*`, it stands for every path that begins so: `https://example.com/boards/*`. Its query and its
    /// fragment don't matter.
    public let address: String

    /// How addresses of the page begin, and its path, each in the spelling in which they are compared.
    private let site: String
    private let path: String

    /// The name of the query item with the referrer.
    public var referrerItem = "via"

    /// Where an address names the referrer. An item counts for nothing if the path `https://example.com/for/*` does.
    public var referrerPlace = ReferrerPlace.query

    /// The page's own referrer, its `data-referrer`, for addresses that name none.
    public var referrer: String?

    /// The parameters that the page adds, its `data-referral-…`. An unsigned address doesn't contain them.
    public var parameters: [String: String] = [:]

    /// The names of query items that the page hands on although nobody signed them, its `data-referral-items`. They replace
    /// the page's own parameters.
    public var parameterItems: [String] = []

    /// Whether the path of an unsigned address is the ``Arrival/destination``.
    public var opensPath = false

    /// Creates a landing page in the source. Its host may have letters beyond ASCII: `https://bücher.example/get`.
    ///
    /// - Precondition: The address has a scheme and a valid host, and no user name. For an address from outside, use
    ///   ``init(address:)``.
    public init(
        _ address: StaticString,
        referrerItem: String = "via",
        referrerIn place: ReferrerPlace = .query,
        referrer: String? = nil,
        parameters: [String: String] = [:],
        parameterItems: [String] = [],
        opensPath: Bool = false
    ) {
        guard let page = LandingPage(address: "\(address)") else {
            preconditionFailure("\(address) isn't an address such as https://example.com/get")
        }
        self = page
        self.referrerItem = referrerItem
        self.referrerPlace = place
        self.referrer = referrer
        self.parameters = parameters
        self.parameterItems = parameterItems
        self.opensPath = opensPath
    }

    /// Creates a landing page from an address that is known only when the app runs; `nil` without a scheme and a valid host, or with a
    /// user name.
    public init?(address: String) {
        self.address = PercentEncoding.encodeAddress(address) ?? ""
        let parts = WebAddress(self.address)
        guard let site = parts.site else { return nil }
        (self.site, path) = (site, String(parts.path))
    }
}

extension LandingPage {
    /// Whether an address is the page's.
    package func matches(_ other: WebAddress) -> Bool {
        guard site == other.site else { return false }
        let (path, otherPath) = (path[...].utf8, other.spelledPath.utf8)
        guard isPattern else { return path.withoutLastSlash.elementsEqual(otherPath.withoutLastSlash) }
        let beginning = path.dropLast()
        return otherPath.starts(with: beginning)
            || beginning.last == ASCII.slash && otherPath.elementsEqual(beginning.dropLast())
    }

    /// Whether the page stands for every path that begins so.
    package var isPattern: Bool { path.utf8.last == ASCII.asterisk }

    /// What one of the page's addresses says: the referral, and the path to which the address leads. Of a signed address, the items
    /// before the referrer and after the signature are ignored.
    typealias Reading = (referral: Referral, destination: String?, ignored: [String])

    /// Reads one of the page's addresses, opened at a moment, as the page itself does.
    func read(_ address: WebAddress, at now: Timestamp) throws(ReferralLinkError) -> Reading {
        let isInPath = referrerPlace == .path
        let items = address.items.filter { !isInPath || !$0.name.utf8.elementsEqual(referrerItem.utf8) }
        let index = isInPath ? nil : items.firstIndex { $0.name.utf8.elementsEqual(referrerItem.utf8) }
        let named = isInPath ? referrer(inPathOf: address) : index.map { items[$0].value }
        let isNamed = named?.isEmpty == false
        guard let referrer = isNamed ? named : self.referrer else { throw .missingReferrer }
        let later = isNamed ? items[(index.map { $0 + 1 } ?? 0)...] : []
        let end = later.firstIndex { Self.isSignature($0.name, $0.value) }
        // Sorting may move the signature in front of the referrer.
        let isSigned = isNamed && items.contains { Self.isSignature($0.name, $0.value) }
        let ignored = items.indices.filter { item in
            let counts = end.map { later.startIndex...$0 ~= item } ?? parameterItems.contains(items[item].name)
            return isSigned && item != index && !counts
        }
        do throws(ReferralError) {
            var claims = try Claims(referrer: referrer, parameters: end == nil ? parameters : [:])
            if let end {
                for (name, value) in later[...end] where Self.canNameParameter(name) { claims.set(name, to: value) }
            } else {
                let refused = [Referral.signatureName, Referral.endName, referrerItem]
                for name in parameterItems where Self.canNameParameter(name) && !refused.contains(name) {
                    let item = items.first { $0.name.utf8.elementsEqual(name.utf8) && !$0.value.isEmpty }
                    if let item { claims.set(name, to: item.value) }
                }
            }
            let referral = try Referral(claims, timestamp: now)
            let path = address.path.isEmpty ? "/" : String(address.path)
            let destination = opensPath && end == nil ? Destination.checked(path) : referral.destination
            return (referral, destination, ignored.map { items[$0].name })
        } catch {
            throw .invalidPayload(error)
        }
    }

    /// What the star of the page's path stands for, if it names a referrer.
    private func referrer(inPathOf address: WebAddress) -> String? {
        guard isPattern else { return nil }
        let part = address.spelledPath.utf8.dropFirst(path.utf8.count - 1).withoutLastSlash
        let name = PercentEncoding.decode(part)
        return part.contains(ASCII.slash) || name == "." || name == ".." ? nil : name
    }

    /// Whether a page's `data-referrer-from` is a path whose `*` is the referrer, and not the name of an item.
    package static func isPath(_ from: String) -> Bool { from.hasPrefix("/") && from.hasSuffix("*") }

    /// Whether an attribute `data-referral-…` can have the name, and the payload has no member of its own with it.
    package static func canNameParameter(_ name: String) -> Bool {
        guard let first = name.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return false }
        return name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == ASCII.underscore || $0 == ASCII.period }
            && name != "on" && !Referral.reservedParameterNames.contains(name)
    }

    /// Whether an item has the form of a signature: 64 to 128 characters of base64url, not all of them hexadecimal digits.
    ///
    /// Punctuation behind them, which a program has added that makes links of addresses in a text, damages the signature.
    private static func isSignature(_ name: String, _ value: String) -> Bool {
        guard name.utf8.elementsEqual(Referral.signatureName.utf8) else { return false }
        let digits = value.utf8.prefix { ASCII.isAlphanumeric($0) || $0 == ASCII.dash || $0 == ASCII.underscore }
        let added = value.unicodeScalars[digits.endIndex...].lazy.map { Character($0) }
        return 64...128 ~= digits.count && !digits.allSatisfy { ASCII.hexadecimalValue($0) != nil }
            && added.allSatisfy { $0.isPunctuation || $0 == "=" || $0 == ">" }
    }
}

private extension Substring.UTF8View {
    var withoutLastSlash: Substring.UTF8View { last == ASCII.slash ? dropLast() : self }
}
