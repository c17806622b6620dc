import ReferralBridge

/// `referral-tool link`: a page and a referral in, one link out.
enum LinkCommand: Command {
    static let name = "link"

    static let help = """
        Makes a referral link and prints it.

        usage: referral-tool link (--page ADDRESS | --app-id ID [--slug S] [--storefront CC])
                                  [--pt T --ct T] [--ppid UUID]
                                  --referrer NAME [--param KEY=VALUE]... [--at TIME]

          --page ADDRESS     an App Store address; it stays as it is
          --app-id ID        the app's number, the digits behind id in its address
          --slug S           the app's name in the address, such as trestle-the-new-sudoku
          --storefront CC    the country in the address, such as us
          --pt T, --ct T     the provider and the campaign token, always both; ct has at most 40 bytes
          --ppid UUID        a custom product page
          --referrer NAME    who sends people: a campaign, a page, a user
          --param KEY=VALUE  something else that the app is to know; as often as needed
          --at TIME          the moment of the tap: now (as it is without it), Unix milliseconds, or ISO 8601 with a zone

        example: referral-tool link --app-id 1300230302 --referrer spring-newsletter --param pack=gold

        A link counts for five minutes from its moment on. On a web page the snippet stamps the moment at each tap;
        see referral-tool snippet --help.

        """

    static let options = PageParts.options + [.value("--referrer"), .values("--param"), .value("--at")]

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoStrings()
        let page = try page(arguments)
        let referral = try referral(arguments)
        let link: ReferralLink
        do { link = try ReferralLink(page: page, referral: referral) } catch {
            throw .usage("the link is too long, --page and --referrer and --param together: \(error)")
        }
        try ByteStream.output.write(link.address + "\n")
        return .done
    }
}

private extension LinkCommand {
    static func page(_ arguments: Arguments) throws(ToolError) -> StorePage {
        let parts = try PageParts(arguments)
        guard parts.nameAnApp else { throw .usage("which page? Give either --page ADDRESS or --app-id ID") }
        guard arguments.contains("--pt") == arguments.contains("--ct") else {
            throw .usage("--pt and --ct go together: the App Store counts neither alone")
        }
        do { return try parts.storePage() } catch {
            throw .value(parts[error.part] ?? "", of: "--\(error.part.rawValue)", error.problem)
        }
    }

    static func referral(_ arguments: Arguments) throws(ToolError) -> Referral {
        guard let referrer = arguments["--referrer"] else { throw .usage("--referrer is missing: who sends people?") }
        let tap = try arguments.read("--at", TimeText.timeForm, TimeText.time) ?? .now
        let parameters = try parameters(arguments)
        do {
            return try Referral(referrer: referrer, timestamp: tap, parameters: parameters)
        } catch {
            switch error {
            case .timestamp: throw .value(arguments["--at"] ?? "now", of: "--at", error.description)
            case .referrer: throw .value(referrer, of: "--referrer", error.description)
            case .reservedParameter(let name): throw .value(name, of: "--param", error.description)
            default: throw .usage("--referrer and --param together: \(error)")
            }
        }
    }

    static func parameters(_ arguments: Arguments) throws(ToolError) -> [String: String] {
        var parameters: [String: String] = [:]
        for text in arguments.all("--param") {
            guard case (let key, let value?) = text.splitAtEquals, !key.isEmpty else {
                throw .value(text, of: "--param", "a parameter is KEY=VALUE, such as pack=gold")
            }
            guard parameters.updateValue(value, forKey: key) == nil else {
                throw .value(text, of: "--param", "the parameter \(ToolError.quoted(key)) is given twice")
            }
        }
        return parameters
    }
}
