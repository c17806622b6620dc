/// What the command ends with; the numbers of BSD's sysexits.h, besides 1 and those of signals.
enum ExitStatus: Int32 {
    case done = 0
    case nothingFound = 1
    /// What `check` ends with, as linters do.
    static let somethingFound = nothingFound
    /// Wrong usage, a bad option value included.
    case usage = 64
    /// Rows that were not taken, or a file that is no table.
    case badData = 65
    /// There is no such file, or none that can be read.
    case noInput = 66
    case inputOutput = 74
    /// Ended by SIGINT or SIGTERM, as a shell counts it: 128 and the signal's number.
    case interrupted = 130
    case terminated = 143
}

/// Ends the command with a message.
struct ToolError: Error {
    let status: ExitStatus
    /// What to say; nothing for a pipe whose reader went away.
    let message: String?

    static func usage(_ message: String) -> ToolError { ToolError(status: .usage, message: message) }

    static func badData(_ message: String) -> ToolError { ToolError(status: .badData, message: message) }

    /// Text from outside in a message, cut short.
    static func quoted(_ text: String) -> String {
        "'" + (text.utf8.count > 80 ? String(text.unicodeScalars.prefix(80)) + "…" : text) + "'"
    }

    /// An option's value is not what it takes.
    static func value(_ value: String, of option: String, _ problem: String) -> ToolError {
        .usage("\(option) \(quoted(value)): \(problem)")
    }
}
