/// Decodes the character references in an attribute's value.
///
/// It supports all numeric references. Of the 2,231 named ones, it supports those that occur in addresses:
/// `&amp; &lt; &gt; &quot; &apos;`, white space and ASCII punctuation. The others are unchanged. As in HTML, some don't need a
/// semicolon, unless `=`, a letter or a digit follows, so `?a=1&lt=2` is still an address.
package enum CharacterReferences {
    package static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.contains(ASCII.ampersand) ? decodedBytes(bytes).bytes[...] : bytes, as: UTF8.self)
    }

    /// The decoded bytes, and their original offsets.
    static func decodedBytes(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], offsets: [Int]) {
        var (text, offsets): ([UInt8], [Int]) = ([], [])
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let reference = bytes[position] == ASCII.ampersand ? reference(bytes[position...]) : nil
            let decoded = reference.map { Array(String($0.scalar).utf8) } ?? [bytes[position]]
            text += decoded
            offsets += decoded.map { _ in position }
            position += reference?.length ?? 1
        }
        return (text, offsets)
    }

    /// The character of a reference, and the reference's length.
    private static func reference(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        bytes.dropFirst().first == ASCII.hash ? numeric(bytes) : named(bytes)
    }

    private static func numeric(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        let isHexadecimal = bytes.dropFirst(2).first?.lowercased == UInt8(ascii: "x")
        let digits = bytes.dropFirst(isHexadecimal ? 3 : 2)
            .prefix { isHexadecimal ? ASCII.hexadecimalValue($0) != nil : ASCII.isDigit($0) }
        guard !digits.isEmpty else { return nil }
        let length = digits.endIndex - bytes.startIndex + (bytes[digits.endIndex...].first == ASCII.semicolon ? 1 : 0)
        let figures = String(decoding: digits.drop { $0 == UInt8(ascii: "0") }.prefix(9), as: UTF8.self)
        let scalar = UInt32(figures, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
        return (scalar ?? "\u{FFFD}", length)
    }

    private static func named(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        let name = bytes.dropFirst().prefix(maximumNameLength).prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
        let next = bytes[name.endIndex...].first
        let text = String(decoding: name, as: UTF8.self)
        if next == ASCII.semicolon { return (names[text] ?? oldNames[text]).map { ($0, name.count + 2) } }
        guard let scalar = oldNames[text] else { return nil }
        if let next, next == ASCII.equals || ASCII.isDigit(next) || ASCII.isLetter(next) { return nil }
        return (scalar, name.count + 1)
    }

    private static let maximumNameLength = 8

    private static let names: [String: Unicode.Scalar] = [
        "apos": "'", "Tab": "\t", "NewLine": "\n", "excl": "!", "num": "#", "dollar": "$", "percnt": "%", "lpar": "(",
        "rpar": ")", "ast": "*", "plus": "+", "comma": ",", "period": ".", "sol": "/", "colon": ":", "semi": ";",
        "equals": "=", "quest": "?", "commat": "@", "lsqb": "[", "lbrack": "[", "bsol": "\\", "rsqb": "]",
        "rbrack": "]",
        "Hat": "^", "lowbar": "_", "grave": "`", "lcub": "{", "lbrace": "{", "verbar": "|", "vert": "|", "rcub": "}",
        "rbrace": "}",
    ]

    /// The names that need no semicolon.
    private static let oldNames: [String: Unicode.Scalar] = [
        "amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": "\"", "QUOT": "\"",
        "nbsp": "\u{A0}", "shy": "\u{AD}",
    ]
}
