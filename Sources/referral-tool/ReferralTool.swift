// The command: links for campaigns, the pages of a site, and what is wrong with either.
// Read ReferralTool first, and Arguments, which says what an option is; then a folder for each subcommand. Rows reads and
// writes tables, and Terminal is the only way out for text.

import ReferralSigning

/// The command. It runs one subcommand. The result goes to standard output, and everything else to standard error.
@main
enum ReferralTool {
    static let version = "0.9.0"

    static var commands: [any Command.Type] {
        [
            LinkCommand.self, LinksCommand.self, DecodeCommand.self, SnippetCommand.self, PageCommand.self,
            SiteCommand.self, CheckCommand.self, KeyCommand.self, CatalogCommand.self, ReportCommand.self,
            HelpCommand.self,
        ]
    }

    static func main() {
        ByteStream.prepare()
        do { exit(try run(arguments())) } catch {
            if let message = error.message { ByteStream.note(message) }
            exit(error.status)
        }
    }

    private static func arguments() throws(ToolError) -> [String] {
        let arguments = CommandLine.arguments.dropFirst()
        // Swift repairs arguments that are not UTF-8, and a repaired address would be another one.
        for (index, repaired) in arguments.enumerated() {
            guard let raw = CommandLine.unsafeArgv[index + 1], String(validatingCString: raw) != nil else {
                throw .usage("argument \(index + 1) is not UTF-8: \(quoted: repaired)")
            }
        }
        // Checked first, so that no error can repeat the key.
        if let index = arguments.firstIndex(where: PrivateKeyFile.isKey) {
            throw .usage("argument \(index) is a private key, which others can see there; give its file's name")
        }
        return Array(arguments)
    }

    private static func run(_ arguments: [String]) throws(ToolError) -> ExitStatus {
        guard let name = arguments.first else {
            throw .usage("which command? \(commandList). 'referral-tool help' describes them")
        }
        let rest = Array(arguments.dropFirst())
        if HelpCommand.options.contains(Name(name)) { return try HelpCommand.run(rest) }
        guard Name(name) == "--version" else { return try command(named: name).run(rest) }
        try ByteStream.output.write("referral-tool \(version)\n")
        return .done
    }

    static func command(named name: String) throws(ToolError) -> any Command.Type {
        if let command = commands.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return command }
        let suggestion = Spelling.suggestion(for: name, among: commands.map { $0.name } + ["--help", "--version"])
        let hint: Sentence = suggestion.isEmpty ? "; \(commandList)" : suggestion
        throw .usage("unknown command \(quoted: name)\(hint)")
    }

    private static var commandList: Sentence {
        "the commands are \(reason: commands.map { $0.name }.joined(separator: ", "))"
    }
}

/// A subcommand, and its help.
protocol Command {
    static var name: String { get }

    /// A few words for the list of commands.
    static var summary: String { get }

    /// The help's first paragraph.
    static var overview: String { get }

    /// The usage lines, with all options.
    static var usages: [[Usage]] { get }

    /// The paragraphs after the options.
    static var notes: String { get }

    static var example: String { get }

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus
}

extension Command {
    static func run(_ arguments: [String]) throws(ToolError) -> ExitStatus {
        // Help is given whatever else is wrong.
        if arguments.map({ Name($0) }).prefix(while: { $0 != "--" }).contains(where: HelpCommand.options.contains) {
            try ByteStream.output.write(HelpText.text(of: self))
            return .done
        }
        return try run(Arguments(arguments, options: usages.joined().flatMap(\.options)))
    }
}
