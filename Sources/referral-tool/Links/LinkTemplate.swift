/// The address of the links to a page, with the places of what differs between rows.
final class LinkTemplate {
    /// A token in the place of a row's token.
    static let token = "x"

    let appID: AppID
    /// The link before the row's token, from there to the rest of its payload, and after it.
    private let head, middle, tail: [UInt8]

    /// Creates the template of a page with the encoded beginning of the payload, and with ``token`` in its address if the rows have
    /// tokens.
    init(_ page: StorePage, hasToken: Bool, _ payload: [UInt8]) {
        appID = page.appID
        let start = Array(page.linkStart.utf8)
        // Only `mt=8` and an empty `ed` can be between the token and the end.
        let place = hasToken ? start.lastIndex(of: UInt8(ascii: "x")) : nil
        head = Array(start[..<(place ?? start.count)])
        middle = start[(place.map { $0 + 1 } ?? start.count)...] + payload
        tail = Array(page.linkEnd.utf8)
    }

    /// Appends the link of a row.
    func append(token: Bytes, payload: Bytes, to link: inout ByteBuffer) {
        link.append(head)
        if !token.isEmpty { link.append(percentEncoding: token) }
        link.append(middle)
        link.append(upTo: Base64.encodedCount(payload.count)) { room in
            Base64.encode(payload, into: room)
            return room.count
        }
        link.append(tail)
    }
}
