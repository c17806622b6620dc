/// Splits bytes into rows and cells.
///
/// A row ends at LF or CRLF outside of quotation marks. If the marks of a CSV row don't match within the length that a row may have,
/// the row is only its first line, so that one stray mark can't hide other rows.
struct RowScanner: ~Copyable {
    /// The longest row, in bytes without its line end.
    static let maximumLength = 1 << 20

    private static let openQuote: StaticString = "an opening quote has no closing quote"

    private let bytes: Bytes
    private let separator: UInt8?
    private let hasQuotes: Bool
    /// Whether these bytes are the end of the input.
    private let isWhole: Bool

    /// The start of the next row.
    private(set) var position = 0
    /// The number of lines before it.
    private(set) var line = 0
    /// The end of the bytes in which a row was read and then reduced to its first line, because its marks don't match.
    ///
    /// That row was inside quotation marks at the start of each of its other lines. A later row that is inside them at the end of a
    /// line would continue in the same way, so it isn't read again: the time stays linear.
    private(set) var unclosed: Int

    private var cells = UnsafeMutableBufferPointer<Row.Cell>.allocate(capacity: 64)
    private var cellCount = 0

    init(_ bytes: Bytes, format: RowFormat, isWhole: Bool = true, unclosed: Int = 0) {
        self.bytes = bytes
        self.isWhole = isWhole
        self.unclosed = unclosed
        separator = format.separator
        hasQuotes = format.hasQuotes
    }

    deinit { cells.deallocate() }

    /// Continues at another row.
    mutating func skip(to position: Int) { self.position = position }

    /// The next row; `nil` at the end, or if the rest is not a whole row yet.
    mutating func next() -> Row? {
        guard position < bytes.count else { return nil }
        cellCount = 0
        guard let separator else { return nextLine() }
        let start = position
        let limit = min(bytes.count, start + Self.maximumLength)
        let knownLine =
            start < unclosed ? bytes.firstIndex(of: ASCII.lineFeed, in: start..<min(limit, unclosed)) : nil
        var (end, hasQuotedCells) = (start, false)
        while true {
            let cell = end
            let isQuoted = hasQuotes && end < bytes.count && bytes[end] == ASCII.quote
            if isQuoted {
                if let knownLine, endOfQuotes(from: end + 1, limit: knownLine) == nil {
                    return nextLine(problem: Self.openQuote)
                }
                guard let closed = endOfQuotes(from: end + 1, limit: limit) else {
                    guard isWhole || bytes.count - start > Self.maximumLength else { return nil }
                    unclosed = max(unclosed, limit)
                    return nextLine(problem: Self.openQuote)
                }
                (end, hasQuotedCells) = (closed, true)
            } else {
                while end < bytes.count, bytes[end] != separator, bytes[end] != ASCII.lineFeed { end += 1 }
            }
            let isAtEnd = end == bytes.count
            if isAtEnd, !isWhole { return nil }
            if !isAtEnd, bytes[end] == separator {
                append(cell..<end, isQuoted: isQuoted)
                end += 1
                continue
            }
            var next = isAtEnd ? end : end + 1
            if !isAtEnd, bytes[end] == ASCII.carriageReturn, next < bytes.count || !isWhole {
                guard next < bytes.count else { return nil }
                next += 1
            }
            guard isAtEnd || bytes[next - 1] == ASCII.lineFeed else {
                unclosed = max(unclosed, end)
                // On a later line, the opening mark is more likely to be wrong.
                let isOneLine = bytes.firstIndex(of: ASCII.lineFeed, in: start..<end) == nil
                return nextLine(problem: isOneLine ? "there is text after a closing quote" : Self.openQuote)
            }
            // A carriage return before the line feed is a part of the line end.
            if !isQuoted, next > end, end > cell, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
            append(cell..<end, isQuoted: isQuoted)
            return row(start..<end, next: next, lineFeeds: hasQuotedCells ? nil : next > end ? 1 : 0)
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

    private mutating func nextLine(problem: StaticString? = nil) -> Row? {
        let start = position
        let lineFeed = bytes.firstIndex(of: ASCII.lineFeed, in: start..<bytes.count)
        guard lineFeed != nil || isWhole else { return nil }
        var end = lineFeed ?? bytes.count
        let next = lineFeed.map { $0 + 1 } ?? end
        if lineFeed != nil, end > start, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
        // Cells of the next lines may have been read too.
        while cellCount > 0, cells[cellCount - 1].range.lowerBound >= end { cellCount -= 1 }
        return row(start..<end, next: next, lineFeeds: lineFeed == nil ? 0 : 1, problem: problem)
    }

    /// Ends a row. Without a number of its line feeds, they are counted.
    private mutating func row(_ range: Range<Int>, next: Int, lineFeeds: Int?, problem: StaticString? = nil) -> Row {
        let row = Row(
            table: bytes,
            range: range,
            end: next,
            line: line,
            problem: problem,
            cells: UnsafeBufferPointer(rebasing: cells[..<cellCount])
        )
        line += lineFeeds ?? bytes.part(range.lowerBound..<next).count { $0 == ASCII.lineFeed }
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
