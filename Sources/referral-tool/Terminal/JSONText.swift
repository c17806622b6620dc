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
    static func append(quoting text: Bytes, to buffer: inout ByteBuffer) {
        guard isPlain(text) else { return buffer.append(string(String(decoding: text, as: UTF8.self))) }
        buffer.append(ASCII.quote)
        buffer.append(text)
        buffer.append(ASCII.quote)
    }

    /// The escape of a character.
    static func escape(_ code: UInt32) -> String {
        let digits = String(code, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Any bytes as the content of a string. A byte that is not UTF-8 becomes half of a surrogate pair, `\udc80` to `\udcff`,
    /// as with Python's `surrogateescape`.
    static func content(ofAnyBytes bytes: some Collection<UInt8>) -> String {
        var content = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = bytes.startIndex
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                content += string(String(Unicode.UTF8.decode(encoded))).dropFirst().dropLast()
                position = bytes.index(position, offsetBy: encoded.count)
            case .error(let length):
                for _ in 0..<length {
                    content += "\\udc" + String(bytes[position], radix: 16)
                    position = bytes.index(after: position)
                }
            case .emptyInput:
                return content
            }
        }
    }
}
