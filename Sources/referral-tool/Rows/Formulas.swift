/// Finds the cells that a spreadsheet reads as formulas: they begin with `=`, `+`, `-`, `@`, with the same sign in full width or the
/// sign of minus (U+2212), with a tab or a line end, or with a NUL, which a spreadsheet drops ([OWASP](https://owasp.org/www-community/attacks/CSV_Injection)).
///
/// With an apostrophe before it, a spreadsheet shows the text.
enum Formulas {
    private static let otherSigns = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{2212}"].map { Array($0.utf8) }

    /// Whether text becomes a formula in a cell.
    static func isFormula(_ text: Bytes, in format: RowFormat) -> Bool {
        isFormula(text, in: text.indices, isQuoted: format.hasQuotes)
    }

    /// The number of formulas in a row.
    static func count(in row: Row) -> Int {
        let bytes = row.table
        let hasReturn = bytes.firstIndex(of: ASCII.carriageReturn, in: row.range) != nil
        return row.cells.reduce(0) { count, cell in
            if hasReturn { return count + (places(in: cell, of: bytes).isEmpty ? 0 : 1) }
            let start = cell.range.lowerBound + (cell.isQuoted ? 1 : 0)
            return count + (isFormula(bytes, in: start..<cell.range.upperBound, isQuoted: cell.isQuoted) ? 1 : 0)
        }
    }

    /// The positions for apostrophes in a cell, in order.
    ///
    /// In many programs, a carriage return outside of quotation marks ends a row, so the text after it is a cell too.
    private static func places(in cell: Row.Cell, of bytes: Bytes) -> [Int] {
        let start = cell.range.lowerBound + (cell.isQuoted ? 1 : 0)
        let end = cell.range.upperBound - (cell.isQuoted ? 1 : 0)
        var places = isFormula(bytes, in: start..<end, isQuoted: cell.isQuoted) ? [start] : []
        guard !cell.isQuoted else { return places }
        var position = start
        while let carriageReturn = bytes.firstIndex(of: ASCII.carriageReturn, in: position..<end) {
            position = carriageReturn + 1
            if isFormula(bytes, in: position..<end, isQuoted: false) { places.append(position) }
        }
        return places
    }

    /// Appends a row unchanged, except for an apostrophe before each formula.
    static func append(guarded row: Row, to output: inout ByteBuffer) {
        var start = row.range.lowerBound
        for place in row.cells.lazy.flatMap({ places(in: $0, of: row.table) }) {
            output.append(row.table.part(start..<place))
            output.append(ASCII.apostrophe)
            start = place
        }
        output.append(row.table.part(start..<row.range.upperBound))
    }

    private static func isFormula(_ bytes: Bytes, in range: Range<Int>, isQuoted: Bool) -> Bool {
        var start = range.lowerBound
        // TSV has no quotation marks, but spreadsheets remove them there too.
        while !isQuoted, start < range.upperBound, bytes[start] == ASCII.quote { start += 1 }
        guard start < range.upperBound else { return false }
        return switch bytes[start] {
        case ASCII.equals, ASCII.plus, ASCII.dash, ASCII.at, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed, 0: true
        case 0xE2, 0xEF: otherSigns.contains { bytes.part(start..<range.upperBound).starts(with: $0) }
        default: false
        }
    }
}
