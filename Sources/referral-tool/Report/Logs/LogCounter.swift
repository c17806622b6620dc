/// Reads whole lines of a log.
final class LineChunks {
    /// A line that is longer isn't read.
    static let maximumLine = 1 << 20
    private static let blockSize = 256 << 10

    struct Chunk {
        let lines: Bytes
        /// Whether the chunk is the beginning of a line that is too long.
        var isLong = false
        /// The fields that a line before the chunk names.
        var fields: LogFields?
    }

    private let stream: ByteStream
    private var rest: [UInt8]
    private var fields: LogFields?
    private var isAtEnd = false

    /// Reads a stream whose beginning is read already.
    init(_ stream: ByteStream, beginning: [UInt8]) {
        self.stream = stream
        rest = beginning.starts(with: RowInput.byteOrderMark) ? Array(beginning.dropFirst(3)) : beginning
    }

    /// Reads the next lines into a buffer with room for the longest line; `nil` at the end.
    func next(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ToolError) -> Chunk? {
        var count = buffer.update(fromContentsOf: rest)
        rest.removeAll(keepingCapacity: true)
        var end = Bytes(rebasing: buffer[..<count]).lastIndex(of: ASCII.lineFeed, in: 0..<count)
        while !isAtEnd, count < buffer.count, count < Self.blockSize || end == nil {
            let room = UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[count...].prefix(Self.blockSize)
            )
            let read = try stream.read(into: room)
            isAtEnd = read == 0
            count += read
            end =
                Bytes(rebasing: buffer[..<count]).lastIndex(of: ASCII.lineFeed, in: max(0, count - read)..<count) ?? end
        }
        guard count > 0 else { return nil }
        let isLong = !isAtEnd && end == nil
        if isLong { try skipLine() }
        let whole = isAtEnd ? count : end.map { $0 + 1 } ?? count
        rest.append(contentsOf: buffer[whole..<count])
        let lines = Bytes(rebasing: buffer[..<whole])
        defer { readFields(lines) }
        return Chunk(lines: lines, isLong: isLong, fields: fields)
    }

    /// Skips the rest of a line that is too long.
    private func skipLine() throws(ToolError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 1)
        defer { room.deallocate() }
        while !isAtEnd {
            let read = try stream.read(into: room)
            isAtEnd = read == 0
            guard let end = room.prefix(read).firstIndex(of: ASCII.lineFeed) else { continue }
            return rest = Array(room[(end + 1)..<read])
        }
    }

    private func readFields(_ lines: Bytes) {
        var position = 0
        while let hash = lines.firstIndex(of: ASCII.hash, in: position..<lines.count) {
            position = hash + 1
            guard hash == 0 || lines[hash - 1] == ASCII.lineFeed else { continue }
            let end = lines.firstIndex(of: ASCII.lineFeed, in: position..<lines.count) ?? lines.count
            fields = LogFields(lines.part(hash..<end)) ?? fields
        }
    }
}

/// Counts a log: several threads read its lines, and their events are counted in the order of the log.
final class LogCounter: @unchecked Sendable {
    /// More threads wait for the one that counts.
    private static let maximumThreads = 2

    private let monitor = Monitor()
    private let chunks: LineChunks
    private let scope: ReportScope
    private var tally: Tally
    private var read = 0
    private var counted = 0
    private var failure: ToolError?

    private init(_ chunks: LineChunks, _ tally: Tally) {
        self.chunks = chunks
        self.tally = tally
        scope = tally.scope
    }

    static func count(_ input: ReportInput, in tally: inout Tally) throws(ToolError) {
        let counter = LogCounter(LineChunks(input.stream, beginning: input.beginning), tally)
        // The counter has the only reference, so that the counts are changed in place.
        tally = Tally()
        Workers.run(min(Workers.coreCount, maximumThreads)) { counter.work() }
        tally = counter.tally
        counter.tally = Tally()
        if let failure = counter.failure { throw failure }
        try input.close()
        let line = input.beginning.prefix { $0 != ASCII.lineFeed }
        try tally.endLog(input.name, firstLine: line.first == ASCII.hash ? nil : LogLine.shown(line))
    }

    private func work() {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: LineChunks.maximumLine)
        defer { buffer.deallocate() }
        var reader = RequestReader(scope)
        while let (number, chunk) = next(buffer) {
            let batch = reader.read(chunk)
            monitor.lock()
            while counted != number { monitor.wait() }
            tally.add(batch)
            counted += 1
            monitor.wakeAll()
            monitor.unlock()
        }
    }

    private func next(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> (Int, LineChunks.Chunk)? {
        monitor.lock()
        defer { monitor.unlock() }
        guard failure == nil else { return nil }
        do throws(ToolError) {
            guard let chunk = try chunks.next(into: buffer) else { return nil }
            read += 1
            return (read - 1, chunk)
        } catch {
            failure = error
            return nil
        }
    }
}
