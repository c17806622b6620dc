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
    /// The row's line in the input, counting from 1.
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
        guard range.count <= RowScanner.maximumLength else {
            throw RowError("the row is longer than 1 MiB, and what is kept of it may be cut")
        }
        if let problem { throw RowError("\(reason: problem)") }
        guard cells.count == count else {
            let (cells, columns) = (CountText.count(cells.count, "cell"), CountText.count(count, "column"))
            throw RowError("\(name: cells), but \(name: columns)")
        }
        guard cells.isEmpty || table.firstIndex(of: 0, in: range) == nil else {
            throw RowError("there is a NUL byte in the row")
        }
    }

    /// The content of a cell: without the quotation marks around it, and with one for each two in it. Only a cell with such marks is
    /// copied, into a buffer that has room for it.
    func content(of cell: Cell, _ copies: inout ByteBuffer) -> Bytes {
        guard cell.isQuoted else { return table.part(cell.range) }
        let end = cell.range.upperBound - 1
        var position = cell.range.lowerBound + 1
        guard table.firstIndex(of: ASCII.quote, in: position..<end) != nil else { return table.part(position..<end) }
        let start = copies.count
        while let quote = table.firstIndex(of: ASCII.quote, in: position..<end) {
            copies.append(table.part(position..<quote + 1))
            position = quote + 2
        }
        copies.append(table.part(position..<end))
        return copies.bytes.part(start..<copies.count)
    }

    /// The content of a cell, or `nil` if it is not UTF-8.
    func text(of cell: Cell) -> String? {
        var copies = ByteBuffer(capacity: cell.range.count)
        return content(of: cell, &copies).text
    }
}

/// A row of JSON lines.
struct JSONRow {
    /// The members in order. Their values are views of the line.
    let members: [(name: Name, value: JSONValue)]

    /// The line up to the closing brace, before which members can be added.
    let opened: Bytes
    /// The closing brace and the rest of the line.
    let closing: Bytes

    init(_ line: Bytes) throws(RowError) {
        guard line.text != nil else { throw RowError("the row is not UTF-8; save it as UTF-8") }
        var members: [(name: Name, value: JSONValue)] = []
        var reader = JSONReader(line)
        do throws(JSONError) { try reader.readObject { members.append((Name($0.content), $1)) } } catch {
            let isTooDeep = error == .nestedTooDeeply
            throw RowError(isTooDeep ? "the row has more than 64 levels of nesting" : "the row is not a JSON object")
        }
        self.members = members
        let end = line.lastIndex(of: ASCII.closeBrace) ?? line.endIndex
        let content = line.part(0..<end)
        // White space in an empty object isn't kept, so that a brace shows that a member is the first one.
        opened = members.isEmpty ? content.part(0..<(content.lastIndex(of: ASCII.openBrace) ?? 0) + 1) : content
        closing = line.part(end..<line.count)
    }
}

/// The reason why a row is rejected, such as `ct: 41 bytes, at most 40`.
final class RowError: Error {
    /// The column, or the option of the same name; `nil` for the row as a whole.
    let column: String?
    /// A few words or a sentence.
    let problem: Sentence

    init(_ problem: Sentence) { (column, self.problem) = (nil, problem) }

    init(_ column: String, _ problem: Sentence) { (self.column, self.problem) = (column, problem) }

    convenience init(_ error: ReferralError) {
        switch error {
        case .reservedParameterName(let name):
            self.init("param.\(name)", "a payload already has a member with that name")
        case .payloadTooLong: self.init("referrer", "with its parameters, the payload is longer than 8,192 bytes")
        default: self.init("referrer", "\(reason: error)")
        }
    }

    var reason: Sentence { column.map { "\(name: $0): \(problem)" } ?? problem }

    static let notUTF8: Sentence = "not UTF-8; save the table as CSV UTF-8"
}

/// Writes the rejected rows unchanged, each after its reason and the number of its line.
///
/// The reason comes first, so that it can be found even if the row is malformed.
struct BadRows: Sendable {
    let format: RowFormat

    /// The first line of the file.
    func header(_ columns: Columns?) -> String {
        guard let columns, let separator = format.separator else { return "" }
        let added = "reason,line,".replacing(",", with: String(UnicodeScalar(separator)))
        return columns.mark + added + String(decoding: columns.header + columns.lineEnd, as: UTF8.self)
    }

    func append(_ row: Row, _ reason: Sentence, to rejects: inout ByteBuffer) {
        if let separator = format.separator {
            rejects.append(format.cell(reason.text))
            rejects.append(separator)
            rejects.append(String(row.line))
            rejects.append(separator)
            rejects.append(row.bytes)
        } else {
            rejects.append("{\"reason\":\(JSONText.string(reason.text)),\"line\":\(row.line),")
            if let object = try? JSONRow(row.bytes), !object.members.isEmpty {
                rejects.append(row.bytes.part((row.bytes.firstIndex(of: ASCII.openBrace) ?? 0) + 1..<row.bytes.count))
            } else {
                rejects.append("\"row\":\(JSONText.string(row.bytes.string))}")
            }
        }
        if row.lineEnd.isEmpty { rejects.append(ASCII.lineFeed) } else { rejects.append(row.lineEnd) }
    }
}
