import ReferralBridge

/// Processes the rows of a thread.
protocol RowWork: SendableMetatype {
    mutating func process(_ row: RowScanner.Row, of scanner: inout RowScanner, into batch: inout Batch)
}

/// Processes the pieces of lines that are longer than a row may be, one piece at a time.
protocol LongLineWork: AnyObject {
    func process(_ piece: Bytes, isFirst: Bool, isLast: Bool, into batch: inout Batch)
}

/// Reads a table in chunks of rows, processes several chunks at once, and writes the results in the order of the input.
///
/// There is no queue: each thread reads a chunk, processes it, waits for its turn and writes. So there are only as many
/// chunks in memory as threads, and a slow reader of the output slows all of them down.
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

    /// Processes all rows on a number of threads.
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
                // The chunks before the error are written first.
                if waitForTurn(number) { throw error }
                return
            case .success(.rows(let bytes)):
                var scanner = RowScanner(bytes, format: input.format)
                while let row = scanner.next() {
                    work.process(row, of: &scanner, into: &batch)
                    if batch.isFull {
                        guard waitForTurn(number) else { return }
                        try sink.write(&batch)
                    }
                }
                batch.lineCount = scanner.line
                guard waitForTurn(number) else { return }
            case .success(.piece(let bytes, let isFirst, let isLast)):
                guard waitForTurn(number) else { return }
                longLines.process(bytes, isFirst: isFirst, isLast: isLast, into: &batch)
                batch.lineCount = bytes.count { $0 == ASCII.lineFeed } + (isLast ? 1 : 0)
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

    /// Waits until all chunks before this one are written. Returns `false` after an error.
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
