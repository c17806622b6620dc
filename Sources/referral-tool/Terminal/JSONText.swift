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
