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
