/// How a table of rows is written down.
enum RowFormat: String {
    /// RFC 4180: cells in quotes where they hold a comma, a quote or a line break.
    case csv
    /// `text/tab-separated-values` as IANA has it: neither a tab nor a line break can stand in a cell, and a quote is a
    /// character.
    case tsv
    /// A JSON object a line.
    case jsonl
    /// A text a line.
    case txt
    /// An `<a>` element a line.
    case html

    /// What stands between cells; `nil` where a line is no row of cells.
    var separator: UInt8? {
        switch self {
        case .csv: .comma
        case .tsv: .tab
        case .jsonl, .txt, .html: nil
        }
    }

    /// The format that a file's name tells.
    init?(fileName: String) {
        let name = fileName.split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: point)...].lowercased() {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "jsonl", "ndjson": self = .jsonl
        default: return nil
        }
    }

    /// What the input is: as its name tells, else as `--from` says, else the default.
    static func ofInput(
        _ arguments: Arguments,
        file: String?,
        among formats: [RowFormat],
        default standard: RowFormat
    ) throws(ToolError) -> RowFormat {
        let given = try named(by: "--from", arguments, among: formats)
        guard let file, let told = RowFormat(fileName: file) else { return given ?? standard }
        guard given == nil || given == told else {
            throw .usage("\(ToolError.quoted(file)) is \(told.rawValue) by its name; --from says otherwise")
        }
        return told
    }

    static func named(
        by option: String,
        _ arguments: Arguments,
        among formats: [RowFormat]
    ) throws(ToolError) -> RowFormat? {
        let names = formats.map(\.rawValue)
        let hint = arguments[option].map { Spelling.suggestion(for: $0, among: names) } ?? ""
        return try arguments.read(option, "the formats are \(names.joined(separator: ", "))\(hint)") { text in
            formats.first { $0.rawValue == text }
        }
    }
}
