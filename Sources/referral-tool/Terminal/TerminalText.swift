/// Rows for a terminal, which would interpret the control characters in them.
enum TerminalText {
    /// Rows with escapes, such as `\u{1B}`, except for line ends and tabs. JSON uses its own escapes, so it stays valid. Bytes that are
    /// not UTF-8 become U+FFFD.
    static func escaped(rows bytes: Bytes, of format: RowFormat) -> String {
        bytes.string.replacing("\r\n", with: "\n").unicodeScalars.reduce(into: "") { shown, scalar in
            if !scalar.isDisplayControl || scalar == "\n" || scalar == "\t" {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += format == .jsonl ? JSONText.escape(scalar.value) : scalar.escape
            }
        }
    }
}

extension ByteStream {
    /// Writes a message to standard error that doesn't end the command. If it can't be written, the command continues.
    static func note(_ message: Sentence) {
        try? error.write("referral-tool: \(message.text)\n")
    }

    /// Writes rows. A terminal gets escapes for all characters that it would interpret.
    func write(_ rows: Bytes, of format: RowFormat) throws(ToolError) {
        if isTerminal {
            try write(TerminalText.escaped(rows: rows, of: format))
        } else {
            try write(rows)
        }
    }

    func write(_ rows: String, of format: RowFormat) throws(ToolError) {
        try rows.withUTF8Bytes { rows throws(ToolError) in try write(rows, of: format) }
    }
}

/// Numbers for people.
enum CountText {
    /// `1 row`, `1,234 rows`.
    static func count(_ count: Int, _ name: String) -> String { "\(grouped(count)) \(name)\(count == 1 ? "" : "s")" }

    /// `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digits[index])
        }
    }
}

/// JSON for a terminal: members in the given order, with escapes for all characters that a terminal would interpret.
enum JSONText {
    static func object(_ members: [(name: String, value: String)]) -> String {
        JSONWriter.object(members, quote: string)
    }

    static func string(_ text: String) -> String {
        var buffer = ByteBuffer(capacity: text.utf8.count + 2)
        text.withUTF8Bytes { append(quoting: $0, to: &buffer) }
        return buffer.bytes.string
    }

    /// Appends UTF-8 in quotation marks.
    static func append(quoting text: Bytes, to buffer: inout ByteBuffer) {
        buffer.append(ASCII.quote)
        var (start, position) = (0, 0)
        while let index = text[position...].firstIndex(where: mayNeedEscape) {
            position = index + 1
            if text[index] == ASCII.quote || text[index] == ASCII.backslash {
                buffer.append(text.part(start..<index))
                buffer.append(ASCII.backslash)
                start = index
            } else if let scalar = text.part(index..<min(index + 3, text.count)).string.unicodeScalars.first,
                scalar.isDisplayControl
            {
                buffer.append(text.part(start..<index))
                buffer.append(escape(scalar.value))
                start = index + UTF8.width(scalar)
            }
        }
        buffer.append(text.part(start..<text.count))
        buffer.append(ASCII.quote)
    }

    /// Whether a character that needs an escape may begin with a byte. Those that a terminal would interpret begin with the last ones.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
            || byte >= 0x7F && (byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2)
    }

    /// The escape of a character.
    static func escape(_ code: UInt32) -> String {
        let digits = String(code, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
