/// What the first line of a table shows before its cells are read.
struct TableHeader {
    /// The format. For CSV, commas separate the cells. If the line has none outside of quotation marks, tabs do. If it has
    /// no tabs either, semicolons do.
    let format: RowFormat

    /// Whether lines end with CR alone, as in Excel's “CSV (Macintosh)”.
    let hasReturns: Bool

    /// Reads the first line of a table in a format. Returns `nil` if the line doesn't end in these bytes.
    init?(_ bytes: Bytes, of format: RowFormat, isWhole: Bool) {
        let end = min(bytes.count, RowScanner.maximumLength)
        let isLong = end == RowScanner.maximumLength
        var (hasComma, hasTab, hasSemicolon, hasReturns) = (false, false, false, false)
        var (position, isStart) = (0, true)
        while position < end, bytes[position] != ASCII.lineFeed {
            let byte = bytes[position]
            position += 1
            if byte == ASCII.quote, isStart, format.hasQuotes {
                while position < end {
                    guard let quote = bytes.firstIndex(of: ASCII.quote, in: position..<end) else {
                        position = end
                        break
                    }
                    position = quote + 1
                    guard position < end, bytes[position] == ASCII.quote else { break }
                    position += 1
                }
            } else if byte == ASCII.carriageReturn {
                // Some programs write several before a line feed.
                while position < end, bytes[position] == ASCII.carriageReturn { position += 1 }
                hasReturns = position < end ? bytes[position] != ASCII.lineFeed : isWhole && !isLong
                if hasReturns { break }
            }
            hasComma = hasComma || byte == ASCII.comma
            hasTab = hasTab || byte == ASCII.tab
            hasSemicolon = hasSemicolon || byte == ASCII.semicolon
            isStart = [ASCII.comma, ASCII.tab, ASCII.semicolon].contains(byte)
        }
        guard isWhole || position < end || isLong else { return nil }
        self.hasReturns = hasReturns
        self.format =
            format != .csv ? format : hasComma ? .csv : hasTab ? .csvWithTabs : hasSemicolon ? .csvWithSemicolons : .csv
    }
}
