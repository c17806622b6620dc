import UnlockCatalog

/// A row of a table: a view of the table's bytes, which is valid until the next row is read.
struct Row {
    /// A cell with its quotation marks.
    struct Cell {
        let range: Range<Int>
        let isQuoted: Bool

        /// Whether there is nothing in it.
        var isEmpty: Bool { range.isEmpty || isQuoted && range.count == 2 }
    }

    /// The bytes that contain the row.
    let table: Bytes
    /// The row without its line end.
    let range: Range<Int>
    /// The end of its line end.
    let end: Int
    /// The row's line in the bytes, counting from 0.
    let line: Int
    /// The reason why the row has no cells.
    let problem: StaticString?
    /// The cells; none in a format without cells.
    let cells: UnsafeBufferPointer<Cell>

    /// The row without its line end.
    var bytes: Bytes { table.part(range) }

    var lineEnd: Bytes { table.part(range.upperBound..<end) }

    /// Whether no cell has a value, as in the rows that spreadsheets add.
    var isBlank: Bool { problem == nil && cells.allSatisfy(\.isEmpty) }

    /// Throws if the row is too long or its marks don't match, if it has another number of cells, or if a cell contains a NUL byte.
    func check(columns count: Int) throws(RowError) {
        guard range.count <= RowScanner.maximumLength else { throw .tooLong }
        if let problem { throw RowError("\(reason: problem)") }
        guard cells.count == count else { throw .cells(cells.count, of: count) }
        guard cells.isEmpty || table.firstIndex(of: 0, in: range) == nil else { throw .notText }
    }

    /// Appends the content of a cell: without the quotation marks around it, and with one for each two in it.
    func append(contentOf cell: Cell, to buffer: inout ByteBuffer) {
        guard cell.isQuoted else { return buffer.append(table.part(cell.range)) }
        let end = cell.range.upperBound - 1
        var position = cell.range.lowerBound + 1
        while let quote = table.firstIndex(of: ASCII.quote, in: position..<end) {
            buffer.append(table.part(position..<quote + 1))
            position = quote + 2
        }
        buffer.append(table.part(position..<end))
    }

    /// The content of a cell, or `nil` if it is not UTF-8.
    func text(of cell: Cell) -> String? {
        var content = ByteBuffer(capacity: cell.range.count)
        append(contentOf: cell, to: &content)
        return content.bytes.text
    }
}
