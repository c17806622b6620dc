import ReferralBridge

/// Finds cells that a spreadsheet takes for formulas: they begin with `=`, `+`, `-`, `@`, a tab or a carriage return.
///
/// An apostrophe in front makes a spreadsheet show the text as it is.
enum Formulas {
    /// Whether a cell with this text is one, once it is written in a format.
    static func begins(_ text: String, in format: RowFormat) -> Bool {
        var text = text
        return text.withUTF8 { bytes in begins(bytes, in: bytes.indices, isQuoted: format == .csv) }
    }

    /// How many cells of a row are one.
    static func count(in cells: [RowScanner.Cell], of bytes: Bytes, row: Range<Int>) -> Int {
        guard bytes.firstIndex(of: ASCII.carriageReturn, in: row) == nil else {
            return cells.count { !places(in: $0, of: bytes).isEmpty }
        }
        var count = 0
        for cell in cells {
            let start = cell.range.lowerBound + (cell.isQuoted ? 1 : 0)
            if begins(bytes, in: start..<cell.range.upperBound, isQuoted: cell.isQuoted) { count += 1 }
        }
        return count
    }

    /// Where apostrophes belong in a cell of a table, in order.
    ///
    /// To many programs a carriage return ends a row, unless it is in quotes, so what follows it counts as a cell too.
    static func places(in cell: RowScanner.Cell, of bytes: Bytes) -> [Int] {
        let start = cell.range.lowerBound + (cell.isQuoted ? 1 : 0)
        let end = cell.range.upperBound - (cell.isQuoted ? 1 : 0)
        var places = begins(bytes, in: start..<end, isQuoted: cell.isQuoted) ? [start] : []
        guard !cell.isQuoted else { return places }
        var position = start
        while let carriageReturn = bytes.firstIndex(of: ASCII.carriageReturn, in: position..<end) {
            position = carriageReturn + 1
            if begins(bytes, in: position..<end, isQuoted: false) { places.append(position) }
        }
        return places
    }

    private static func begins(_ bytes: Bytes, in range: Range<Int>, isQuoted: Bool) -> Bool {
        var start = range.lowerBound
        // TSV has no quotes, but spreadsheets take them off there too.
        while !isQuoted, start < range.upperBound, bytes[start] == ASCII.quote { start += 1 }
        guard start < range.upperBound else { return false }
        switch bytes[start] {
        case ASCII.equals, ASCII.plus, ASCII.dash, ASCII.at, ASCII.tab, ASCII.carriageReturn:
            return true
        default:
            return false
        }
    }
}
