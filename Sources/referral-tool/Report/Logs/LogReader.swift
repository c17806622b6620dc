/// Reads access logs line by line. Each line may be of another format.
struct LogReader {
    private var common = CommonLog()
    /// The fields of CloudFront's lines.
    var extended = ExtendedLog()
    private var counter: RequestCounter
    private let texts = TextBuffer()
    private var kinds = [Int](repeating: 0, count: SourceKind.allCases.count)

    init(_ scope: ReportScope) { counter = RequestCounter(scope) }

    /// Begins a part of a log, which is counted in a tally of its own.
    mutating func begin(_ fields: ExtendedLog) {
        extended = fields
        kinds = kinds.map { _ in 0 }
        counter.forgetReferrers()

    }

    /// The number of lines of each kind since the beginning.
    var counts: [SourceKind: Int] {
        Dictionary(uniqueKeysWithValues: zip(SourceKind.allCases, kinds).filter { $0.1 > 0 })
    }

    /// Whether the line is of a log.
    mutating func isLine(_ line: Bytes) -> Bool { read(line, isProbe: true) != nil }

    /// Counts whole lines.
    mutating func count(_ lines: Bytes, in tally: inout Tally) {
        var position = 0
        while position < lines.count {
            let end = lines.firstIndex(of: ASCII.lineFeed, in: position..<lines.count) ?? lines.count
            count(line: lines.part(position..<end), in: &tally)
            position = end + 1
        }
    }

    /// Counts all lines of an input.
    mutating func count(_ input: RowInput, in tally: inout Tally) throws(ToolError) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
        defer { buffer.deallocate() }
        while let chunk = try input.nextUninterrupted(into: buffer) {
            switch chunk {
            case .rows(let bytes): count(bytes, in: &tally)
            case .piece(let bytes, let isFirst, _): if isFirst { count(beginning: bytes, in: &tally) }
            }
        }
    }

    private mutating func count(line: Bytes, in tally: inout Tally) {
        var line = line
        while line.last == ASCII.carriageReturn { line = line.part(0..<line.count - 1) }
        guard !line.isEmpty else { return tally.addLine(.comments) }
        switch read(line) {
        case .request(let request): tally.addLine(counter.count(request, in: &tally))
        case .comment: tally.addLine(.comments)
        case nil: countStrange(line, in: &tally)
        }
    }

    /// Counts a line that is too long, by its beginning.
    private mutating func count(beginning: Bytes, in tally: inout Tally) {
        extended.readLong(beginning)
        countStrange(beginning, in: &tally)
    }

    /// Counts a line that isn't of a log.
    private func countStrange(_ line: Bytes, in tally: inout Tally) {
        tally.addLine(.notALine)
        if tally.strangeLines.count < Tally.maximumShown { tally.strangeLines.append(StrangeLine.text(line)) }
    }

    private enum Line {
        case request(LogRequest)
        case comment
    }

    /// Reads a line. The format is that of its first characters.
    private mutating func read(_ line: Bytes, isProbe: Bool = false) -> Line? {
        let kind: SourceKind
        let request: LogRequest
        switch line.first {
        case ASCII.openBrace:
            texts.removeAll()
            guard let (format, read) = JSONLog.request(line, texts) else { return nil }
            (kind, request) = (format, read)
        case ASCII.hash:
            guard extended.readDirective(line) else { return nil }
            return .comment
        default:
            if let read = common.request(line) {
                (kind, request) = (read.agent == nil ? .common : .combined, read)
            } else {
                texts.removeAll()
                guard let read = extended.request(line, texts) else { return nil }
                (kind, request) = (.cloudFront, read)
            }
        }
        if !isProbe { kinds[kind.index] += 1 }
        return .request(request)
    }
}

private extension SourceKind {
    /// The cases of logs are the first ones.
    var index: Int {
        switch self {
        case .common: 0
        case .combined: 1
        case .caddy: 2
        case .cloudflare: 3
        default: 4
        }
    }
}
