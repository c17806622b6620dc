/// What is done with each row. Every thread has one of its own.
protocol RowWork: SendableMetatype {
    mutating func work(on row: RowScanner.Row, of scanner: inout RowScanner, into batch: inout Batch)
}

/// What is done with the pieces of a line that is longer than any row may be; one for all threads, and one at a time.
protocol LongLineWork: AnyObject {
    func work(on piece: Bytes, isFirst: Bool, isLast: Bool, into batch: inout Batch)
}

/// Reads chunks of rows, works on several at once, and writes what comes of them in the order of the input.
///
/// There is no queue: each thread reads a chunk when it is free, works on it, waits for its turn and writes. So there are as
/// many chunks in memory as there are threads, and a slow reader of the output slows all of them down.
final class RowPipeline: @unchecked Sendable {
    private let input: RowInput
    private let sink: RowSink

    /// Guards the input and the chunks' numbers.
    private let inputMonitor = Monitor()
    private var nextNumber = 0

    /// Guards the sink, the turn and the failure.
    private let turnMonitor = Monitor()
    private var turn = 0
    private var failure: ToolError?

    init(input: RowInput, sink: RowSink) {
        self.input = input
        self.sink = sink
    }

    /// Works on all rows.
    ///
    /// - Parameters:
    ///   - jobs: How many threads there are to be.
    ///   - longLines: What is done with lines that are too long.
    ///   - makeWork: What a thread does with each row.
    /// - Throws: What kept the rest from being read or written.
    func run<Work: RowWork>(
        jobs: Int,
        longLines: any LongLineWork,
        _ makeWork: @escaping @Sendable () -> Work
    ) throws(ToolError) {
        nonisolated(unsafe) let longLines = longLines
        Workers.run(jobs) {
            do throws(ToolError) {
                try self.loop(makeWork(), longLines)
            } catch {
                self.fail(error)
            }
        }
        if let failure { throw failure }
    }

    private func loop(_ work: some RowWork, _ longLines: any LongLineWork) throws(ToolError) {
        var work = work
        var batch = Batch()
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
        defer { buffer.deallocate() }
        while true {
            let next = nextChunk(into: buffer)
            let number = next.number
            switch next.chunk {
            case .success(nil):
                return
            case .failure(let error):
                // What was read before comes out first.
                if waitForTurn(number) { throw error }
                return
            case .success(.rows(let bytes)):
                var scanner = RowScanner(bytes, format: input.format)
                while let row = scanner.next() {
                    work.work(on: row, of: &scanner, into: &batch)
                    if batch.isFull {
                        guard waitForTurn(number) else { return }
                        try sink.write(&batch)
                    }
                }
                batch.lineCount = scanner.line
                guard waitForTurn(number) else { return }
            case .success(.piece(let bytes, let isFirst, let isLast)):
                guard waitForTurn(number) else { return }
                longLines.work(on: bytes, isFirst: isFirst, isLast: isLast, into: &batch)
                batch.lineCount = bytes.count { $0 == .lineFeed }
            }
            try sink.write(&batch)
            sink.didWriteChunk(consumed: next.consumed)
            passTurn()
        }
    }

    private struct Next {
        let number: Int
        let chunk: Result<RowInput.Chunk?, ToolError>
        let consumed: Int
    }

    private func nextChunk(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Next {
        inputMonitor.lock()
        defer {
            nextNumber += 1
            inputMonitor.unlock()
        }
        let chunk = Result<RowInput.Chunk?, ToolError> { () throws(ToolError) in try input.next(into: buffer) }
        return Next(number: nextNumber, chunk: chunk, consumed: input.consumed)
    }

    /// Waits until all chunks before this one are written; `false` where one could not be.
    private func waitForTurn(_ number: Int) -> Bool {
        turnMonitor.lock()
        defer { turnMonitor.unlock() }
        while turn != number, failure == nil { turnMonitor.wait() }
        return failure == nil
    }

    private func passTurn() {
        turnMonitor.lock()
        turn += 1
        turnMonitor.wakeAll()
        turnMonitor.unlock()
    }

    private func fail(_ error: ToolError) {
        turnMonitor.lock()
        failure = failure ?? error
        turnMonitor.wakeAll()
        turnMonitor.unlock()
        Interruption.wakeReaders()
    }
}
