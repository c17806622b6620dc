/// A landing page that reads the referrer from its address: `?via=NAME`, or the last name in its path, for which `*` stands.
struct LandingTemplate: Sendable {
    /// The address in ASCII: before the referrer, from there to the items of a row, and after them.
    private let head, middle, tail: [UInt8]
    /// Whether the referrer is in the path.
    let isPath: Bool
    /// The names of the items that the page passes on without a signature.
    let handedOn: [String]

    /// Creates a landing page. The query item for the referrer is added after the address's other items and before its
    /// fragment. Items with the same name, or that of an item of rows, are removed, so that the page can't find another one first.
    init(address text: String, item: String, handedOn: [String]) throws(RowError) {
        guard text.unicodeScalars.allSatisfy({ !$0.isDisplayControl && $0 != " " }),
            ["https", "http"].contains(WebAddress(text).scheme?.lowercased()),
            let host = WebAddress(text).authority?.utf8.first, !":@".utf8.contains(host)
        else { throw RowError("an address begins with https:// or http:// and a host") }
        guard let address = text.utf8.allSatisfy({ $0 < 0x80 }) ? text : PercentEncoding.encodeAddress(text) else {
            throw RowError("the host isn't valid; beyond ASCII, write it in Punycode, as in xn--bcher-kva.example")
        }
        let parts = WebAddress(address)
        isPath = parts.path.utf8.last == ASCII.asterisk
        var query = (parts.query ?? "").utf8.split(separator: ASCII.ampersand).map { String(Substring($0)) }
            .filter { other in
                let name = PercentEncoding.decodeForm(other.utf8.prefix { $0 != ASCII.equals })
                return !([item] + handedOn).contains { $0.utf8.elementsEqual(name.utf8) }
            }
        if !isPath { query.append(PercentEncoding.encode(item) + "=") }
        let items = (query.isEmpty ? "" : "?") + query.joined(separator: "&")
        let base = address[..<parts.path.endIndex]
        head = Array((isPath ? base.dropLast() : base + items).utf8)
        middle = Array((isPath ? items : "").utf8)
        tail = Array(parts.fragment.utf8)
        self.handedOn = handedOn
    }

    /// Whether the address is the App Store's, which doesn't read a referrer.
    static func isAppStore(_ address: String) -> Bool {
        let host = WebAddress(address).authority?.split(separator: ":").first?.lowercased()
        return host == "apps.apple.com" || host == "itunes.apple.com"
    }

    /// Appends the address for the values of a row. For a signed link, the items after the referrer are its parameters, `until`
    /// and, at the end, `sig`, since the page passes the items between the referrer and `sig` on to the app.
    func append(addressFor values: borrowing LinkValues, isSigned: Bool, to link: inout ByteBuffer) throws(RowError) {
        if isPath, [".", ".."].contains(values.referrer.string) {
            throw RowError("referrer", "a path can't contain . or .. as a referrer")
        }
        link.append(head)
        link.append(percentEncoding: values.referrer, isInText: true)
        link.append(middle)
        var separator = isPath && middle.isEmpty ? ASCII.questionMark : ASCII.ampersand
        for item in isSigned ? try LinkSigner.items(of: values) : values.parameters {
            link.append(separator)
            separator = ASCII.ampersand
            link.append(percentEncoding: item.name)
            link.append(ASCII.equals)
            link.append(percentEncoding: item.value, isInText: true)
        }
        link.append(tail)
    }
}

/// The items of a landing page's address.
enum LandingItem {
    static let referrer = Option(
        "--referrer-item",
        "NAME",
        "the name of the query item with the referrer, via by default",
        form: "a query item has a name without /, other than ed"
    ) { $0.hasForm("(?!ed$)[^/]+") ? $0 : nil }
    static let handedOn = Option(
        "--item",
        "NAME",
        """
        an item of the landing page's address that the page passes to the app as the parameter NAME, without a signature, such \
        as open in https://example.com/get?via=anna&open=/boards/42; the option can be repeated
        """,
        repeats: true,
        form: "\(LinkElement.nameForm), and not sig, until, timestamp or referrer",
        parse: { name in
            LandingPage.canNameParameter(name) && !LinkSigner.reservedNames.contains(name) ? name : nil
        }
    )

    /// The names of the item with the referrer and of those that are passed on, which only landing pages have.
    static func names(_ arguments: Arguments, hasPage: Bool) throws(ToolError) -> (item: String, handedOn: [String]) {
        for option in [referrer, handedOn] where !hasPage && arguments.contains(option) {
            throw .usage("\(name: option.name) requires --landing")
        }
        let item = try arguments.value(of: referrer) ?? "via"
        return (item, try handedOn(arguments, besides: item))
    }

    /// The names of the items that are passed on, in the order given. The item with the referrer can't be one of them.
    static func handedOn(_ arguments: Arguments, besides item: String) throws(ToolError) -> [String] {
        let names = try arguments.values(of: handedOn)
        if names.contains(item) { throw .value(item, of: handedOn, "it is the item that names the referrer") }
        return names
    }
}
