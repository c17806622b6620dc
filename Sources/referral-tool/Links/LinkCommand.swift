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
        let page = try PageParts.storePage(arguments)
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
    static func referral(_ arguments: Arguments) throws(ToolError) -> Referral {
        guard let referrer = arguments["--referrer"] else { throw .usage("--referrer is missing: who sends people?") }
        let tap = try arguments.read("--at", TimeText.timeForm, TimeText.time) ?? .now
        let parameters = try arguments.parameters("--param")
        do {
            return try Referral(referrer: referrer, timestamp: tap, parameters: parameters)
        } catch {
            switch error {
            case .invalidTimestamp: throw .value(arguments["--at"] ?? "now", of: "--at", error.description)
            case .invalidReferrer: throw .value(referrer, of: "--referrer", error.description)
            case .reservedParameterName(let name): throw .value(name, of: "--param", error.description)
            default: throw .usage("--referrer and --param together: \(error)")
            }
        }
    }
}
