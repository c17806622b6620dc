/// Makes the links of a thread's rows.
///
/// The library makes the page of each set of overriding values once, as a template. For a row, only its payload is written, by
/// the library's ``PayloadWriter``, and put into the template.
struct LinkMaker: ~Copyable {
    /// The maximum number of cached templates, and the maximum length of an address in the cache.
    private static let (maximumTemplates, maximumPageLength) = (256, 2_048)

    private let options: LinkOptions
    /// The payload before the referrer: whole groups of three bytes, encoded once, and the rest.
    private let encodedBeginning: [UInt8]
    private let beginning: [UInt8]
    private let encodedCount: Int
    private var templates: [[UInt8]: LinkTemplate] = [:]
    /// The last template, since most rows have the same one, and its key.
    private var last: LinkTemplate?
    private var lastKey: [UInt8] = []
    private var key: [UInt8] = []
    private var payload = ByteBuffer(capacity: 1 << 10)
    /// The link of the last row.
    private(set) var link = ByteBuffer(capacity: 1 << 10)

    init(_ options: LinkOptions) {
        self.options = options
        let whole = PayloadWriter.beginning(at: options.tap)
        encodedCount = whole.count / 3 * 3
        encodedBeginning = Array(Base64.encode(whole[..<encodedCount], .url).utf8)
        beginning = Array(whole[encodedCount...])
    }

    /// Makes the link of a row, for an email or a pasteboard. A signature is added to the values.
    ///
    /// - Returns: The template of the row's page; `nil` for a link to a landing page.
    mutating func makeLink(_ values: inout LinkValues) throws(RowError) -> LinkTemplate? {
        try values.check()
        if let signer = options.signer {
            var claims = values.claims
            try signer.sign(&claims, for: try template(for: values).appID)
            for name in LinkSigner.reservedNames {
                if let value = claims.parameters[name] { values.add(name, value) }
            }
        }
        // The snippet of a landing page writes the same payload.
        payload.removeAll()
        values.append(payload: beginning, to: &payload)
        guard encodedCount + payload.count <= Referral.maximumPayloadLength else { throw RowError(.payloadTooLong) }
        link.removeAll()
        if let landing = options.landing {
            try landing.append(addressFor: values, isSigned: options.signer != nil, to: &link)
            return nil
        }
        let template = try template(for: values)
        template.append(token: values.token, payload: payload.bytes, to: &link)
        guard link.count <= StoreAddress.maximumLength else {
            // The page's own address may be too long.
            _ = try page(for: values, token: values.string(values.token))
            throw RowError("the link is longer than 65,536 bytes")
        }
        return template
    }

    private mutating func template(for values: borrowing LinkValues) throws(RowError) -> LinkTemplate {
        // The template of a token that is too long can't be made, and the error says so.
        let token = values.token.count > Campaign.maximumTokenLength ? values.string(values.token) : LinkTemplate.token
        key.removeAll(keepingCapacity: true)
        key += (values.token.isEmpty ? "" : token).utf8
        for override in values.overrides {
            // A byte that UTF-8 doesn't have.
            key.append(0xFF)
            key += override.part.rawValue.utf8
            key.append(ASCII.equals)
            key += values[override.value]
        }
        if key == lastKey, let last { return last }
        let template: LinkTemplate
        if let known = templates[key] { template = known } else { template = try makeTemplate(for: values, token) }
        (last, lastKey) = (template, key)
        return template
    }

    private mutating func makeTemplate(
        for values: borrowing LinkValues,
        _ token: String
    ) throws(RowError) -> LinkTemplate {
        let page = try page(for: values, token: token)
        let template = LinkTemplate(page, hasToken: !values.token.isEmpty, encodedBeginning)
        if page.address.utf8.count <= Self.maximumPageLength {
            if templates.count >= Self.maximumTemplates { templates.removeAll(keepingCapacity: true) }
            templates[key] = template
        }
        return template
    }

    /// The page of a row with a token in the place of its own.
    private func page(for values: borrowing LinkValues, token: String) throws(RowError) -> StorePage {
        var parts = options.parts
        // A row's own address has its own slug and storefront.
        if values.hasPage { for part in [PageParts.Part.slug, .storefront] { parts[part] = nil } }
        for override in values.overrides { parts[override.part] = values.string(values[override.value]) }
        if !values.token.isEmpty { parts[.ct] = token }
        guard parts.identifyAnApp else { throw RowError("page", "missing, and no --page or --app-id is given") }
        return try parts.storePage()
    }
}
