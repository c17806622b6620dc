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
