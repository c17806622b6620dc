/// The parts of a store address: its path, its query and its fragment.
///
/// An address is split at `://`, `/`, `?`, `#`, `&` and `=` and never decoded, so everything that this library doesn't
/// change stays the same, byte for byte. The parts are views of the string's bytes, and are valid only as long as the bytes.
package struct StoreAddress {
    /// The longest address that is accepted, in bytes of UTF-8.
    package static let maximumLength = 65_536

    private static let schemes: [StaticString] = [
        "https://", "http://", "itms-apps://", "itms-appss://", "itms://", "itmss://",
    ]
    private static let hosts: [StaticString] = ["apps.apple.com", "itunes.apple.com"]

    /// The kinds of pages with an ID that isn't an app's. `web/store-page.js` has the same.
    private static let otherKinds: Set = [
        "album", "app-bundle", "artist", "audiobook", "author", "book", "charts", "collection", "curator", "developer",
        "genre", "grouping", "itunes-u", "lookup", "movie", "music-video", "playlist", "podcast", "room", "search",
        "story", "tv-season", "tv-show",
    ]

    /// The path components that may precede the kind, besides a country.
    private static let devices: Set = ["iphone", "ipad", "mac", "watch", "vision"]

    /// The address without its query and its fragment.
    let base: Slice<Bytes>

    /// From the first `/` after the authority to the query.
    private let path: Slice<Bytes>

    /// From after the first `?` to the fragment.
    private let query: Slice<Bytes>

    /// From the first `#` to the end.
    let fragment: Slice<Bytes>

    /// Whether the host is the App Store's own, not an additional one.
    let isOnStore: Bool

    /// Splits an address, without surrounding white space.
    init(_ string: Bytes, additionalHosts: [String] = []) throws(StorePageError) {
        guard let beginning = Self.beginning(of: string) else { throw .unsupportedScheme }
        var end = string.endIndex
        while ASCII.isWhiteSpace(string[end - 1]) { end -= 1 }
        guard end - beginning.lowerBound <= Self.maximumLength else { throw .tooLong }

        let address = string[beginning.lowerBound..<end]
        let fragment = address.place(of: ASCII.hash) ?? end
        let query = address[..<fragment].place(of: ASCII.questionMark) ?? fragment
        let path = address[beginning.upperBound..<query].place(of: ASCII.slash) ?? query

        self.base = address[..<query]
        self.path = address[path..<query]
        self.query = address[min(query + 1, fragment)..<fragment]
        self.fragment = address[fragment...]

        let authority = address[beginning.upperBound..<path]
        guard authority.place(of: ASCII.at) == nil else { throw .containsUserInfo }
        var hostEnd = authority.endIndex
        while hostEnd > authority.startIndex, ASCII.isDigit(authority[hostEnd - 1]) { hostEnd -= 1 }
        let host = authority[..<hostEnd].last == ASCII.colon ? authority[..<(hostEnd - 1)] : authority
        isOnStore = Self.hosts.contains { Self.isSame(host, $0.utf8) }
        guard isOnStore || additionalHosts.contains(where: { $0.withUTF8Bytes { Self.isSame(host, $0) } }) else {
            throw .unsupportedHost
        }
    }

    /// The address without surrounding white space.
    var whole: Slice<Bytes> { base.base[base.startIndex..<fragment.endIndex] }

    var items: QueryItems { QueryItems(query) }

    /// The digits of the app that the address names: those in the last path component `id…`, or else, on the store's own
    /// hosts, those in the last item `id`.
    var appIDDigits: Slice<Bytes>? {
        var rest = path
        while let slash = rest.lastIndex(of: ASCII.slash) {
            let digits = rest[(slash + 1)...].dropFirst(2)
            if rest[(slash + 1)...].starts(with: ("id" as StaticString).utf8), AppID.areDigits(digits) { return digits }
            rest = rest[..<slash]
        }
        return isOnStore ? items.reduce(nil) { $1.isNamed("id") && AppID.areDigits($1.value) ? $1.value : $0 } : nil
    }

    /// The kind of a page that isn't an app's, such as `developer`.
    var otherKind: String? {
        for component in path.split(separator: ASCII.slash) {
            let name = String(decoding: component.map(ASCII.lowercased), as: UTF8.self)
            let isCountry = component.count == 2 && component.allSatisfy(ASCII.isLetter)
            if !isCountry, !Self.devices.contains(name) { return Self.otherKinds.contains(name) ? name : nil }
        }
        return nil
    }

    /// Why the address names no app.
    var missingApp: StorePageError {
        let last = path.split(separator: ASCII.slash).last
        return otherKind == nil && last.map(AppID.areDigits) == true ? .missingIDPrefix : .missingAppID
    }
}

extension StoreAddress {
    /// Whether an address may begin with this byte. For most text, the first byte shows that it isn't an address.
    package static func canBegin(with byte: UInt8) -> Bool {
        ASCII.isWhiteSpace(byte) || byte | 0x20 == UInt8(ascii: "h") || byte | 0x20 == UInt8(ascii: "i")
    }

    /// The range of the scheme with its `://`, after any white space; `nil` if the bytes don't begin with one.
    private static func beginning(of bytes: Bytes) -> Range<Int>? {
        guard let start = bytes.firstIndex(where: { !ASCII.isWhiteSpace($0) }) else { return nil }
        for scheme in schemes {
            let prefix = bytes[start...].prefix(scheme.utf8CodeUnitCount)
            if isSame(prefix, scheme.utf8) { return start..<prefix.endIndex }
        }
        return nil
    }

    /// Whether two texts are equal, ignoring the case of ASCII letters.
    private static func isSame(_ text: Slice<Bytes>, _ other: Bytes) -> Bool {
        text.isEqual(to: other)
            || text.count == other.count
                && text.elementsEqual(other) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
