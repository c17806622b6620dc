/// Splits bytes into rows and cells.
///
/// A row ends at LF or CRLF outside of quotation marks. If the marks of a CSV row don't match, the row is only its
/// first line, so that one stray mark can't hide other rows.
struct RowScanner {
    /// The longest row, in bytes without its line end.
    static let maximumLength = 1 << 20

    struct Row {
        /// The row without its line end.
        let range: Range<Int>
        /// The row's line in these bytes, counting from 0.
        let line: Int
        /// The reason why the row has no cells.
        let problem: StaticString?
    }

    /// A cell with its quotation marks.
    struct Cell {
        let range: Range<Int>
        let isQuoted: Bool

        /// Whether there is nothing in it.
        var isEmpty: Bool { range.isEmpty || isQuoted && range.count == 2 }
    }

    private static let openQuote: StaticString = "an opening quote has no closing quote"

    let bytes: Bytes
    private let separator: UInt8?
    private let hasQuotes: Bool

    /// Whether these bytes are the end of the input.
    private let isWhole: Bool

    /// The start of the next row.
    private(set) var position = 0
    /// The number of lines before it.
    private(set) var line = 0
    /// The cells of the last row.
    private(set) var cells: [Cell] = []

    /// A row that was reduced to its first line because of its quotation marks.
    ///
    /// At the start of each line up to `end`, that row was inside quotation marks. A later row that is inside them at
    /// the same place continues in the same way, so it is scanned only after `end`. This keeps the time linear.
    private struct OpenRow {
        var end = 0
        /// Whether there is text after a closing mark at the end. Otherwise the end is inside quotation marks.
        var isBroken = false
    }

    private var openRow = OpenRow()

    init(_ bytes: Bytes, format: RowFormat, isWhole: Bool = true) {
        self.bytes = bytes
        self.isWhole = isWhole
        separator = format.separator
        hasQuotes = format.hasQuotes
    }

    /// The next row; `nil` at the end, or if the rest is not a whole row yet.
    mutating func next() -> Row? {
        guard position < bytes.count else { return nil }
        guard let separator else { return nextLine() }

        cells.removeAll(keepingCapacity: true)
        let start = position
        let limit = min(bytes.count, start + Self.maximumLength)
        var knownLine = endOfKnownLine(from: start, limit: limit)
        var end = start
        while true {
            let cell = end
            var isQuoted = false
            if hasQuotes, end < bytes.count, bytes[end] == ASCII.quote {
                isQuoted = true
                if let line = knownLine, case .open = endOfQuotes(from: end + 1, limit: line) {
                    guard let isRow = followOpenRow(limit: limit) else { return nil }
                    guard isRow else { return openRow.isBroken ? nextLine(problem: Self.openQuote) : openLine(start) }
                    knownLine = nil
                }
                switch endOfQuotes(from: end + 1, limit: limit) {
                case .closed(let position): end = position
                case .open(let position):
                    if position > openRow.end { openRow = OpenRow(end: position) }
                    return openLine(start)
                case .unknown: return openLine(start)
                }
            } else {
                end = endOfPlainCell(from: end, separator)
            }
            guard end < bytes.count else {
                guard isWhole else { return nil }
                return finish(start, cell, end, isQuoted: isQuoted, next: end)
            }
            if bytes[end] == separator {
                cells.append(Cell(range: cell..<end, isQuoted: isQuoted))
                end += 1
            } else if bytes[end] == ASCII.lineFeed {
                return finish(start, cell, end, isQuoted: isQuoted, next: end + 1)
            } else if bytes[end] == ASCII.carriageReturn, end + 1 == bytes.count, !isWhole {
                return nil
            } else if bytes[end] == ASCII.carriageReturn, end + 1 < bytes.count, bytes[end + 1] == ASCII.lineFeed {
                return finish(start, cell, end, isQuoted: isQuoted, next: end + 2)
            } else {
                if end > openRow.end { openRow = OpenRow(end: end, isBroken: true) }
                // On a later line, the opening mark is more likely to be wrong.
                let isOneLine = bytes.firstIndex(of: ASCII.lineFeed, in: start..<end) == nil
                return nextLine(problem: isOneLine ? "there is text after a closing quote" : Self.openQuote)
            }
        }
    }

