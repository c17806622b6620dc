/// `referral-tool help`: what there is, or what one command does.
enum HelpCommand: Command {
    static let name = "help"

    static let help = """
        Carries a tap on a web page through the App Store into the app, with no server.

        usage: referral-tool COMMAND [OPTION...]

          link      makes a referral link
          links     makes one for each row of a table
          decode    finds the referral in what was copied, or says why there is none
          snippet   prints the JavaScript for web pages
          page      makes a landing page, one HTML file
          check     says what will not work on a site's pages
          help      says what a command does: referral-tool help link

          --help, -h   this text; behind a command, the command's own
          --version    the version

        example: referral-tool link --app-id 1300230302 --referrer spring | referral-tool decode --app-id 1300230302

        Exit status: 0 done, 1 nothing found (of check: something), 64 wrong usage, 65 rows or pages that were not taken,
        66 no such file, 74 an input or output error, 130 interrupted.

        """

    static let options: [Option] = []

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard arguments.strings.count <= 1 else { throw .usage("help takes one command") }
        let command = try arguments.strings.first.map { name throws(ToolError) in try ReferralTool.command(named: name)
        }
        try ByteStream.output.write((command ?? Self.self).help)
        return .done
    }
}
