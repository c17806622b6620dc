/// The format of a table or a list.
enum RowFormat: String, CaseIterable {
    /// RFC 4180: cells with a comma, a quotation mark or a line break are in quotation marks.
    case csv
    /// CSV with tabs, as in cells copied from a spreadsheet and in its tab-delimited text.
    case tsv
    /// CSV with semicolons, as spreadsheets save it in regions with decimal commas.
    case csvWithSemicolons = "csv with semicolons"
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
        case .tsv: ASCII.tab
        case .csvWithSemicolons: ASCII.semicolon
        case .jsonl, .txt, .html: nil
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
        var (isQuoted, isStart) = (false, true)
        var found: Set<UInt8> = []
        for byte in bytes {
            if byte == ASCII.quote, isQuoted || isStart {
                // Behind a closing mark, another one means that both are text. Within other cells, a mark is text.
                (isQuoted, isStart) = (!isQuoted, isQuoted)
                continue
            }
            if isQuoted { continue }
            if byte == ASCII.lineFeed { return separated(by: found) }
            isStart = [ASCII.comma, ASCII.tab, ASCII.semicolon].contains(byte)
            if isStart { found.insert(byte) }
        }
        return isWhole ? separated(by: found) : nil
    }

    private static func separated(by found: Set<UInt8>) -> RowFormat {
        let forms: [RowFormat] = [.csv, .tsv, .csvWithSemicolons]
        return forms.first { $0.separator.map(found.contains) == true } ?? .csv
    }

    /// Text as a cell, in quotation marks if it needs them.
    func cell(_ text: String) -> String {
        let special: [UInt8?] = [separator, ASCII.quote, ASCII.lineFeed, ASCII.carriageReturn]
        guard text.utf8.contains(where: { special.contains($0) }) else { return text }
        // Split at code points, because a `Character` may be a quotation mark with an accent.
        let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
    }
}