    /// The separator or the line feed after a cell without quotation marks.
    private func endOfPlainCell(from start: Int, _ separator: UInt8?) -> Int {
        guard let separator, let base = bytes.baseAddress else { return bytes.count }
        let (count, lineFeed) = (bytes.count, ASCII.lineFeed)
        var end = start
        // Eight bytes at a time. The lowest high bit that stays set belongs to the first byte that is sought.
        let (ones, highs) = (UInt64(0x0101_0101_0101_0101), UInt64(0x8080_8080_8080_8080))
        while end + 8 <= count {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + end).loadUnaligned(as: UInt64.self))
            let (a, b) = (word ^ ones &* UInt64(separator), word ^ ones &* UInt64(lineFeed))
            let zeros = ((a &- ones) & ~a | (b &- ones) & ~b) & highs
            if zeros != 0 { return end + zeros.trailingZeroBitCount / 8 }
            end += 8
        }
        while end < count, base[end] != separator, base[end] != lineFeed { end += 1 }
        return end
    }

    /// Ends a row with its last cell. A carriage return before the line feed is a part of the line end.
    private mutating func finish(_ start: Int, _ cell: Int, _ end: Int, isQuoted: Bool, next: Int) -> Row {
        var end = end
        if !isQuoted, next > end, end > cell, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
        cells.append(Cell(range: cell..<end, isQuoted: isQuoted))
        let row = Row(range: start..<end, line: line, problem: nil)
        line += next > end ? 1 : 0
        if hasQuotes, cells.contains(where: \.isQuoted) {
            line += bytes[start..<end].count { $0 == ASCII.lineFeed }
        }
        position = next
        return row
    }

    private mutating func nextLine(problem: StaticString? = nil) -> Row? {
        let start = position
        let lineFeed = bytes.firstIndex(of: ASCII.lineFeed, in: start..<bytes.count)
        guard lineFeed != nil || isWhole else { return nil }
        var end = lineFeed ?? bytes.count
        position = lineFeed.map { $0 + 1 } ?? end
        if lineFeed != nil, end > start, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
        // Cells of the next lines may have been scanned too.
        if problem != nil { cells.removeAll { $0.range.lowerBound >= end } }
        let row = Row(range: start..<end, line: line, problem: problem)
        line += lineFeed == nil ? 0 : 1
        return row
    }

    private enum Quotes {
        /// The position after the closing mark.
        case closed(Int)
        /// There is no closing mark before the limit, nor before this position.
        case open(Int)
        /// It depends on the next bytes.
        case unknown
    }

    /// The end of a cell, from a position inside its quotation marks.
    private func endOfQuotes(from start: Int, limit: Int) -> Quotes {
        var position = start
        while position < limit, let quote = bytes.firstIndex(of: ASCII.quote, in: position..<limit) {
            guard quote + 1 < bytes.count else { return isWhole ? .closed(quote + 1) : .unknown }
            if bytes[quote + 1] != ASCII.quote { return .closed(quote + 1) }
            position = quote + 2
        }
        return .open(max(position, limit))
    }
}

// MARK: - Mismatched quotation marks

extension RowScanner {
    /// The first line of a row without a closing mark; `nil` if the mark may still come.
    private mutating func openLine(_ start: Int) -> Row? {
        isWhole || bytes.count - start > Self.maximumLength ? nextLine(problem: Self.openQuote) : nil
    }

    /// The end of a row's first line, if the open row covers what comes after it.
    private func endOfKnownLine(from start: Int, limit: Int) -> Int? {
        guard start < openRow.end else { return nil }
        return bytes.firstIndex(of: ASCII.lineFeed, in: start..<min(limit, openRow.end))
    }

