/// A file of a report: its first lines are read to recognize it.
struct ReportSource {
    private let input: RowInput
    private let first: RowBlock

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

    /// Passes each line to a function, and whether it is whole: of a line of more than 1 MiB, it gets the beginning.
    func forEachLine(_ body: (Bytes, _ isWhole: Bool) throws(ToolError) -> Void) throws(ToolError) {
        var block: RowBlock? = first
        while let lines = block?.bytes {
            var position = 0
            while position < lines.count {
                let end = lines.firstIndex(of: ASCII.lineFeed, in: position..<lines.count) ?? lines.count
                var line = lines.part(position..<end)
                while line.last == ASCII.carriageReturn { line = line.part(0..<line.count - 1) }
                try body(line, block?.isCut == false)
                position = end + 1
            }
            block = try input.next()
        }
    }

    /// Reads all of it at once.
    func readAll() throws(ToolError) -> [UInt8] {
        var bytes: [UInt8] = []
        try forEachLine { line, isWhole throws(ToolError) in
            guard isWhole else { throw .badData("\(whole: name) has a line of more than 1 MiB") }
            bytes += line
            bytes.append(ASCII.lineFeed)
        }
        return bytes
    }
}
