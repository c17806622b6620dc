/// The command: one subcommand a run, its output on standard output, everything else on standard error.
@main
enum ReferralTool {
    static let version = "1.0.0"

    static var commands: [any Command.Type] {
        [
            LinkCommand.self, LinksCommand.self, DecodeCommand.self, SnippetCommand.self, PageCommand.self,
            CheckCommand.self, HelpCommand.self,
        ]
    }

    static func main() {
        ByteStream.reserveStandardDescriptors()
        ByteStream.makeSignalsErrors()
        do {
            exit(try run(arguments()))
        } catch {
            if let message = error.message {
                try? ByteStream.error.write("referral-tool: \(TerminalText.escaped(message))\n")
            }
            exit(error.status)
        }
    }

    private static func arguments() throws(ToolError) -> [String] {
        let arguments = CommandLine.arguments.dropFirst()
        // Swift repairs what is no UTF-8, and a repaired address would be another one.
        for (index, repaired) in arguments.enumerated() {
            guard let raw = CommandLine.unsafeArgv[index + 1], Array(repaired.utf8) == bytes(ofCString: raw) else {
                throw .usage("argument \(index + 1) is not UTF-8: \(ToolError.quoted(repaired))")
            }
        }
        return Array(arguments)
    }

    private static func run(_ arguments: [String]) throws(ToolError) -> ExitStatus {
        switch arguments.first {
        case nil:
            throw .usage("which command? \(commandList). 'referral-tool help' says what each does")
        case "--help", "-h":
            return try HelpCommand.run(Array(arguments.dropFirst()))
        case "--version":
            guard arguments.count == 1 else { throw .usage("--version stands alone") }
            try ByteStream.output.write("referral-tool \(version)\n")
            return .done
        case let name?:
            return try command(named: name).run(Array(arguments.dropFirst()))
        }
    }

    static func command(named name: String) throws(ToolError) -> any Command.Type {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let isOption = name.hasPrefix("-")
        let suggestion = Spelling.suggestion(
            for: name,
            among: isOption ? ["--help", "--version"] : commands.map { $0.name }
        )
        let hint = suggestion.isEmpty ? "; \(commandList)" : suggestion
        throw .usage("unknown \(isOption ? "option" : "command") \(ToolError.quoted(name))\(hint)")
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
        let arguments = try Arguments(arguments, options: options)
        if arguments.asksForHelp {
            try ByteStream.output.write(help)
            return .done
        }
        return try run(arguments)
    }
}
