/// The kind of source that a file was recognized as, or that an option names.
enum ReportSource {
    case log, counts, store, links, guestbook, partial

    var title: String {
        switch self {
        case .log: "an access log"
        case .counts: "the app's counts"
        case .store: "a store's table"
        case .links: "a table of links"
        case .guestbook: "records of a guestbook"
        case .partial: "the report of a part"
        }
    }
}

/// Recognizes a file by its beginning.
enum Recognition {
    /// The source; `nil` if the file isn't one.
    static func source(of beginning: [UInt8], _ scope: ReportScope) -> ReportSource? {
        let bytes = SourceText.withoutMark(beginning)
        let text = String(decoding: bytes.prefix(16 << 10), as: UTF8.self)
        if bytes.first(where: { !ASCII.isWhiteSpace($0) }).map([ASCII.openBrace, ASCII.openBracket].contains) == true {
            return json(text) ?? (hasLogLine(bytes, scope) ? .log : nil)
        }
        if hasLogLine(bytes, scope) { return .log }
        if StoreTable.header(in: bytes) != nil { return .store }
        return LinksTable.isHeader(of: bytes) ? .links : nil
    }

    /// The kind of a JSON text, by the names of its members.
    private static func json(_ text: String) -> ReportSource? {
        func has(_ names: String...) -> Bool {
            names.allSatisfy { name in
                text.ranges(of: "\"\(name)\"").contains { range in
                    text[range.upperBound...].drop(while: \.isWhitespace).first == ":"
                }
            }
        }
        if has(PartialReport.mark) { return .partial }
        if has("version", "rows") { return .counts }
        if has("recordName") || has("records") { return .guestbook }
        if has("ClientRequestURI") || has("request", "status") { return .log }
        return has("referrer", "link") ? .links : nil
    }

    private static func hasLogLine(_ bytes: Bytes, _ scope: ReportScope) -> Bool {
        var reader = LogReader(scope)
        return bytes.split(separator: ASCII.lineFeed).prefix(100).contains { line in
            let line = Bytes(rebasing: line)
            return reader.isLine(line.last == ASCII.carriageReturn ? line.part(0..<line.count - 1) : line)
        }
    }

    private static func hasLogLine(_ bytes: [UInt8], _ scope: ReportScope) -> Bool {
        bytes.withUnsafeBufferPointer { hasLogLine($0, scope) }
    }

    /// The appearance of a file that isn't a source.
    static func appearance(of beginning: [UInt8]) -> Sentence {
        let signatures: [(StaticString, Sentence)] = [
            ("PK\u{3}\u{4}", "a spreadsheet or another ZIP archive; save it as CSV"), ("%PDF", "a PDF"),
            ("\u{7F}ELF", "a program"), ("SQLite format 3", "an SQLite database"), ("<?xml", "XML"),
            ("<!doctype", "a page of HTML"), ("<html", "a page of HTML"),
            ("BZh", "a file compressed by bzip2; decompress it"),
        ]
        let start = beginning.prefix(16).map(ASCII.lowercased)
        for (signature, kind) in signatures where start.starts(with: signature.utf8.map(ASCII.lowercased)) {
            return kind
        }
        if beginning.isEmpty { return "an empty file" }
        if beginning.starts(with: [0x89, 0x50]) || beginning.starts(with: [0xFF, 0xD8]) { return "an image" }
        if beginning.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return "a file compressed by zstd; decompress it" }
        if beginning.starts(with: [0xFD, 0x37, 0x7A]) { return "a file compressed by xz; decompress it" }
        let bytes = SourceText.withoutMark(beginning)
        if bytes.prefix(1_024).contains(0) { return "a binary file" }
        let line = bytes.split(separator: ASCII.lineFeed).first.map(Array.init) ?? []
        let shown = line.withUnsafeBufferPointer { StrangeLine.text($0) }
        return bytes.first == ASCII.openBrace
            ? "JSON that begins with \(quoted: shown)" : "text that begins with \(quoted: shown)"
    }
}

/// The text of a file.
enum SourceText {
    /// The largest file but a log, in MiB.
    static let maximumSize = 512 << 20

    /// UTF-8 without a byte order mark. Google Play's tables are UTF-16.
    static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: RowInput.byteOrderMark) { return Array(bytes.dropFirst(RowInput.byteOrderMark.count)) }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        var units: [UInt16] = []
        for index in stride(from: 2, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittle ? second << 8 | first : first << 8 | second)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
