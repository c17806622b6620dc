/// A log whose first lines are read already.
final class LogFile {
    private let input: RowInput
    private let first: RowBlock
    private var isRead = false
    /// The time of the first request.
    private(set) var time: Int?
    /// Whether one of the first lines has a user agent.
    private(set) var hasAgents = false

    /// Reads the first lines; `nil` if the file is empty.
    init?(_ stream: ByteStream) throws(ToolError) {
        input = RowInput(stream, format: .txt)
        guard let first = try input.next() else { return nil }
        self.first = first
        if beginning.starts(with: [0x1F, 0x8B]) {
            throw .badData("\(whole: name) is compressed: zcat -f $(ls -tr access.log*) | referral-tool report --log -")
        }
        var (line, request) = (LogLine(), LogRequest())
        var lines = RowScanner(beginning, format: .txt)
        while let text = lines.next()?.bytes.withoutReturns {
            guard !line.readComment(text), line.read(text, &request), let time = request.time else { continue }
            line.readVisitor(of: &request)
            (self.time, hasAgents) = (self.time ?? time.seconds, hasAgents || request.agent != nil)
        }
    }

    /// Some whole lines.
    var beginning: Bytes { first.bytes }

    var name: String { input.stream.name }

    /// Reads the next lines; `nil` at the end.
    func next(waits: Bool) throws(ToolError) -> RowBlock? {
        defer { isRead = true }
        return isRead ? try input.next(waits: waits) : first
    }
}
