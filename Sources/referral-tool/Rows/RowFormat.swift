import ReferralBridge

/// The format of a table or a list.
enum RowFormat: String, CaseIterable {
    /// RFC 4180: cells with a comma, a quotation mark or a line break are in quotation marks.
    case csv
    /// IANA's `text/tab-separated-values`: a cell contains no tab and no line break, and quotation marks have no meaning.
    case tsv
    /// A JSON object a line.
    case jsonl
    /// A text a line.
    case txt
    /// An `<a>` element a line.
    case html

    /// The separator of cells; `nil` for a format without cells.
    var separator: UInt8? {
        switch self {
        case .csv: ASCII.comma
        case .tsv: ASCII.tab
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
}
