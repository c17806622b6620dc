import DataHandoff
import ReferralFoundation

/// `referral-tool handoff`: prints the contents of a package of data, and whether it is complete.
enum HandoffCommand: Command {
    private static let json = Flag("--json", "prints a JSON object")
    private static let extract = Option(
        "--extract",
        "DIR",
        "writes the package's files into a new or empty folder, all of them or none"
    )

    /// More than any app accepts, but small enough for memory.
    static let maximumSize = 1 << 30

    static let name = "handoff"
    static let summary = "describes the contents of a package of app data"
    static let overview =
        "Prints the contents of a DataHandoff package, and whether it is complete: sizes and digests are checked."
    static let usages: [[Usage]] = [
        [
            .operand(
                "LINK|FILE",
                help: (
                    "LINK|FILE",
                    """
                    a link such as trestle://handoff?h=..., an address of 2009 such as myapp://localhost/import?..., or a file with a package or a link in it; - is standard input, \
                    for a link that is too long for an argument
                    """
                )
            )
        ] + Usage.optional(json, extract)
    ]
    static let notes = """
        A package doesn't prove who made it: anybody can write one. A sealed package can only be opened by the app that asked
        for it. An address of 2009 contains one file, called data here, and no digest. A compressed package can only be checked on a Mac, which has the Compression framework.

        The exit status is 0 if the package is complete, 1 if that can't be determined here, 65 if it is damaged or isn't a
        package, and 66 or 74 if a file can't be read or written. With --json, isWhole is true, false, or null if it can't be
        determined.
        """
    static let example = "referral-tool handoff boards.handoff --extract boards"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        guard let operand = arguments.operands.first else { throw .usage("which package? Name a link or a file") }
        if let next = arguments.operands.dropFirst().first { throw .usage("\(quoted: next) is not expected here") }
        let report = try report(on: operand)
        if let folder = arguments.text(of: extract) { try report.extract(into: folder) }
        if arguments.contains(json) {
            try ByteStream.output.write(report.json + "\n")
        } else {
            try ByteStream.output.write(report.text)
            if let message = report.message { throw ToolError(status: report.status, message: message) }
        }
        return report.status
    }

    private static func report(on operand: String) throws(ToolError) -> HandoffReport {
        if operand.contains("://") { return HandoffReport(link: operand) }
        let file = try operand == "-" ? ByteStream.input : ByteStream(reading: operand)
        guard let bytes = try file.readAll(atMost: maximumSize) else {
            throw .badData("\(whole: file.name) has more than \(maximumSize) bytes")
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
