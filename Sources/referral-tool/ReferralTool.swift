/// The command: one subcommand a run, its output on standard output, everything else on standard error.
@main
enum ReferralTool {
    static let version = "1.0.0"

    static var commands: [any Command.Type] {
        [LinkCommand.self, DecodeCommand.self, SnippetCommand.self, HelpCommand.self]
    }

    static func main() {
        do {
            let status = try run(Array(CommandLine.arguments.dropFirst()))
            exit(status)
        } catch {
            if let message = error.message {
                try? StandardStream.error.write("referral-tool: \(TerminalText.escaped(message))\n")
            }
            exit(error.status)
        }
    }

    private static func run(_ arguments: [String]) throws(ToolError) -> ExitStatus {
        switch arguments.first {
        case nil:
            throw .usage("which command? \(commandList). 'referral-tool help' says what each does")
        case "--help", "-h":
            return try HelpCommand.run(Array(arguments.dropFirst()))
        case "--version":
            guard arguments.count == 1 else { throw .usage("--version stands alone") }
            try StandardStream.output.write("referral-tool \(version)\n")
            return .done
        case let name?:
            return try command(named: name).run(Array(arguments.dropFirst()))
        }
    }

    static func command(named name: String) throws(ToolError) -> any Command.Type {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let kind = name.hasPrefix("-") ? "option" : "command"
        let known = name.hasPrefix("-") ? ["--help", "--version"] : commands.map { $0.name }
        throw .usage("unknown \(kind) '\(name)'\(Spelling.suggestion(for: name, among: known)): \(commandList)")
    }

    private static var commandList: String {
        "the commands are " + commands.map { $0.name }.joined(separator: ", ")
    }
}

/// A subcommand.
protocol Command {
    static var name: String { get }

    /// What `--help` prints.
    static var help: String { get }

    static var options: [Option] { get }

    /// Does the work of a call that gave no `--help`.
    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus
}

extension Command {
    static func run(_ arguments: [String]) throws(ToolError) -> ExitStatus {
        if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            try StandardStream.output.write(help)
            return .done
        }
        return try run(Arguments(arguments, options: options))
    }
}
