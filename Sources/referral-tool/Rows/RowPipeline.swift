/// Processes the rows of a thread.
protocol RowWork: ~Copyable, SendableMetatype {
    /// Appends the result for a valid row. If it throws, the row is rejected.
    mutating func append(_ row: Row, to batch: inout Batch) throws(RowError)
}

/// Processes the pieces of lines that are longer than a row may be, one piece at a time: a piece, and whether it is the first
/// or the last one of its line.
typealias LongLineWork = (Bytes, Bool, Bool, inout Batch) -> Void

/// Reads a table in chunks of rows, processes several chunks at once, and writes the results in the order of the input.
///
/// There is no queue: each thread reads a chunk, processes it, waits for its turn and writes. So there is at most one
/// chunk per thread in memory, and a slow reader of the output slows all threads down.
final class RowPipeline: @unchecked Sendable {
    private let input: RowInput
    private let format: RowFormat
    private let sink: RowSink
    private let columnCount: Int
    private let badRows: BadRows
    private let collectsLinkedRows: Bool

    /// Guards the input and the chunks' numbers.
    private let inputMonitor = Monitor()
    private var nextNumber = 0

    /// Guards the sink, the turn and the failure.
    private let turnMonitor = Monitor()
    private var turn = 0
    private var failure: ToolError?

    init(input: RowInput, sink: RowSink, columnCount: Int, badRows: BadRows) {
        self.input = input
        self.sink = sink
        self.columnCount = columnCount
        self.badRows = badRows
        format = input.format
        collectsLinkedRows = sink.linkedRows != nil
    }

    /// Processes all rows on a number of threads.
    func run<Work: RowWork & ~Copyable>(
        jobs: Int,
        longLines: @escaping LongLineWork,
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

    private func loop(_ work: consuming some RowWork & ~Copyable, _ longLines: LongLineWork) throws(ToolError) {
        var batch = Batch()
        batch.collectsLinkedRows = collectsLinkedRows
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
        defer { buffer.deallocate() }
        while true {
            let (number, consumed, chunk) = nextChunk(into: buffer)
            switch chunk {
            case .success(nil):
                return
            case .failure(let error):
                // The chunks before the error are written first.
                if waitForTurn(number) { throw error }
                return
            case .success(.rows(let bytes, let unclosed)):
                var scanner = RowScanner(bytes, format: format, unclosed: unclosed)
                while let row = scanner.next() {
                    append(row, &work, to: &batch)
                    if batch.isFull {
                        guard waitForTurn(number) else { return }
                        try sink.write(&batch)
                    }
                }
                batch.counts.lines = scanner.line
                guard waitForTurn(number) else { return }
            case .success(.piece(let bytes, let isFirst, let isLast)):
                guard waitForTurn(number) else { return }
                longLines(bytes, isFirst, isLast, &batch)
                batch.counts.lines = bytes.count { $0 == ASCII.lineFeed } + (isLast ? 1 : 0)
            }
            try sink.write(&batch)
            sink.progress.show(rows: sink.counts.rows, consumed: consumed)
            passTurn()
        }
    }

    private func append(_ row: Row, _ work: inout some RowWork & ~Copyable, to batch: inout Batch) {
        // A line of text is valid, even an empty one.
        let isText = format == .txt
        guard isText || !row.range.isEmpty else { return }
        let (count, formulas) = (batch.output.count, batch.counts.formulas)
        batch.counts.rows += 1
        do throws(RowError) {
            if !isText { try row.check(columns: columnCount) }
            try work.append(row, to: &batch)
        } catch {
            batch.output.truncate(to: count)
            batch.counts.formulas = formulas
            badRows.append(row, error, to: &batch)
        }
    }

    private func nextChunk(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> (Int, consumed: Int, Result<RowInput.Chunk?, ToolError>) {
        inputMonitor.lock()
        defer {
            nextNumber += 1
            inputMonitor.unlock()
        }
        let chunk = Result<RowInput.Chunk?, ToolError> { () throws(ToolError) in try input.next(into: buffer) }
        return (nextNumber, input.consumed, chunk)
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
