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
        """
        The commands, as referral-tool COMMAND [OPTION...]:

        \(HelpText.table(ReferralTool.commands.map { ($0.name, $0.summary) }))

        \(HelpText.table([("--help, -h", "this help, or the help of a command"), ("--version", "the version")]))

        Exit status: 0 done, 1 nothing found (check, catalog: problems found), 64 wrong usage, 65 rejected rows or pages, 66
        missing file, 69 missing libcrypto, 74 input or output error, 130 interrupted.
        """
    }

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard arguments.operands.count <= 1 else { throw .usage("help takes one command") }
        let command = try arguments.operands.first.map(ReferralTool.command)
        try ByteStream.output.write(HelpText.text(of: command ?? Self.self))
        return .done
    }
}

/// Makes the help of a command from its options.
enum HelpText {
    private static let width = 80

    static func text(of command: any Command.Type) -> String {
        let usage = "usage: referral-tool \(command.name)"
        let usages = command.usages.map { wrapped("", [usage] + $0.map(syntax), indent: 7) }.joined(separator: "\n")
        let rows = command.usages.joined().flatMap(rows)
        var known: Set<String> = []
        let paragraphs = [
            filled(command.overview), usages, table(rows.filter { known.insert($0.name).inserted }),
            filled(command.notes), "example: \(command.example)",
        ]
        return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// Rows with the names in a column.
    static func table(_ rows: [(name: String, text: String)]) -> String {
        let column = (rows.map(\.name.count).max() ?? 0) + 4
        return rows.map { name, text in
            let start = "  " + name + String(repeating: " ", count: column - 2 - name.count)
            return wrapped(start, text.split(separator: " ").map(String.init), indent: column)
        }
        .joined(separator: "\n")
    }

    /// Paragraphs whose lines are as long as the width allows. Tables are unchanged.
    private static func filled(_ text: String) -> String {
        text.split(separator: "\n\n").map { part in
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            return part.hasPrefix(" ") ? String(part) : wrapped("", words, indent: 0)
        }
        .joined(separator: "\n\n")
    }

    /// Wraps words into lines with an indent.
    private static func wrapped(_ start: String, _ words: [String], indent: Int) -> String {
        var (text, column) = (start, start.count)
        for (index, word) in words.enumerated() {
            let begins = index > 0 && column + 1 + word.count > width
            let space = begins ? "\n" + String(repeating: " ", count: indent) : index > 0 ? " " : ""
            text += space + word
            column = (begins ? indent : column + space.count) + word.count
        }
        return text
    }

    /// `--option VALUE`.
    private static func syntax(_ option: any AnyOption) -> String {
        option.name + (option.placeholder.map { " " + $0 } ?? "")
    }

    private static func syntax(_ usage: Usage) -> String {
        func joined(_ parts: [Usage]) -> String { parts.map(syntax).joined(separator: " ") }
        return switch usage {
        case .required(let option): syntax(option)
        case .optional(let option): "[\(syntax(option))]\(option.repeats ? "..." : "")"
        case .either(let first, let second): "(\(joined(first)) | \(joined(second)))"
        case .operand(let name, _): name
        }
    }

    private static func rows(_ usage: Usage) -> [(name: String, text: String)] {
        if case .operand(_, let help?) = usage { return [help] }
        return usage.options.map { (syntax($0), $0.help) }
    }
}
