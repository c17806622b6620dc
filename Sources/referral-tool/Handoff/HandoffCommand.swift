import DataHandoff
import WireText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `referral-tool handoff`: what a package of data holds, and whether it is whole.
enum HandoffCommand: Command {
    private static let json = Flag("--json", "prints a JSON object")
    private static let extract = Option(
        "--extract",
        "DIR",
        "writes the package's files into a folder, all of them or none, and never over a file that is there"
    )

    /// More than any app takes, and little enough for memory.
    private static let maximumSize = 1 << 30

    static let name = "handoff"
    static let summary = "says what a package of app data holds"
    static let overview =
        "Prints what a package that DataHandoff made holds, and whether it is whole: sizes and digests are checked."
    static let usages: [[Usage]] = [
        [
            .operand(
                "LINK|FILE",
                help: (
                    "LINK|FILE",
                    """
                    a link such as trestle://handoff?h=..., or a file with a package or a link in it; - is standard input, \
                    for a link that is too long for an argument
                    """
                )
            )
        ] + Usage.optional(json, extract)
    ]
    static let notes = """
        A package doesn't say who made it: anybody can write one. What is sealed can only be opened by the app that asked for
        it. What is compressed can only be checked on a Mac, where the system has the Compression framework.

        The exit status is 0 if the package is whole, 1 if that can't be known here, 65 if it is damaged or no package, and
        66 or 74 if a file can't be read or written. With --json, isWhole is true, false, or null if it can't be known.
        """
    static let example = "referral-tool handoff boards.handoff --extract boards"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard let operand = arguments.operands.first else { throw .usage("which package? Name a link or a file") }
        if let next = arguments.operands.dropFirst().first { throw .usage("\(next.quoted) is not expected here") }
        let report = try report(on: operand)
        if let folder = arguments.text(of: extract) { try report.extract(into: folder) }
        if arguments.contains(json) {
            try ByteStream.output.write(report.json + "\n")
        } else {
            try ByteStream.output.write(report.text)
            if let error = report.error { throw ToolError(status: report.status, message: error.description) }
        }
        return report.status
    }

    private static func report(on operand: String) throws(ToolError) -> HandoffReport {
        if operand.contains("://") { return HandoffReport(link: operand) }
        let file = try operand == "-" ? ByteStream.input : ByteStream(reading: operand)
        guard let bytes = try file.readAll(atMost: maximumSize) else {
            throw .badData("\(file.name) has more than \(maximumSize) bytes")
        }
        if let text = bytes.withUnsafeBufferPointer(\.text), text.contains("://"), !text.hasPrefix("RBH1") {
            return HandoffReport(link: text.trimmingPrefix(while: \.isWhitespace).trimmedEnd)
        }
        return HandoffReport(package: Data(bytes))
    }
}

private extension Substring {
    var trimmedEnd: String { String(self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)]) }
}
