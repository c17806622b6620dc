/// Builds the links of a thread's rows.
///
/// The library makes the page of each set of overriding values once, as a template. For a row, only its payload is written,
/// and put into the template.
struct LinkBuilder: ~Copyable {
    /// The maximum number of kept templates.
    private static let maximumTemplates = 256

    let options: LinkOptions
    /// The payload before the referrer: whole groups of three bytes, encoded once, and the rest.
    private let encodedBeginning: [UInt8]
    private let beginning: [UInt8]
    private let encodedCount: Int
    /// The template of rows without overriding values, without and with a token, which most rows have.
    private var usual: [LinkTemplate?] = [nil, nil]
    private var others: [[UInt8]: LinkTemplate] = [:]
    private var payload = ByteBuffer(capacity: 1 << 10)

    init(_ options: LinkOptions) {
        self.options = options
        let whole = Array("{\"timestamp\":\(JSONWriter.number(options.tap.milliseconds)),\"referrer\":".utf8)
        encodedCount = whole.count / 3 * 3
        encodedBeginning = Array(Base64.encode(whole[..<encodedCount], .url).utf8)
        beginning = Array(whole[encodedCount...])
    }

    /// Checks the values of a row, and adds a signature to them.
    ///
    /// - Returns: The template of the row's page; `nil` for a link to a landing page.
    mutating func complete(_ values: inout LinkValues) throws(RowError) -> LinkTemplate? {
        try values.check()
        let template = options.landing == nil || options.signer != nil ? try template(for: values) : nil
        if let signer = options.signer, let template { try values.sign(with: signer, for: template.appID) }
        return options.landing == nil ? template : nil
    }

    /// Appends the link of complete values, for an email or a pasteboard.
    mutating func append(
        linkOf values: borrowing LinkValues,
        _ template: LinkTemplate?,
        to output: inout ByteBuffer
    ) throws(RowError) {
        // The snippet of a landing page writes the same payload.
        payload.removeAll()
        values.append(payloadTo: &payload, after: beginning)
        guard encodedCount + payload.count <= Referral.maximumPayloadLength else { throw RowError(.payloadTooLong) }
        let start = output.count
        if let landing = options.landing {
            try landing.append(addressFor: values, isSigned: options.signer != nil, to: &output)
        } else {
            template?.append(token: values.token, payload: payload.bytes, to: &output)
        }
        guard output.count - start <= StoreAddress.maximumLength else {
            throw RowError("the link is longer than 65,536 bytes")
        }
    }

    private mutating func template(for values: borrowing LinkValues) throws(RowError) -> LinkTemplate {
        let hasToken = !values.token.isEmpty
        // The page of a token that is too long can't be made, and the error says so.
        guard values.token.count <= Campaign.maximumTokenLength else {
            return LinkTemplate(try page(for: values), hasToken: true, encodedBeginning)
        }
        if values.overrides.isEmpty, let known = usual[hasToken ? 1 : 0] { return known }
        // Separated by a byte that UTF-8 doesn't have.
        var key: [UInt8] = [hasToken ? 1 : 0]
        for override in values.overrides {
            key.append(0xFF)
            key += override.part.rawValue.utf8
            key.append(ASCII.equals)
            key += override.value
        }
        if let known = others[key] { return known }
        let page = try page(for: values, token: hasToken ? LinkTemplate.token : nil)
        let template = LinkTemplate(page, hasToken: hasToken, encodedBeginning)
        if values.overrides.isEmpty {
            usual[hasToken ? 1 : 0] = template
        } else {
            if others.count >= Self.maximumTemplates { others.removeAll(keepingCapacity: true) }
            others[key] = template
        }
        return template
    }

    /// The page of a row, with its own token or with another one in its place.
    func page(for values: borrowing LinkValues, token: String? = nil) throws(RowError) -> StorePage {
        var parts = options.parts
        // A row's own address has its own slug and storefront.
        if values.overrides.contains(where: { $0.part == .page }) {
            for part in [PageParts.Part.slug, .storefront] { parts[part] = nil }
        }
        for override in values.overrides { parts[override.part] = override.value.string }
        if !values.token.isEmpty { parts[.ct] = token ?? values.token.string }
        guard parts.identifyAnApp else { throw RowError("page", "missing, and no --page or --app-id is given") }
        return try parts.storePage()
    }
}

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
