/// `referral-tool link`: makes a link from a page and a referral.
enum LinkCommand: Command {
    private static let referrer = Option("--referrer", "NAME", "who sends people: a campaign, a page or a user")

    static let name = "link"
    static let summary = "makes a referral link"
    static let overview = "Makes a referral link and prints it."
    static let usages: [[Usage]] = [
        PageParts.usage + [.required(referrer)] + Usage.optional(Option.parameter, Option.at) + LinkSigner.usage
    ]
    static let notes = """
        A link is valid for five minutes after the time of its tap. On a web page the snippet sets the time at each tap; see
        referral-tool snippet --help.
        """
    static let example = "referral-tool link --app-id 1300230302 --referrer spring-newsletter --param pack=gold"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoOperands()
        let page = try PageParts.storePage(arguments)
        let given = try arguments.requiredValue(of: referrer)
        let referrer = given.withUTF8Bytes { ReferrerText.trimmed($0).string }
        if referrer.utf8.count < given.utf8.count { ByteStream.note(ReferrerText.note) }
        let tap = try tap(of: arguments)
        let signer = try LinkSigner(arguments, tap: tap)
        let referral = try referral(referrer, tap, arguments, signer, for: page.appID)
        let link: ReferralLink
        do { link = try ReferralLink(page: page, referral: referral) } catch {
            throw .usage("--page, --referrer and --param together make a link that is too long: \(reason: error)")
        }
        try ByteStream.output.write(link.address + "\n")
        return .done
    }

    /// The referral of `--referrer`, `--at`, `--param` and `--sign`. An error names the option.
    static func referral(
        _ referrer: String,
        _ tap: Timestamp,
        _ arguments: Arguments,
        _ signer: LinkSigner?,
        for appID: AppID
    ) throws(ToolError) -> Referral {
        let parameters = try arguments.parameters()
        do throws(RowError) {
            var claims: Claims
            do { claims = try Claims(referrer: referrer, parameters: parameters) } catch { throw RowError(error) }
            try signer?.sign(&claims, for: appID)
            do { return try Referral(claims, timestamp: tap) } catch { throw RowError(error) }
        } catch {
            guard let column = error.column, column.hasPrefix("param.") else { throw .usage("--\(error.reason)") }
            throw .value(String(column.dropFirst(6)), of: Option.parameter, error.problem)
        }
    }

    /// The time of the tap, which a payload can contain.
    static func tap(of arguments: Arguments) throws(ToolError) -> Timestamp {
        let tap = try arguments.value(of: .at) ?? .now
        do { _ = try Referral(referrer: "x", timestamp: tap) } catch {
            throw .value(arguments.text(of: Option.at) ?? "now", of: Option.at, "\(reason: error)")
        }
        return tap
    }
}

/// What a column, or a member of JSON lines, is for its row's link.
enum LinkRole: Equatable {
    case referrer
    /// Overrides the option of the same name.
    case part(PageParts.Part)
    case parameter(String)
    case other
}

/// What the options of the command, which `LinksCommand` declares, say about the links.
struct LinkOptions: Sendable {
    let parts: PageParts
    let tap: Timestamp
    let landing: LandingTemplate?
    /// Signs the links; `nil` if they aren't signed.
    let signer: LinkSigner?
    /// The column with the referrers.
    let referrer: Name

    func role(of name: Name) -> LinkRole {
        let key = Columns.key(name)
        if key == Columns.key(referrer) { return .referrer }
        // A landing page has its own link to the store, so columns can't change its parts.
        if landing == nil, let part = PageParts.Part.named(key) { return .part(part) }
        let text = key.rawValue
        return text.utf8.starts(with: "param.".utf8) ? .parameter(String(text.unicodeScalars.dropFirst(6))) : .other
    }

    /// Whether a payload has a member of its own with the name. Swift compares strings by sorting their marks, so bytes are compared.
    static func isReserved(_ name: String) -> Bool {
        Referral.reservedParameterNames.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Whether the links contain a parameter with a value. Throws if they can't.
    func contain(parameter name: String, _ value: Bytes) throws(RowError) -> Bool {
        guard let landing, signer == nil else { return true }
        guard !value.isEmpty else { return false }
        if landing.handedOn.contains(name) { return true }
        throw RowError(
            "param.\(name)",
            "a link to a landing page can contain it only if --item names it or if the link is signed; "
                + "give --item \(name: name) or --sign, or omit --landing"
        )
    }
}
