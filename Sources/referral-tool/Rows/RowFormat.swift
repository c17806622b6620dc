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
}
