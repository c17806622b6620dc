@_exported public import ReferralBasics

/// The exit statuses: the numbers of BSD's sysexits.h, and 1.
enum ExitStatus: Int32 {
    case done = 0
    case nothingFound = 1
    /// The exit status of `check` and `catalog`, like that of linters.
    static let problemsFound = nothingFound
    /// Wrong usage, including an invalid option value.
    case usage = 64
    /// Rejected rows, or a file that isn't a table.
    case badData = 65
    /// A file that doesn't exist or can't be read.
    case noInput = 66
    /// A missing program or system library.
    case unavailable = 69
    case inputOutput = 74
}

/// An error that ends the command.
final class ToolError: Error {
    let status: ExitStatus
    /// `nil` if the reader of a pipe is gone.
    let message: Sentence?

    init(status: ExitStatus, message: Sentence?) { (self.status, self.message) = (status, message) }

    static func usage(_ message: Sentence) -> ToolError { ToolError(status: .usage, message: message) }

    static func badData(_ message: Sentence) -> ToolError { ToolError(status: .badData, message: message) }

    static func inputOutput(_ message: Sentence?) -> ToolError { ToolError(status: .inputOutput, message: message) }

    /// An invalid value of an option.
    static func value(_ value: String, of option: any AnyOption, _ problem: Sentence) -> ToolError {
        .value(value, of: option.name, problem)
    }

    static func value(_ value: String, of option: String, _ problem: Sentence) -> ToolError {
        .usage("\(name: option) \(quoted: value): \(problem)")
    }
}
