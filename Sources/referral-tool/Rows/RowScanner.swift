/// Splits bytes into rows and cells.
///
/// A row ends at LF or CRLF outside of quotation marks. A mistake with the marks of one line costs that line. If a mark has no
/// closing one on its line, and none on later lines that makes a row, the row is the last one: nobody knows where the next one
/// begins.
struct RowScanner: ~Copyable {
    /// The longest row, in bytes without its line end.
    static let maximumLength = 1 << 20

    private let bytes: Bytes
    private let separator: UInt8?
    /// Whether these bytes are the end of the input.
    private let isWhole: Bool

    /// The start of the next row.
    var position = 0
    /// The line of the next row.
    private(set) var line: Int
    /// Whether the last row has an opening quote without a closing one.
    private(set) var isBroken = false

    /// Whether the row may have line breaks in quotation marks.
    private var hasMarks = false
    private var cells = UnsafeMutableBufferPointer<Row.Cell>.allocate(capacity: 64)
    private var cellCount = 0

    init(_ bytes: Bytes, format: RowFormat, line: Int = 1, isWhole: Bool = true) {
        self.bytes = bytes
        self.isWhole = isWhole
        self.line = line
        separator = format.separator
    }

    deinit { cells.deallocate() }

    /// The next row; `nil` at the end, or if the rest is not a whole row yet.
    mutating func next() -> Row? {
        guard position < bytes.count, !isBroken else { return nil }
        (cellCount, hasMarks) = (0, false)
        guard let separator else { return nextLine() }
        let start = position
        var end = start
        while true {
            let cell = end
            let isQuoted = end < bytes.count && bytes[end] == ASCII.quote
            if isQuoted {
                hasMarks = true
                guard let closed = endOfQuotes(from: end + 1, limit: min(bytes.count, start + Self.maximumLength))
                else {
                    return isWhole || bytes.count - start > Self.maximumLength ? brokenRow() : nil
                }
                end = closed
            } else {
                while end < bytes.count, bytes[end] != separator, bytes[end] != ASCII.lineFeed { end += 1 }
            }
            if end < bytes.count, bytes[end] == separator {
                append(cell..<end, isQuoted: isQuoted)
                end += 1
                continue
            }
            // Behind a closing quote, a carriage return may begin the line end.
            var next = isQuoted && end < bytes.count && bytes[end] == ASCII.carriageReturn ? end + 1 : end
            if next == bytes.count {
                guard isWhole else { return nil }
            } else if bytes[next] == ASCII.lineFeed {
                next += 1
                // Otherwise, it is the last byte before it.
                if !isQuoted, end > cell, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
            } else {
                let isOneLine = bytes.firstIndex(of: ASCII.lineFeed, in: start..<end) == nil
                return isOneLine ? nextLine(problem: "there is text after a closing quote") : brokenRow()
            }
            append(cell..<end, isQuoted: isQuoted)
            return row(start..<end, next: next)
        }
    }

    /// The position after the closing mark of a cell, from a position inside its marks; `nil` if there is none before the limit.
    private func endOfQuotes(from start: Int, limit: Int) -> Int? {
        var position = start
        while position < limit, let quote = bytes.firstIndex(of: ASCII.quote, in: position..<limit) {
            guard quote + 1 < bytes.count else { return isWhole ? quote + 1 : nil }
            if bytes[quote + 1] != ASCII.quote { return quote + 1 }
            position = quote + 2
        }
        return nil
    }

    /// The first line of a row with an opening quote without a closing one. A line that is too long is one without a row.
    private mutating func brokenRow() -> Row? {
        let row = nextLine(problem: "an opening quote has no closing quote, so this is the last row that was read")
        isBroken = row.map { $0.range.count <= Self.maximumLength } == true
        return row
    }

    private mutating func nextLine(problem: StaticString? = nil) -> Row? {
        let start = position
        let lineFeed = bytes.firstIndex(of: ASCII.lineFeed, in: start..<bytes.count)
        guard lineFeed != nil || isWhole else { return nil }
        var end = lineFeed ?? bytes.count
        let next = lineFeed.map { $0 + 1 } ?? end
        if lineFeed != nil, end > start, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
        cellCount = 0
        return row(start..<end, next: next, problem: problem)
    }

    private mutating func row(_ range: Range<Int>, next: Int, problem: StaticString? = nil) -> Row {
        let row = Row(
            table: bytes,
            range: range,
            end: next,
            line: line,
            problem: problem,
            cells: UnsafeBufferPointer(rebasing: cells[..<cellCount])
        )
        line += hasMarks ? bytes.part(range.lowerBound..<next).lineFeedCount : next > range.upperBound ? 1 : 0
        position = next
        return row
    }

    @inline(__always)
    private mutating func append(_ range: Range<Int>, isQuoted: Bool) {
        if cellCount == cells.count { grow() }
        cells.initializeElement(at: cellCount, to: Row.Cell(range: range, isQuoted: isQuoted))
        cellCount += 1
    }

    /// A call of its own, since most rows have few cells.
    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutableBufferPointer<Row.Cell>.allocate(capacity: 2 * cellCount)
        _ = larger.moveInitialize(fromContentsOf: cells)
        cells.deallocate()
        cells = larger
    }
}
