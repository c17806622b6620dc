/// The columns of a table, from its first line.
struct Columns {
    let names: [Name]
    /// The first line without its line end.
    let header: [UInt8]
    /// The byte order mark at the beginning of the file, or nothing.
    let mark: String
    /// The line end to add to a last line without one.
    let lineEnd: [UInt8]

    /// Reads the first line. A column that is used, by its key, must be the only one of its name.
    init(firstLineOf input: RowInput, isUsed: (Name) -> Bool) throws(ToolError) {
        let file = input.stream.name
        func error(_ problem: Sentence) -> ToolError { .badData("\(whole: file):1: \(problem)") }
        guard let block = try input.next(), !block.bytes.isEmpty else {
            throw .badData("\(whole: file) is empty; it must begin with the columns' names")
        }
        var scanner = RowScanner(block.bytes, format: input.format)
        guard !block.isCut, let row = scanner.next(), row.range.count <= RowScanner.maximumLength else {
            throw error("the first line, which must name the columns, is longer than 1 MiB")
        }
        guard row.bytes.firstIndex(of: 0, in: row.bytes.indices) == nil else {
            throw error("there is a NUL byte; the file is not text, or it is UTF-16; save it as UTF-8")
        }
        if let problem = row.problem { throw error("\(reason: problem)") }
        var names: [Name] = []
        for cell in row.cells {
            if !cell.isQuoted, row.table.firstIndex(of: ASCII.carriageReturn, in: cell.range) != nil {
                throw error("the lines seem to end with CR alone; save the table as CSV UTF-8")
            }
            guard let text = row.text(of: cell) else { throw error("it is \(RowError.notUTF8)") }
            names.append(Name(text))
        }
        var indexes: [Name: Int] = [:]
        for (index, key) in names.map(Self.key).enumerated() where isUsed(key) {
            guard let first = indexes.updateValue(index, forKey: key) else { continue }
            throw error("two columns are called \(quoted: key.rawValue), number \(first + 1) and number \(index + 1)")
        }
        self.names = names
        header = Array(row.bytes)
        mark = input.hasByteOrderMark ? "\u{FEFF}" : ""
        lineEnd = row.lineEnd.isEmpty ? [ASCII.lineFeed] : Array(row.lineEnd)
        input.unread(block, from: row.end)
    }

    func index(of name: Name) -> Int? {
        names.map(Self.key).firstIndex(of: Self.key(name))
    }

    /// A column's name in the form for comparison: without surrounding white space and in lower case, except for the
    /// KEY of `param.KEY`. Only ASCII letters are lowercased.
    static func key(_ name: Name) -> Name {
        // Most names are keys already, and each member of each object is compared.
        let bytes = name.rawValue.utf8
        guard !bytes.allSatisfy({ $0 > ASCII.space && ASCII.lowercased($0) == $0 }) else { return name }
        let start = bytes.drop(while: ASCII.isWhiteSpace)
        let trimmed = start.dropLast(start.reversed().prefix(while: ASCII.isWhiteSpace).count)
        let prefix = trimmed.prefix(6).map(ASCII.lowercased)
        let isParameter = prefix.elementsEqual("param.".utf8)
        let rest = trimmed.dropFirst(6)
        return Name(String(decoding: prefix + (isParameter ? Array(rest) : rest.map(ASCII.lowercased)), as: UTF8.self))
    }

    /// A message about a missing column, with the existing columns and what may be wrong.
    func missing(_ name: Name, option: String) -> Sentence {
        let shown = names.prefix(8).map { "\(quoted: $0.rawValue)" as Sentence }.joined(separator: ", ")
        let more: Sentence = names.count > 8 ? " and \(names.count - 8) more" : ""
        var hint = Spelling.suggestion(for: name.rawValue, among: names.map { Self.key($0).rawValue })
        if hint.isEmpty { hint = "; \(name: option) names another one" }
        return "there is no column \(quoted: name.rawValue), only \(shown)\(more)\(hint)"
    }
}
