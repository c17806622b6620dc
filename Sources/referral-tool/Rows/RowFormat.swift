/// The format of a table or a list.
enum RowFormat: String, CaseIterable {
    /// RFC 4180: cells with a comma, a quotation mark or a line break are in quotation marks.
    case csv
    /// CSV with tabs, as in cells copied from a spreadsheet.
    case csvWithTabs = "csv with tabs"
    /// CSV with semicolons, as spreadsheets save it in regions with decimal commas.
    case csvWithSemicolons = "csv with semicolons"
    /// IANA's `text/tab-separated-values`: a cell contains no tab and no line break, and quotation marks have no meaning.
    case tsv
    /// One JSON object per line.
    case jsonl
    /// One text per line.
    case txt
    /// One `<a>` element per line.
    case html

    /// The separator of cells; `nil` for a format without cells.
    var separator: UInt8? {
        switch self {
        case .csv: ASCII.comma
        case .tsv, .csvWithTabs: ASCII.tab
        case .csvWithSemicolons: ASCII.semicolon
        case .jsonl, .txt, .html: nil
        }
    }

    /// Whether a cell can be in quotation marks.
    var hasQuotes: Bool {
        switch self {
        case .csv, .csvWithTabs, .csvWithSemicolons: true
        case .tsv, .jsonl, .txt, .html: false
        }
    }

    /// The format of a file by its name.
    init?(fileName: String) {
        let name = fileName.split(separator: "/").last ?? ""
        let endings: [String: Self] = ["csv": .csv, "tsv": .tsv, "tab": .tsv, "jsonl": .jsonl, "ndjson": .jsonl]
        guard let point = name.lastIndex(of: "."),
            let format = endings[name[point...].dropFirst().lowercased()]
        else { return nil }
        self = format
    }

    /// The form of CSV by its first line: commas separate the cells. If the line has none outside of quotation marks, tabs do. If it has
    /// no tabs either, semicolons do. Returns `nil` if the line doesn't end in these bytes.
    static func csv(firstLine bytes: Bytes, isWhole: Bool) -> RowFormat? {
        var isQuoted = false
        var found: Set<UInt8> = []
        for byte in bytes {
            if byte == ASCII.quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == ASCII.lineFeed { return separated(by: found) }
            if byte == ASCII.comma || byte == ASCII.tab || byte == ASCII.semicolon { found.insert(byte) }
        }
        return isWhole ? separated(by: found) : nil
    }

    private static func separated(by found: Set<UInt8>) -> RowFormat {
        let forms: [RowFormat] = [.csv, .csvWithTabs, .csvWithSemicolons]
        return forms.first { $0.separator.map(found.contains) == true } ?? .csv
    }

    /// Text as a cell, in quotation marks if CSV needs them; `nil` if the format can't contain it.
    func cell(_ text: String) -> String? {
        guard text.withUTF8Bytes(isSpecial) else { return text }
        guard hasQuotes else { return nil }
        // Split at code points, because a `Character` may be a quotation mark with an accent.
        let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
    }

    /// Whether text can't be a cell as it is.
    func isSpecial(_ text: Bytes) -> Bool {
        guard let separator else { return false }
        func contains(_ byte: UInt8) -> Bool { text.firstIndex(of: byte, in: text.indices) != nil }
        return contains(separator) || contains(ASCII.lineFeed) || contains(ASCII.carriageReturn)
            || hasQuotes && contains(ASCII.quote)
    }
}
