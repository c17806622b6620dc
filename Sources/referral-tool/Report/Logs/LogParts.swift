/// Counts a long log in parts, several at the same time, and adds their counts in the order of the log.
struct LogParts {
    /// The shortest part, in bytes. The visits at the beginning of each part are counted twice.
    private static let minimumLength = 1 << 20
    /// Each thread has the counts of one part in memory.
    private static let maximumThreads = 2
    /// The parts of each thread, so that a slow one doesn't delay the others for long.
    private static let partsOfThread = 4

    private let stream: ByteStream
    private let ranges: [Range<Int>]
    private let threads = min(Workers.coreCount, Self.maximumThreads)

    /// Divides a file after line feeds; `nil` if it is short, or there is one core.
    init?(_ stream: ByteStream) throws(ToolError) {
        self.stream = stream
        var starts = [0]
        let size = stream.size ?? 0
        let length = max(Self.minimumLength, size / (threads * Self.partsOfThread) + 1)
        for offset in stride(from: length, to: size, by: length) {
            guard let start = try Self.startOfLine(after: offset, in: stream) else { continue }
            if start > starts[starts.count - 1] { starts.append(start) }
        }
        guard starts.count > 1, threads > 1 else { return nil }
        // The log may become longer while it is read.
        ranges = zip(starts, starts.dropFirst() + [.max]).map { $0..<$1 }
    }

    /// The offset after the first line feed from an offset on; `nil` if the line there is too long.
    private static func startOfLine(after offset: Int, in stream: ByteStream) throws(ToolError) -> Int? {
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4_096)
        defer { room.deallocate() }
        for start in stride(from: offset, to: offset + RowInput.bufferSize, by: room.count) {
            let count = try stream.read(into: UnsafeMutableRawBufferPointer(room), at: start)
            if let lineFeed = Bytes(room).firstIndex(of: ASCII.lineFeed, in: 0..<count) { return start + lineFeed + 1 }
        }
        return nil
    }

    /// Adds the counts of all parts, and returns the fields at the end. The log's beginning may name the fields.
    func count(_ beginning: [UInt8], _ fields: ExtendedLog, in tally: inout Tally) throws(ToolError) -> ExtendedLog {
        let scope = tally.scope
        // Those of the later parts too, unless another line names fields.
        let named = fields.readingDirectives(at: beginning)
        let sum = Sum(tally, fields, count: ranges.count)
        // The sum has the only reference, so that it is changed in place.
        tally = tally.forNextPart
        Workers.run(min(threads, ranges.count)) {
            var reader = LogReader(scope)
            while let (number, empty) = sum.next() {
                let assumed = number == 0 ? fields : named
                let part = Result { () throws(ToolError) in try count(number, assumed, &reader, empty) }
                sum.add(number) { fields throws(ToolError) in
                    fields == assumed ? try part.get() : try count(number, fields, &reader, empty)
                }
            }
        }
        tally = try sum.result()
        return sum.fields
    }

    private typealias Part = (tally: Tally, fields: ExtendedLog)

    private func count(
        _ number: Int,
        _ fields: ExtendedLog,
        _ reader: inout LogReader,
        _ empty: Tally
    ) throws(ToolError) -> Part {
        var tally = empty
        reader.begin(fields)
        try reader.count(RowInput(stream, ranges[number], format: .txt, detectsEncoding: number == 0), in: &tally)
        for (kind, count) in reader.counts { tally.sources[kind, default: 0] &+= count }
        return (tally, reader.extended)
    }

    /// The sum of the parts. One thread at a time adds to it.
    private final class Sum: @unchecked Sendable {
        private let monitor = Monitor()
        private var numbers: Range<Int>
        private var turn = 0
        private var failure: ToolError?
        private var tally: Tally
        private(set) var fields: ExtendedLog

        init(_ tally: Tally, _ fields: ExtendedLog, count: Int) {
            self.tally = tally
            self.fields = fields
            numbers = 0..<count
        }

        /// The number of a part that no thread counts yet, and a tally for it; `nil` after the last one, or after an error.
        func next() -> (number: Int, empty: Tally)? {
            monitor.lock()
            defer { monitor.unlock() }
            return failure == nil ? numbers.popFirst().map { ($0, tally.forNextPart) } : nil
        }

        /// Adds a part once those before it are added. The function gets the fields that are in force there.
        func add(_ number: Int, _ part: (ExtendedLog) throws(ToolError) -> Part) {
            monitor.lock()
            defer { monitor.unlock() }
            while turn != number, failure == nil { monitor.wait() }
            guard failure == nil else { return }
            do throws(ToolError) {
                let part = try part(fields)
                tally.add(part.tally)
                fields = part.fields
            } catch { failure = error }
            turn += 1
            monitor.wakeAll()
        }

        /// The sum, after all threads.
        func result() throws(ToolError) -> Tally {
            if let failure { throw failure }
            return tally
        }
    }
}
