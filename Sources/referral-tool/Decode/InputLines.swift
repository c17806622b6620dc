/// The lines of standard input as the strings of a pasteboard. LF or CRLF ends a line.
enum InputLines {
    /// The longest beginning of a line that isn't a link.
    private static let maximumText = 2_048

    static func forEach(areLinks: Bool = true, _ body: (String) -> Void) throws(ToolError) {
        let input = RowInput(.input, format: .txt, detectsEncoding: false)
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
        defer { buffer.deallocate() }
        var longLine = LongLine()
        while let chunk = try input.next(into: buffer) {
            switch chunk {
            case .rows(let bytes, _):
                var scanner = RowScanner(bytes, format: .txt)
                while let row = scanner.next() {
                    body(areLinks ? string(row.bytes, keepsText: true) : row.bytes.text ?? "")
                }
            case .piece(let bytes, let isFirst, let isLast):
                if let line = longLine.append(bytes, isFirst: isFirst, isLast: isLast) { body(line) }
            }
        }
    }

    /// A line as a string. A line that can't be a link becomes its beginning, for an explanation, or an empty string, and so does
    /// one that is not UTF-8.
    static func string(_ line: Bytes, keepsText: Bool) -> String {
        if StoreAddress.hasSupportedScheme(line) { return line.text ?? "" }
        return keepsText ? String(decoding: line.prefix(maximumText), as: UTF8.self) : ""
    }
}

/// A line that is longer than any row may be. Only the part that determines the verdict is kept.
struct LongLine {
    /// One byte more than the longest link.
    private static let limit = 65_537

    /// The bytes after leading white space, up to the limit.
    private var beginning: [UInt8] = []
    private var isUTF8 = true
    /// The beginning of a character that continues in the next piece.
    private var incomplete: [UInt8] = []
    /// Whether there is anything but white space after the limit.
    private var isTooLong = false

    /// Appends a piece. Returns the string to judge after the last one; a line that is not UTF-8 is an empty string, which isn't
    /// a link either.
    mutating func append(_ piece: Bytes, isFirst: Bool, isLast: Bool) -> String? {
        if isFirst { self = LongLine() }
        checkUTF8(incomplete + piece)
        var rest = piece[...]
        if beginning.isEmpty { rest = rest.drop(while: ASCII.isWhiteSpace) }
        let kept = rest.prefix(Self.limit - beginning.count)
        beginning += kept
        isTooLong = isTooLong || !rest[kept.endIndex...].allSatisfy(ASCII.isWhiteSpace)
        guard isLast else { return nil }
        guard isUTF8, incomplete.isEmpty else { return "" }
        return String(decoding: beginning, as: UTF8.self) + (isTooLong ? "…" : "")
    }

    private mutating func checkUTF8(_ bytes: [UInt8]) {
        let continuation = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
        let lead = bytes.dropLast(continuation).last ?? 0
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
        incomplete = length > continuation + 1 ? bytes.suffix(continuation + 1) : []
        isUTF8 = isUTF8 && bytes.withUnsafeBufferPointer { $0.part(0..<bytes.count - incomplete.count).text } != nil
    }
}
