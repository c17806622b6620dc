/// A file of a report: its first lines are read to recognize it.
final class ReportSource {
    private let input: RowInput
    private let first: RowBlock
    private var isRead = false

    /// Reads the first lines; `nil` if the file is empty.
    init?(_ stream: ByteStream) throws(ToolError) {
        input = RowInput(stream, format: .txt)
        guard let first = try input.next() else { return nil }
        self.first = first
        if beginning.starts(with: [0x1F, 0x8B]) {
            throw .badData("\(whole: name) is compressed: zcat -f $(ls -tr access.log*) | referral-tool report --log -")
        }
    }

    /// Some whole lines.
    var beginning: Bytes { first.bytes }

    var name: String { input.stream.name }

    /// The error for a file that is none of these.
    func error(isNot kinds: Sentence) -> ToolError {
        let line = LogLine.shown(beginning.prefix { $0 != ASCII.lineFeed })
        return .badData("\(whole: name) isn't \(kinds): its first line is \(quoted: line)")
    }

    /// Reads the next lines; `nil` at the end.
    func next(waits: Bool = true) throws(ToolError) -> RowBlock? {
        defer { isRead = true }
        return isRead ? try input.next(waits: waits) : first
    }

    /// Reads all of it at once.
    func readAll() throws(ToolError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let block = try next() {
            if block.isCut { throw .badData("\(whole: name) has a line of more than 1 MiB") }
            bytes += block.bytes
        }
        return bytes
    }
}
