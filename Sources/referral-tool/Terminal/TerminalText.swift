/// Text for a terminal, which would interpret the control characters in it.
enum TerminalText {
    /// Escapes control characters, line and paragraph separators and bidirectional controls, such as `\u{1B}`.
    static func escaped(_ text: String) -> String { escaped(text, as: \.escape) }

    /// Escapes the same characters in another form, except for one of them.
    static func escaped(
        _ text: String,
        except kept: Unicode.Scalar? = nil,
        as escape: (Unicode.Scalar) -> String
    ) -> String {
        guard text.unicodeScalars.contains(where: \.isDisplayControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            if scalar.isDisplayControl, scalar != kept {
                shown += escape(scalar)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }

    /// Rows with escapes, except for line ends and the tabs between cells. JSON uses its own escapes, so it stays
    /// valid. Bytes that are not UTF-8 become U+FFFD.
    static func escaped(rows bytes: Bytes, of format: RowFormat) -> String {
        var shown = ""
        var scanner = RowScanner(bytes, format: format)
        while let row = scanner.next() {
            let text = String(decoding: row.bytes, as: UTF8.self)
            switch format {
            case .jsonl: shown += escaped(text, except: "\t", as: { JSONText.escape($0.value) })
            case .tsv, .csvWithTabs: shown += escaped(text, except: "\t", as: \.escape)
            case .csv, .csvWithSemicolons, .txt, .html: shown += escaped(text)
            }
            shown += String(decoding: row.lineEnd, as: UTF8.self)
        }
        return shown
    }
}

extension ByteStream {
    /// Writes a message to standard error that doesn't end the command. If it can't be written, the command continues.
    static func note(_ message: Sentence) {
        try? error.write("referral-tool: \(message.text)\n")
    }

    /// Writes rows. A terminal gets escapes for all characters that it would interpret.
    func write(_ rows: borrowing ByteBuffer, of format: RowFormat) throws(ToolError) {
        if isTerminal {
            try write(TerminalText.escaped(rows: rows.bytes, of: format))
        } else {
            try write(UnsafeRawBufferPointer(rows.bytes))
        }
    }
}
