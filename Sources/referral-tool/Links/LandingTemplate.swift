/// A landing page that reads the referrer from its address, `?via=NAME`.
struct LandingTemplate: Sendable {
    /// The address before and after the referrer.
    private let head, tail: [UInt8]
    /// The name of the item with the referrer.
    let item: String
    /// The names of the items that the page passes on without a signature.
    let handedOn: [String]

    /// Creates a landing page. The query item for the referrer is added after the address's other items and before its
    /// fragment. Items with the same name, or that of an item of rows, are removed, so that the page can't find another one first.
    init?(address: String, item: String, handedOn: [String]) {
        let parts = WebAddress(address)
        guard !address.unicodeScalars.contains(where: { $0.isDisplayControl || $0 == " " }), !item.isEmpty,
            let scheme = parts.scheme?.lowercased(), ["https", "http"].contains(scheme),
            let host = parts.authority?.utf8.first, !":@".utf8.contains(host)
        else { return nil }
        let others = (parts.query ?? "").utf8.split(separator: ASCII.ampersand).map { Substring($0) }
            .filter { other in
                let name = PercentEncoding.decodeForm(other.utf8.prefix { $0 != ASCII.equals })
                return !([item] + handedOn).contains { $0.utf8.elementsEqual(name.utf8) }
            }
        let query = (others + [PercentEncoding.encode(item) + "="]).joined(separator: "&")
        head = Array((address[..<parts.path.endIndex] + "?" + query).utf8)
        tail = Array(parts.fragment.utf8)
        self.item = item
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
        link.append(head)
        link.append(percentEncoding: values.referrer, isInText: true)
        for item in isSigned ? try LinkSigner.items(of: values) : values.parameters {
            link.append(ASCII.ampersand)
            link.append(percentEncoding: item.name)
            link.append(ASCII.equals)
            link.append(percentEncoding: item.value, isInText: true)
        }
        link.append(tail)
    }
}

/// An item of a landing page's address that the page passes to the app as a parameter, although nobody signed it.
enum HandedOnItem {
    static let option = Option(
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

    /// The names of a command's items, in the order given. The item with the referrer can't be one of them.
    static func names(_ arguments: Arguments, referrerItem: String) throws(ToolError) -> [String] {
        let names = try arguments.values(of: option)
        for (index, name) in names.enumerated() {
            if name == referrerItem { throw .value(name, of: option, "it is the item that names the referrer") }
            if names[..<index].contains(name) { throw .value(name, of: option, "it is given twice") }
        }
        return names
    }
}
