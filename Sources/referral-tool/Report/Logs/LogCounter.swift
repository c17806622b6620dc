/// Counts a log: several threads read its lines, and their events are counted in the order of the log.
final class LogCounter: @unchecked Sendable {
    /// More threads wait for the one that counts.
    private static let maximumThreads = 2

    private let monitor = Monitor()
    private let chunks: LogChunks
    private var tally: Tally
    private var read = 0
    private var counted = 0
    private var failure: ToolError?

    private init(_ chunks: LogChunks, _ tally: Tally) { (self.chunks, self.tally) = (chunks, tally) }

    static func count(_ input: ReportInput, in tally: inout Tally) throws(ToolError) {
        let counter = LogCounter(LogChunks(input.stream, beginning: input.beginning), tally)
        // The counter has the only reference, so that the counts are changed in place.
        tally = Tally()
        // The fields that a line names are those of all lines after it, so that one thread reads them.
        let hasFields = input.beginning.first == ASCII.hash
        Workers.run(hasFields ? 1 : min(Workers.coreCount, maximumThreads)) { counter.work(hasFields) }
        tally = counter.tally
        counter.tally = Tally()
        if let failure = counter.failure { throw failure }
        try input.close()
        try tally.endLog(input.name, firstLine: input.beginning.prefix { $0 != ASCII.lineFeed })
    }

    private func work(_ hasFields: Bool) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: LogChunks.maximumLine)
        defer { buffer.deallocate() }
        monitor.lock()
        defer { monitor.unlock() }
        var reader = RequestReader(tally.scope, hasFields: hasFields)
        while let (number, chunk) = next(buffer) {
            monitor.unlock()
            let batch = reader.read(chunk)
            monitor.lock()
            while counted != number { monitor.wait() }
            tally.add(batch)
            counted += 1
            monitor.wakeAll()
        }
    }

    private func next(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> (Int, LogChunks.Chunk)? {
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
