import ReferralSigning

/// Signs links: `--sign` and `--until`.
struct LinkSigner: Sendable {
    private static let key = Option(
        "--sign",
        "FILE",
        "signs with a private key, so that an app can reject links that somebody else made; see referral-tool key --help"
    )
    private static let until = Option.time(
        "--until",
        "with --sign: the end of the campaign, Unix milliseconds or ISO 8601 with a zone; a tap at or after it does not count"
    )

    static let usage = Usage.optional(key, until)

    /// The names that a signed link's own parameters can't have.
    static let reservedNames = [Referral.signatureName, Referral.endName]

    let file: KeyFile
    private let until: String?

    /// Returns `nil` without `--sign`. `tap` is `nil` if a page sets the time.
    init?(_ arguments: Arguments, tap: Timestamp?) throws(ToolError) {
        let end = try arguments.value(of: Self.until)
        guard let path = try arguments.value(of: Self.key) else {
            guard end == nil else { throw .usage("--until requires --sign") }
            return nil
        }
        until = try end.map { end throws(ToolError) in
            func problem(_ text: Sentence) -> ToolError {
                .value(arguments.text(of: Self.until) ?? "", of: Self.until, text)
            }
            guard end.milliseconds >= Timestamp.validMilliseconds.lowerBound else {
                throw problem("it is before March 1973; a number is in milliseconds")
            }
            guard end > .now else { throw problem("it is in the past; a campaign must end in the future") }
            guard let text = Int64(exactly: end.milliseconds).map({ String($0) }), Referral.campaignEnd(text) != nil
            else { throw problem("a campaign ends at a whole millisecond, 16 digits at most") }
            if let tap, tap >= end { throw problem("the tap (--at) is not before it, so no link would count") }
            return text
        }
        file = try KeyFile(path)
    }

    /// Adds `until` and `sig` to the claims of a link.
    func sign(_ claims: inout Claims, for appID: AppID) throws(RowError) {
        if let name = Self.reservedNames.first(where: { claims[$0] != nil }) {
            throw RowError("param.\(name)", "a signature already has a parameter with that name; rename it")
        }
        claims.set(Referral.endName, to: until)
        do { claims.set(Referral.signatureName, to: try file.key.sign(claims, for: appID)) } catch {
            throw RowError("not signed: \(reason: error)")
        }
    }

    /// The items of a landing page's address after the referrer: the parameters, `until` and `sig`.
    static func items(of values: borrowing LinkValues) throws(RowError) -> [LinkValues.Parameter] {
        let parameters = values.parameters
        for parameter in parameters { _ = try LinkElement.requiredAttribute(for: parameter.name.string) }
        func isNamed(_ name: String, _ parameter: LinkValues.Parameter) -> Bool {
            parameter.name.elementsEqual(name.utf8)
        }
        return parameters.filter { parameter in !reservedNames.contains { isNamed($0, parameter) } }
            + reservedNames.reversed().compactMap { name in parameters.first { isNamed(name, $0) } }
    }
}
