import ReferralBridge

/// Goes through rows in memory, and finds the cells of each.
///
/// A row ends at LF or CRLF outside of quotes. A row of CSV whose quotes are wrong is its first line and no more, so that one
/// stray quote hides no row behind it.
struct RowScanner {
    /// The longest row, in bytes without its line end.
    static let maximumLength = 1 << 20

    struct Row {
        /// Where it stands, without its line end.
        let range: Range<Int>
        /// Its line, counted from the first one of these bytes, which is 0.
        let line: Int
        /// Why its cells mean nothing.
        let problem: StaticString?
    }

    /// A cell where it stands, quotes included.
    struct Cell {
        let range: Range<Int>
        let isQuoted: Bool
    }

    private static let openQuote: StaticString = "a quote opens here that does not close"

    let bytes: Bytes
    private let separator: UInt8?
    private let hasQuotes: Bool

    /// Whether nothing follows behind these bytes.
    private let isWhole: Bool

    /// Where the next row begins.
    private(set) var position = 0
    /// How many lines ended before it.
    private(set) var line = 0
    /// The cells of the row that was read last.
    private(set) var cells: [Cell] = []

    /// What is known of a row that was reduced to its first line, because its quotes are wrong further on.
    ///
    /// At the start of each line up to `end`, that row was inside quotes. A later row that is inside quotes there too goes on
    /// as that one did, so it is followed from `end` on. Otherwise each line would be followed to the same place again.
    private struct OpenRow {
        var end = 0
        /// Whether text stands behind a closing quote at the end. Otherwise the end is inside quotes.
        var isBroken = false
    }

    private var openRow = OpenRow()

    init(_ bytes: Bytes, format: RowFormat, isWhole: Bool = true) {
        self.bytes = bytes
        self.isWhole = isWhole
        separator = format.separator
        hasQuotes = format == .csv
    }

    /// The next row; `nil` at the end, or where the rest is no whole row yet.
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
                while end < bytes.count, bytes[end] != separator, bytes[end] != ASCII.lineFeed { end += 1 }
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
                // On a later line it is rather the opening quote that is wrong.
                let isOneLine = bytes.firstIndex(of: ASCII.lineFeed, in: start..<end) == nil
                return nextLine(problem: isOneLine ? "text stands behind a closing quote" : Self.openQuote)
            }
        }
    }

    /// Ends a row with its last cell, whose carriage return belongs to the line's end.
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
        let row = Row(range: start..<end, line: line, problem: problem)
        line += lineFeed == nil ? 0 : 1
        return row
    }

    private enum Quotes {
        /// They close, and the cell ends here.
        case closed(Int)
        /// They don't close before the limit. Nothing in front of this position closes them.
        case open(Int)
        /// More bytes have to tell.
        case unknown
    }

    /// Where quotes close, looked for from a position inside them.
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

// MARK: - Wrong quotes

extension RowScanner {
    /// The first line of a row whose quotes don't close; `nil` where they still may.
    private mutating func openLine(_ start: Int) -> Row? {
        isWhole || bytes.count - start > Self.maximumLength ? nextLine(problem: Self.openQuote) : nil
    }

    /// The line feed that ends a row's first line, if a row that is inside quotes behind it is one that is known.
    private func endOfKnownLine(from start: Int, limit: Int) -> Int? {
        guard start < openRow.end else { return nil }
        return bytes.firstIndex(of: ASCII.lineFeed, in: start..<min(limit, openRow.end))
    }

    /// Whether a row that is where the open row is ends well; `nil` where more bytes have to tell.
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
            // Cells without quotes, up to the next one that has some.
            while end < bytes.count, bytes[end] == separator {
                end += 1
                guard end < bytes.count, bytes[end] != ASCII.quote else { break }
                while end < bytes.count, bytes[end] != separator, bytes[end] != ASCII.lineFeed { end += 1 }
            }
            guard end < bytes.count else { return isWhole ? true : nil }
            if bytes[end] == ASCII.lineFeed { return true }
            position = end + 1
        }
    }
}

extension RowScanner {
    /// Throws what is wrong with a row, whatever it says.
    func check(_ row: Row) throws(RowError) {
        guard row.range.count <= Self.maximumLength else { throw .tooLong }
        if let problem = row.problem { throw RowError("\(problem)") }
    }

    /// Throws what is wrong with the cells of the row that was read last.
    func checkCells(of row: Row, columns count: Int) throws(RowError) {
        guard cells.count == count else { throw .cells(cells.count, of: count) }
        guard bytes.firstIndex(of: 0, in: row.range) == nil else { throw .notText }
    }

    /// A cell's bytes: as they stand, or taken out of their quotes.
    func value(of cell: Cell) -> CellValue {
        guard cell.isQuoted else { return CellValue(bytes: bytes.part(cell.range), hasDoubledQuotes: false) }
        let content = bytes.part(cell.range.lowerBound + 1..<cell.range.upperBound - 1)
        return CellValue(
            bytes: content,
            hasDoubledQuotes: content.firstIndex(of: ASCII.quote, in: content.indices) != nil
        )
    }
}

/// What a cell holds.
struct CellValue {
    /// The bytes; of a cell with quotes in it, each of them twice.
    let bytes: Bytes
    let hasDoubledQuotes: Bool

    /// The text, or `nil` where it is not UTF-8.
    var text: String? {
        guard hasDoubledQuotes else { return bytes.text }
        var unquoted: [UInt8] = []
        var isSecond = false
        for byte in bytes {
            isSecond = byte == ASCII.quote && !isSecond
            if !isSecond { unquoted.append(byte) }
        }
        return unquoted.withUnsafeBufferPointer(\.text)
    }
}
