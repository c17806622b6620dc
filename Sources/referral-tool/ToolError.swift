/// What the command ends with; the numbers of BSD's sysexits.h, besides 1.
enum ExitStatus: Int32 {
    case done = 0
    case nothingFound = 1
    /// Wrong usage, a bad option value included.
    case usage = 64
    case inputOutput = 74
}

/// Ends the command with a message.
struct ToolError: Error {
    let status: ExitStatus
    /// What to say; nothing for a pipe whose reader went away.
    let message: String?

    static func usage(_ message: String) -> ToolError { ToolError(status: .usage, message: message) }

    /// Text from outside in a message, cut short.
    static func quoted(_ text: String) -> String {
        "'" + (text.utf8.count > 80 ? String(text.unicodeScalars.prefix(80)) + "…" : text) + "'"
    }

    /// An option's value is not what it takes.
    static func value(_ value: String, of option: String, _ problem: String) -> ToolError {
        .usage("\(option) \(quoted(value)): \(problem)")
    }
}
