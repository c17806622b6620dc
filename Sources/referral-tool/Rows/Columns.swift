/// The columns of a table of cells: named by its first line, by its first object, or by `--columns`.
struct Columns {
    let names: [String]

    /// The first line as it stands, without its line end; `nil` where the names were given and no line names them.
    let header: [UInt8]?

    /// What ends a line that has no end of its own.
    let lineEnd: [UInt8]

    /// Columns named by `--columns a,b,c`.
    init(named list: String) throws(ToolError) {
        names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        header = nil
        lineEnd = [.lineFeed]
        if let problem { throw .value(list, of: "--columns", problem) }
    }

    /// Columns named by a table's first line.
    init(firstLineOf input: RowInput) throws(ToolError) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
        defer { buffer.deallocate() }
        let name = input.stream.name
        let tooLong = "the first line, which must name the columns, is longer than 1 MiB"
        let chunk = try input.nextUninterrupted(into: buffer)
        guard case .rows(let bytes)? = chunk, !bytes.isEmpty else {
            let isEmpty = if case .piece = chunk { false } else { true }
            throw .badData(
                isEmpty ? "\(name) is empty; it must begin with the columns' names" : "\(name):1: \(tooLong)"
            )
        }
        var scanner = RowScanner(bytes, format: input.format)
        guard let row = scanner.next(), row.range.count <= RowScanner.maximumLength else {
            throw .badData("\(name):1: \(tooLong)")
        }
        let line = bytes.part(row.range)
        guard line.firstIndex(of: 0, in: line.indices) == nil else {
            throw .badData("\(name):1: there is a NUL byte: it is no text, or it is UTF-16; save it as UTF-8")
        }
        if let problem = row.problem { throw .badData("\(name):1: \(problem)") }
        var names: [String] = []
        for cell in scanner.cells {
            guard let text = scanner.value(of: cell).text else { throw .badData("\(name):1: it is not UTF-8") }
            names.append(text)
        }
        self.names = names
        header = (input.hasByteOrderMark ? Array("\u{FEFF}".utf8) : []) + line
        let end = bytes.part(row.range.upperBound..<scanner.position)
        lineEnd = end.isEmpty ? [.lineFeed] : Array(end)
        if let problem { throw .badData("\(name):1: \(problem)") }
        input.unread(bytes.part(scanner.position..<bytes.count))
    }

    /// Columns named by the members of the first object of JSON lines.
    init(firstObjectOf input: RowInput) throws(ToolError) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
        defer { buffer.deallocate() }
        var names: [String] = []
        var read: [UInt8] = []
        while names.isEmpty, read.count <= RowScanner.maximumLength,
            case .rows(let bytes)? = try input.nextUninterrupted(into: buffer)
        {
            var scanner = RowScanner(bytes, format: input.format)
            while names.isEmpty, let row = scanner.next() {
                if let row = try? JSONRow(bytes.part(row.range)) { names = row.members.map(\.name) }
            }
            read += bytes
        }
        read.withUnsafeBufferPointer { input.unread($0) }
        self.names = names
        header = []
        lineEnd = [.lineFeed]
        guard !names.isEmpty else {
            throw .badData("\(input.stream.name): no object in its first rows names the columns")
        }
        if let problem { throw .badData("\(input.stream.name): \(problem)") }
    }

    /// What is wrong with the names.
    private var problem: String? {
        var places: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            guard let first = places.updateValue(index, forKey: name) else { continue }
            return "two columns are called \(ToolError.quoted(name)), number \(first + 1) and number \(index + 1)"
        }
        return nil
    }

    func index(of name: String) -> Int? { names.firstIndex(of: name) }

    /// What to say where a column is missing: which there are, and what the table may be instead.
    func missing(_ name: String, _ format: RowFormat) -> String {
        let shown = names.prefix(8).map(ToolError.quoted).joined(separator: ", ")
        let more = names.count > 8 ? " and \(names.count - 8) more" : ""
        var hint = Spelling.suggestion(for: name, among: names)
        for (separator, text) in [(";", "';'"), ("\t", "a tab"), (",", "a comma")]
        where names.count == 1 && names[0].contains(separator) {
            hint = "; its cells seem to be separated by \(text), and \(format.rawValue) is expected"
        }
        return "there is no column \(ToolError.quoted(name)), only \(shown)\(more)\(hint)"
    }
}
