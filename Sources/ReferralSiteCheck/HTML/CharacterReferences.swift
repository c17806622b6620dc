/// Decodes the character references in an attribute's value.
///
/// It supports all numeric references. Of the named ones, it supports those that occur in addresses and around texts; the others
/// are unchanged. As in HTML, most don't need a semicolon, unless `=`, a letter or a digit follows, so `?a=1&lt=2` is still an
/// address.
package enum CharacterReferences {
    package static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = bytes
        while let start = rest.firstIndex(of: ASCII.ampersand) {
            text += rest[..<start]
            let isNumeric = rest[start...].dropFirst().first == ASCII.hash
            let reference = isNumeric ? numeric(rest[start...]) : named(rest[start...])
            text += reference.map { Array(String($0.scalar).utf8) } ?? [ASCII.ampersand]
            rest = rest[(start + (reference?.length ?? 1))...]
        }
        return String(decoding: text + rest, as: UTF8.self)
    }

    /// The character of a reference, and the reference's length.
    private static func numeric(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        let isHexadecimal = bytes.dropFirst(2).first.map(ASCII.lowercased) == UInt8(ascii: "x")
        let digits = bytes.dropFirst(isHexadecimal ? 3 : 2)
            .prefix { isHexadecimal ? ASCII.hexadecimalValue($0) != nil : ASCII.isDigit($0) }
        guard !digits.isEmpty else { return nil }
        let length = digits.endIndex - bytes.startIndex + (bytes[digits.endIndex...].first == ASCII.semicolon ? 1 : 0)
        let figures = String(decoding: digits.drop { $0 == UInt8(ascii: "0") }.prefix(9), as: UTF8.self)
        let scalar = UInt32(figures, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
        return (scalar ?? "\u{FFFD}", length)
    }

    private static func named(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        // The longest name has 4 letters.
        let name = bytes.dropFirst().prefix(4).prefix { ASCII.isAlphanumeric($0) }
        let next = bytes[name.endIndex...].first
        let text = String(decoding: name, as: UTF8.self)
        if next == ASCII.semicolon, let scalar = text == "apos" ? "'" : names[text] { return (scalar, name.count + 2) }
        guard let scalar = names[text] else { return nil }
        if let next, next == ASCII.equals || ASCII.isDigit(next) || ASCII.isLetter(next) { return nil }
        return (scalar, name.count + 1)
    }

    /// The names that need no semicolon.
    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": "\"", "QUOT": "\"",
        "nbsp": "\u{A0}", "shy": "\u{AD}",
    ]
}
