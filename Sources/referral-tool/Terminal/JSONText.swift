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
        var start = 0
        for (index, byte) in text.enumerated() {
            switch byte {
            case ASCII.quote, ASCII.backslash:
                buffer.append(text.part(start..<index))
                buffer.append(ASCII.backslash)
                start = index
            // The characters that a terminal would interpret begin with these bytes.
            case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2:
                let scalars = String(decoding: text[index...].prefix(3), as: UTF8.self).unicodeScalars
                guard let scalar = scalars.first, scalar.isDisplayControl else { continue }
                buffer.append(text.part(start..<index))
                buffer.append(escape(scalar.value))
                start = index + UTF8.width(scalar)
            default: continue
            }
        }
        buffer.append(text.part(start..<text.count))
        buffer.append(ASCII.quote)
    }

    /// The escape of a character.
    static func escape(_ code: UInt32) -> String {
        let digits = String(code, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
