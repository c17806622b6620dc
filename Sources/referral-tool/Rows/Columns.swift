import ReferralSiteCheck
import UnlockCatalog

/// The columns of a table, from its first line or `--columns`.
struct Columns {
    /// The longest name that a column can have, in bytes.
    private static let maximumName = 1_024

    static let tooLongName: Sentence = "the name has more than 1,024 bytes"

    let names: [Name]

    /// The first line without its line end; `nil` if the columns come from `--columns`.
    private(set) var header: [UInt8]?

    /// The byte order mark at the beginning of the file, or nothing.
    private(set) var mark = ""

    /// The line end to add to a last line without one.
    private(set) var lineEnd = [ASCII.lineFeed]

    /// Creates the columns of `--columns a,b,c`.
    init(named list: String, separator: UInt8?) {
        let names = list.utf8.split(separator: separator ?? ASCII.comma, omittingEmptySubsequences: false)
        self.names = names.map { Name(String(decoding: $0, as: UTF8.self)) }
    }

    /// Reads the columns from the first line.
    init(firstLineOf input: RowInput) throws(ToolError) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
        defer { buffer.deallocate() }
        let name = input.stream.name
        let tooLong: Sentence = "the first line, which must name the columns, is longer than 1 MiB"
        let chunk = try input.nextUninterrupted(into: buffer)
        guard case .rows(let bytes, _)? = chunk, !bytes.isEmpty else {
            let isEmpty = if case .piece = chunk { false } else { true }
            throw .badData(
                isEmpty
                    ? "\(whole: name) is empty; it must begin with the columns' names" : "\(whole: name):1: \(tooLong)"
            )
        }
        var scanner = RowScanner(bytes, format: input.format)
        guard let row = scanner.next(), row.range.count <= RowScanner.maximumLength else {
            throw .badData("\(whole: name):1: \(tooLong)")
        }
        let line = row.bytes
        guard line.firstIndex(of: 0, in: line.indices) == nil else {
            throw .badData(
                "\(whole: name):1: there is a NUL byte; the file is not text, or it is UTF-16; save it as UTF-8"
            )
        }
        guard !Self.isForExcel(line) else {
            let right: Sentence = "remove it, so that the first line names the columns"
            throw .badData("\(whole: name):1: only Excel reads a line sep=; \(right)")
        }
        if let problem = row.problem { throw .badData("\(whole: name):1: \(reason: problem)") }
        var names: [Name] = []
        for cell in row.cells {
            guard let text = row.text(of: cell) else {
                throw .badData("\(whole: name):1: it is \(RowError.notUTF8Cell)")
            }
            names.append(Name(text))
        }
        self.names = names
        header = Array(line)
        mark = input.hasByteOrderMark ? "\u{FEFF}" : ""
        if !row.lineEnd.isEmpty { lineEnd = Array(row.lineEnd) }
        input.unread(bytes.part(row.end..<bytes.count))
    }

    /// The number of lines of the header in the input.
    var lineCount: Int {
        header.map { header in 1 + header.count { $0 == ASCII.lineFeed } } ?? 0
    }

    /// A problem with the names: a column that is used must be the only one of its name.
    func problem(isUsed: (Name) -> Bool) -> Sentence? {
        if let name = names.first(where: Self.isTooLong) {
            return "the column \(Self.shown(name)): \(Self.tooLongName)"
        }
        var places: [Name: Int] = [:]
        for (index, key) in names.map(Self.key).enumerated() where isUsed(key) {
            guard let first = places.updateValue(index, forKey: key) else { continue }
            return "two columns are called \(Self.shown(key)), number \(first + 1) and number \(index + 1)"
        }
        return nil
    }

    static func isTooLong(_ name: Name) -> Bool { name.rawValue.utf8.count > maximumName }

    /// A name between quotation marks, in which no character is invisible.
    static func shown(_ name: Name) -> Sentence { "'\(whole: name.rawValue.shown(escaping: isInvisible))'" }

    /// Whether a character looks like nothing or like a space, but isn't U+0020.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        case .spaceSeparator: scalar != " "
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    func index(of name: Name) -> Int? {
        let key = Self.key(name)
        return names.firstIndex { Self.key($0) == key }
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

    /// Whether a line is `sep=` and the separator, which only Excel understands.
    private static func isForExcel(_ line: Bytes) -> Bool {
        guard line.count <= 7 else { return false }
        let isQuoted = line.count > 1 && line.first == ASCII.quote && line.last == ASCII.quote
        let text = line.dropFirst(isQuoted ? 1 : 0).dropLast(isQuoted ? 1 : 0)
        return text.lowercasedText.hasPrefix("sep=") && text.count <= 5
    }

    /// A message about a missing column, with the existing columns and the format that may have been meant. `isFixed`
    /// is true if no option can name another column.
    func missing(_ name: Name, _ format: RowFormat, isFixed: Bool = false) -> Sentence {
        let shown = names.prefix(8).map(Self.shown).joined(separator: ", ")
        let more: Sentence = names.count > 8 ? " and \(names.count - 8) more" : ""
        var hint = Spelling.suggestion(for: name.rawValue, among: names.map(\.rawValue))
        if isFixed {
            let nearest = Spelling.nearest(to: name.rawValue, among: names.map { Self.key($0).rawValue }).map {
                Name($0)
            }
            let column = nearest.flatMap { near in names.first { Self.key($0) == near } }
            hint =
                column.map { "; rename \(Self.shown($0)) to \(quoted: name.rawValue)" }
                ?? "; --referrer-column names another one"
        }
        for (separator, text) in [(";", "';'"), ("\t", "a tab"), (",", "a comma")] as [(Unicode.Scalar, Sentence)]
        where names.count == 1 && names[0].rawValue.unicodeScalars.contains(separator) {
            hint = "; its cells seem to be separated by \(text), and \(name: format.rawValue) is expected"
        }
        return "there is no column \(quoted: name.rawValue), only \(shown)\(more)\(hint)"
    }
}
