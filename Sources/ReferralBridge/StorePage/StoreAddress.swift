/// A store address taken apart: which bytes are its path, its query and its fragment.
///
/// Addresses are cut at `://`, `/`, `?`, `#`, `&` and `=` and never decoded, so that whatever an address holds besides
/// what is ours stays byte for byte.
package struct StoreAddress {
    package typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// The longest address that is looked at, in bytes of UTF-8.
    package static let maximumLength = 65_536

    private static let schemes: [StaticString] = [
        "https://", "http://", "itms-apps://", "itms-appss://", "itms://", "itmss://",
    ]
    private static let hosts: [StaticString] = ["apps.apple.com", "itunes.apple.com"]

    /// The address without its query and its fragment.
    let base: Bytes

    /// From the first `/` behind the authority to the query.
    let path: Bytes

    /// What stands behind the first `?`, up to the fragment.
    let query: Bytes

    /// From the first `#` on.
    let fragment: Bytes

    /// Whether the host is the App Store's own, not an additional one.
    let isOnStore: Bool

    /// Takes an address apart, white space around it left out.
    ///
    /// The parts are views of the string's bytes and live no longer than these.
    init(_ string: UnsafeBufferPointer<UInt8>, additionalHosts: [String] = []) throws(StorePageError) {
        guard let beginning = Self.beginning(of: string[...]) else { throw .unsupportedScheme }
        var end = string.endIndex
        while ASCII.isWhiteSpace(string[end - 1]) { end -= 1 }
        guard end - beginning.lowerBound <= Self.maximumLength else { throw .tooLong }

        let address = string[beginning.lowerBound..<end]
        let fragment = address.firstIndex(of: ASCII.hash) ?? end
        let query = address[..<fragment].firstIndex(of: ASCII.questionMark) ?? fragment
        let authority = beginning.upperBound
        let path = address[authority..<query].firstIndex(of: ASCII.slash) ?? query

        self.base = address[..<query]
        self.path = address[path..<query]
        self.query = address[min(query + 1, fragment)..<fragment]
        self.fragment = address[fragment...]

        let host = try Self.host(inAuthority: address[authority..<path])
        isOnStore = Self.hosts.contains { Self.isSame(host, $0.utf8) }
        guard isOnStore || additionalHosts.contains(where: { Self.isSame(host, $0.utf8) }) else {
            throw .unsupportedHost
        }
    }

    /// The address without white space around it.
    var whole: Bytes { base.base[base.startIndex..<fragment.endIndex] }

    var items: QueryItems { QueryItems(query) }

    /// The digits of the app that the address names: those of the last path component `id…`, else, on the store's own
    /// hosts, those of the last item `id`.
    var appIDDigits: Bytes? {
        appIDDigitsInPath ?? (isOnStore ? appIDDigitsInQuery : nil)
    }

    /// Whether bytes begin as a link does.
    package static func begins(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        beginning(of: bytes) != nil
    }

    /// Whether a string begins as a link does. Looks at its first few bytes, however long it is, and copies none.
    static func begins(_ string: String) -> Bool {
        // Most text is looked at no further than its first byte.
        guard let first = string.utf8.first, ASCII.isWhiteSpace(first) || isInitial(first) else { return false }
        return beginning(of: string.utf8) != nil
    }
}

private extension StoreAddress {
    /// Whether a scheme begins with a byte.
    static func isInitial(_ byte: UInt8) -> Bool {
        byte | 0x20 == UInt8(ascii: "h") || byte | 0x20 == UInt8(ascii: "i")
    }

    /// From the first byte of the scheme to the first byte behind `://`, white space in front passed over.
    static func beginning<String: Collection<UInt8>>(of string: String) -> Range<String.Index>? {
        guard let start = string.firstIndex(where: { !ASCII.isWhiteSpace($0) }) else { return nil }
        guard isInitial(string[start]) else { return nil }
        for scheme in schemes {
            let prefix = string[start...].prefix(scheme.utf8CodeUnitCount)
            if isSame(prefix, scheme.utf8) { return start..<prefix.endIndex }
        }
        return nil
    }

    /// The authority without its port.
    static func host(inAuthority authority: Bytes) throws(StorePageError) -> Bytes {
        guard !authority.contains(ASCII.at) else { throw .containsUserInfo }
        let port = authority.reversed().prefix(while: ASCII.isDigit).count
        let colon = authority.endIndex - port - 1
        return colon >= authority.startIndex && authority[colon] == ASCII.colon ? authority[..<colon] : authority
    }

    /// Whether two texts are the same, an ASCII letter in either case.
    static func isSame(_ text: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Bool {
        text.elementsEqual(other) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    var appIDDigitsInPath: Bytes? {
        var rest = path
        while let slash = rest.lastIndex(of: ASCII.slash) {
            let component = rest[(slash + 1)...]
            if component.starts(with: "id".utf8), AppID.areDigits(component.dropFirst(2)) {
                return component.dropFirst(2)
            }
            rest = rest[..<slash]
        }
        return nil
    }

    var appIDDigitsInQuery: Bytes? {
        var digits: Bytes?
        for item in items where item.isNamed("id") && AppID.areDigits(item.value) {
            digits = item.value
        }
        return digits
    }
}
