/// The addresses of the links to a page, and of the page, with the places of what differs between rows.
final class LinkTemplate {
    /// A token in the place of a row's token.
    static let token = "x"

    let appID: AppID
    /// A probable mistake in the page's address.
    let note: String?
    /// The link before the row's token, from there to the rest of its payload, and after it.
    private let head, middle, tail: [UInt8]
    /// The page's address before and after the row's token.
    private let pageHead, pageTail: [UInt8]

    /// Creates the template of a page with the encoded beginning of the payload, and with ``token`` in its address if the rows have
    /// tokens.
    init(_ page: StorePage, hasToken: Bool, _ payload: [UInt8]) {
        appID = page.appID
        note = page.note
        let fragment = page.template.tailCount
        let (before, rest) = Self.split(page.template.address, hasToken, fragment)
        head = Array(before)
        middle = rest.dropLast(fragment) + payload
        tail = Array(rest.suffix(fragment))
        let (pageBefore, pageRest) = Self.split(page.address, hasToken, fragment)
        pageHead = Array(pageBefore)
        pageTail = Array(pageRest)
    }

    /// Appends the link of a row.
    func append(token: Bytes, payload: Bytes, to link: inout ByteBuffer) {
        link.append(head)
        link.append(percentEncoding: token)
        link.append(middle)
        link.append(upTo: Base64.encodedCount(payload.count)) { room in
            Base64.encode(payload, into: room)
            return room.count
        }
        link.append(tail)
    }

    /// The page's address with the token of a row.
    func page(token: String) -> String {
        String(decoding: pageHead + PercentEncoding.encode(token).utf8 + pageTail, as: UTF8.self)
    }

    /// Splits an address at its token, or before its fragment. Only `mt=8` and an empty `ed` can be between them.
    private static func split(
        _ address: String,
        _ hasToken: Bool,
        _ fragment: Int
    ) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
        let bytes = Array(address.utf8)
        let end = bytes.count - fragment
        guard hasToken, let place = bytes[..<end].lastIndex(of: UInt8(ascii: "x")) else {
            return (bytes[..<end], bytes[end...])
        }
        return (bytes[..<place], bytes[(place + 1)...])
    }
}