    /// Whether a row that continues as the open row is valid; `nil` if that depends on the next bytes.
    private mutating func followOpenRow(limit: Int) -> Bool? {
        guard !openRow.isBroken else { return false }
        var position = openRow.end
        while true {
            var end: Int
            switch endOfQuotes(from: position, limit: limit) {
            case .closed(let position): end = position
            case .open(let position):
                openRow.end = position
                return false
            case .unknown: return nil
            }
            if end < bytes.count, bytes[end] != separator {
                let isCarriageReturn = bytes[end] == ASCII.carriageReturn
                if isCarriageReturn, end + 1 == bytes.count, !isWhole { return nil }
                let isLineEnd = bytes[isCarriageReturn && end + 1 < bytes.count ? end + 1 : end] == ASCII.lineFeed
                if !isLineEnd { openRow = OpenRow(end: end, isBroken: true) }
                return isLineEnd
            }
            // Skips cells without quotation marks.
            while end < bytes.count, bytes[end] == separator {
                end += 1
                guard end < bytes.count, bytes[end] != ASCII.quote else { break }
                end = endOfPlainCell(from: end, separator)
            }
            guard end < bytes.count else { return isWhole ? true : nil }
            if bytes[end] == ASCII.lineFeed { return true }
            position = end + 1
        }
    }
}

extension RowScanner {
    /// The end of the last whole row of the beginning of a table; `nil` if only a scan can tell, since marks may not match.
    ///
    /// Only the quotation marks are read, and the line feeds before them.
    static func endOfWholeRows(_ bytes: Bytes, format: RowFormat) -> Int? {
        let separator = format.separator ?? ASCII.lineFeed
        var (end, position) = (0, 0)
        while format.hasQuotes, let opening = bytes.firstIndex(of: ASCII.quote, in: position..<bytes.count) {
            if let lineFeed = bytes.lastIndex(of: ASCII.lineFeed, in: position..<opening) { end = lineFeed + 1 }
            position = opening + 1
            // Elsewhere in a cell, a quotation mark is text.
            guard opening == 0 || bytes[opening - 1] == separator || bytes[opening - 1] == ASCII.lineFeed else {
                continue
            }
            guard bytes.count <= maximumLength else { return nil }
            var isClosed = false
            while !isClosed {
                let mark = bytes.firstIndex(of: ASCII.quote, in: position..<bytes.count)
                guard let mark, mark + 1 < bytes.count else { return end }
                isClosed = bytes[mark + 1] != ASCII.quote
                position = mark + (isClosed ? 1 : 2)
            }
            let isCarriageReturn = bytes[position] == ASCII.carriageReturn
            guard !isCarriageReturn || position + 1 < bytes.count else { return end }
            let next = bytes[isCarriageReturn ? position + 1 : position]
            guard next == ASCII.lineFeed || next == separator && !isCarriageReturn else { return nil }
        }
        return bytes.lastIndex(of: ASCII.lineFeed, in: position..<bytes.count).map { $0 + 1 } ?? end
    }

    /// Throws if the last row is too long or its marks don't match, if it has another number of cells, or if a cell
    /// contains a NUL byte.
    func check(_ row: Row, columns count: Int) throws(RowError) {
        guard row.range.count <= Self.maximumLength else { throw .tooLong }
        if let problem = row.problem { throw RowError("\(reason: problem)") }
        guard separator != nil else { return }
        guard cells.count == count else { throw .cells(cells.count, of: count) }
        guard bytes.firstIndex(of: 0, in: row.range) == nil else { throw .notText }
    }

    /// Appends the content of a cell: without the quotation marks around it, and with one for each two in it.
    func append(contentOf cell: Cell, to buffer: inout ByteBuffer) {
        guard cell.isQuoted else { return buffer.append(bytes.part(cell.range)) }
        let end = cell.range.upperBound - 1
        var position = cell.range.lowerBound + 1
        while let quote = bytes.firstIndex(of: ASCII.quote, in: position..<end) {
            buffer.append(bytes.part(position..<quote + 1))
            position = quote + 2
        }
        buffer.append(bytes.part(position..<end))
    }

    /// The content of a cell, or `nil` if it is not UTF-8.
    func text(of cell: Cell) -> String? {
        guard cell.isQuoted else { return bytes.part(cell.range).text }
        var content = ByteBuffer(capacity: cell.range.count)
        append(contentOf: cell, to: &content)
        return content.bytes.text
    }
}
