/// What the command ends with; the numbers of BSD's sysexits.h, besides 1.
enum ExitStatus: Int32 {
    case done = 0
    case nothingFound = 1
    /// Wrong usage, a bad option value included.
    case usage = 64
    case badData = 65
    case noInput = 66
    /// A fault of ours.
    case software = 70
    case inputOutput = 74
}

/// Ends the command with a message.
struct ToolError: Error {
    let status: ExitStatus
    /// What to say; nothing for a pipe whose reader went away.
    let message: String?

    static func usage(_ message: String) -> ToolError { ToolError(status: .usage, message: message) }

    /// An option's value is not what it takes.
    static func value(_ value: String, of option: String, _ problem: String) -> ToolError {
        let shown = value.count > 80 ? value.prefix(80) + "…" : value[...]
        return .usage("\(option) '\(shown)': \(problem)")
    }
}
