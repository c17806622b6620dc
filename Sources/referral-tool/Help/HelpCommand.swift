/// `referral-tool help`: lists the commands, or prints the help of one command.
enum HelpCommand: Command {
    /// The options with which any command prints its help.
    static let options: [Name] = ["--help", "-h"]

    static let name = "help"
    static let summary = "describes a command: referral-tool help link"
    static let overview = "Carries a tap on a web page through the App Store into the app, without a server."
    static let usages: [[Usage]] = [[.operand("[COMMAND]", help: nil)]]
    static let example =
        "referral-tool link --app-id 1300230302 --referrer spring | referral-tool decode --app-id 1300230302"

    static var notes: String {
        let options = [("--help, -h", "this help, or the help of a command"), ("--version", "the version")]
        return """
            The commands, as referral-tool COMMAND [OPTION...]:

            \(HelpText.table(ReferralTool.commands.map { ($0.name, $0.summary) }))

            \(HelpText.table(options))

            Exit status: 0 done, 1 nothing found (check, catalog: problems found), 64 wrong usage,
            65 rejected rows or pages, 66 missing file, 69 missing libcrypto, 74 input or output error, 130 interrupted.
            """
    }

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard arguments.operands.count <= 1 else { throw .usage("help takes one command") }
        let command = try arguments.operands.first.map { name throws(ToolError) in
            try ReferralTool.command(named: name)
        }
        try ByteStream.output.write(HelpText.text(of: command ?? Self.self))
        return .done
    }
}
