/// Builds the links of a thread's rows.
///
/// The library makes the page of each set of overriding values once, as a template. For a row, only its payload is written, by
/// the library's ``PayloadWriter``, and put into the template.
struct LinkBuilder: ~Copyable {
    /// The maximum number of cached templates, and the maximum length of the values in its keys.
    private static let (maximumTemplates, maximumPageLength) = (256, 2_048)

    private let options: LinkOptions
    /// The payload before the referrer: whole groups of three bytes, encoded once, and the rest.
    private let encodedBeginning: [UInt8]
    private var beginning = ByteBuffer(capacity: 64)
    private let encodedCount: Int
    /// The templates of rows without overriding values, without and with a token. Most rows have one of these.
    private var plain, tokened: LinkTemplate?
    private var others: [[UInt8]: LinkTemplate] = [:]
    private var payload = ByteBuffer(capacity: 1 << 10)

    init(_ options: LinkOptions) {
        self.options = options
        let whole = PayloadWriter.beginning(at: options.tap)
        encodedCount = whole.count / 3 * 3
        encodedBeginning = Array(Base64.encode(whole[..<encodedCount], .url).utf8)
        beginning.append(Array(whole[encodedCount...]))
    }

    /// Appends the link of a row, for an email or a pasteboard. A signature is added to the values.
    ///
    /// - Returns: The template of the row's page; `nil` for a link to a landing page.
    mutating func append(
        linkOf values: inout LinkValues,
        to output: inout ByteBuffer
    ) throws(RowError) -> LinkTemplate? {
        try values.check()
        let template = options.landing == nil || options.signer != nil ? try template(for: values) : nil
        if let signer = options.signer, let template { try values.sign(with: signer, for: template.appID) }
        // The snippet of a landing page writes the same payload.
        payload.removeAll()
        payload.append(beginning.bytes)
        values.append(payloadTo: &payload)
        guard encodedCount + payload.count <= Referral.maximumPayloadLength else { throw RowError(.payloadTooLong) }
        if let landing = options.landing {
            try landing.append(addressFor: values, isSigned: options.signer != nil, to: &output)
            return nil
        }
        guard let template else { return nil }
        let start = output.count
        template.append(token: values.token, payload: payload.bytes, to: &output)
        guard output.count - start <= StoreAddress.maximumLength else {
            // The page's own address may be too long.
            _ = try page(for: values, token: values.token.string)
            throw RowError("the link is longer than 65,536 bytes")
        }
        return template
    }

    private mutating func template(for values: borrowing LinkValues) throws(RowError) -> LinkTemplate {
        // The template of a token that is too long can't be made, and the error says so.
        guard values.token.count <= Campaign.maximumTokenLength else {
            return try makeTemplate(for: values, values.token.string)
        }
        if values.overrides.isEmpty {
            if values.token.isEmpty {
                if let plain { return plain }
                let template = try makeTemplate(for: values, "")
                plain = template
                return template
            }
            if let tokened { return tokened }
            let template = try makeTemplate(for: values, LinkTemplate.token)
            tokened = template
            return template
        }
        var key = values.token.isEmpty ? [] : Array(LinkTemplate.token.utf8)
        for override in values.overrides {
            // A byte that UTF-8 doesn't have.
            key += [0xFF] + override.part.rawValue.utf8 + [ASCII.equals] + override.value
        }
        if let known = others[key] { return known }
        let template = try makeTemplate(for: values, LinkTemplate.token)
        if key.count <= Self.maximumPageLength {
            if others.count >= Self.maximumTemplates { others.removeAll(keepingCapacity: true) }
            others[key] = template
        }
        return template
    }

    private func makeTemplate(for values: borrowing LinkValues, _ token: String) throws(RowError) -> LinkTemplate {
        let page = try page(for: values, token: token)
        return LinkTemplate(page, hasToken: !values.token.isEmpty, encodedBeginning)
    }

    /// The page of a row with a token in the place of its own.
    func page(for values: borrowing LinkValues, token: String) throws(RowError) -> StorePage {
        var parts = options.parts
        // A row's own address has its own slug and storefront.
        if values.hasPage { for part in [PageParts.Part.slug, .storefront] { parts[part] = nil } }
        for override in values.overrides { parts[override.part] = override.value.string }
        if !values.token.isEmpty { parts[.ct] = token }
        guard parts.identifyAnApp else { throw RowError("page", "missing, and no --page or --app-id is given") }
        return try parts.storePage()
    }
}
