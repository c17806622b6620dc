/// JSON for a terminal: members in the given order, with escapes for all characters that a terminal would interpret.
enum JSONText {
    static func object(_ members: [(name: String, value: String)]) -> String {
        JSONWriter.object(members, quote: string)
    }

    /// An object of a referral's parameters.
    static func parameters(of referral: Referral) -> String {
        object(referral.sortedParameters.map { ($0.name, string($0.value)) })
    }

    static func string(_ text: String) -> String {
        if text.withUTF8Bytes(isPlain) { return "\"\(text)\"" }
        let quoted = text.unicodeScalars.reduce(into: "") { quoted, scalar in
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return "\"" + TerminalText.escaped(quoted, as: { escape($0.value) }) + "\""
    }

    /// Whether text is ASCII that needs no escape.
    static func isPlain(_ text: Bytes) -> Bool {
        text.allSatisfy { 0x20..<0x7F ~= $0 && $0 != ASCII.quote && $0 != ASCII.backslash }
    }

    /// Appends UTF-8 in quotation marks.
    static func append(quoting text: Bytes, isPlain isKnownPlain: Bool = false, to buffer: inout ByteBuffer) {
        guard isKnownPlain || isPlain(text) else { return buffer.append(string(text.string)) }
        buffer.append(ASCII.quote)
        buffer.append(text)
        buffer.append(ASCII.quote)
    }

    /// Appends a string of another JSON text. Most strings are copied, since this form would be the same.
    static func append(_ value: JSONValue, to buffer: inout ByteBuffer) {
        guard isOwnForm(value.encoded) else { return buffer.append(string(value.content)) }
        buffer.append(ASCII.quote)
        buffer.append(value.encoded)
        buffer.append(ASCII.quote)
    }

    /// Whether all escapes are needed, and no character needs another one.
    private static func isOwnForm(_ encoded: Bytes) -> Bool {
        var index = 0
        while index < encoded.count {
            let byte = encoded[index]
            index += 1
            switch byte {
            case ASCII.backslash:
                guard encoded[index] == ASCII.quote || encoded[index] == ASCII.backslash else { return false }
                index += 1
            // The characters that a terminal would interpret begin with these bytes.
            case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2: return false
            default: break
            }
        }
        return true
    }

    /// The escape of a character.
    static func escape(_ code: UInt32) -> String {
        let digits = String(code, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
