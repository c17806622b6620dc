/// Decodes the character references in an attribute's value.
///
/// It supports all numeric references. Of the 2,231 named ones, it supports those that occur in addresses and names:
/// `&amp; &lt; &gt; &quot; &apos;`, ASCII punctuation, and Latin-1 such as `&nbsp;` and `&eacute;`. The others are
/// unchanged. As in HTML, some don't need a semicolon, unless `=`, a letter or a digit follows, so `?a=1&copy=2` is
/// still an address.
package enum CharacterReferences {
    package static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(ASCII.ampersand) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        decode(bytes, text: { text += $0 }, reference: { scalar, _ in text += String(scalar).utf8 })
        return String(decoding: text, as: UTF8.self)
    }

    /// The decoded bytes, and their original offsets.
    static func decodedBytes(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], offsets: [Int]) {
        var (text, offsets): ([UInt8], [Int]) = ([], [])
        decode(
            bytes,
            text: {
                text += $0
                offsets += $0.indices
            },
            reference: { scalar, offset in
                text += String(scalar).utf8
                offsets += String(scalar).utf8.map { _ in offset }
            }
        )
        return (text, offsets)
    }

    private static func decode(
        _ bytes: ArraySlice<UInt8>,
        text: (ArraySlice<UInt8>) -> Void,
        reference decoded: (Unicode.Scalar, _ offset: Int) -> Void
    ) {
        var rest = bytes
        while let ampersand = rest.firstIndex(of: ASCII.ampersand) {
            text(rest[..<ampersand])
            rest = rest[ampersand...]
            if let (scalar, length) = reference(rest) {
                decoded(scalar, ampersand)
                rest = rest.dropFirst(length)
            } else {
                text(rest.prefix(1))
                rest = rest.dropFirst()
            }
        }
        text(rest)
    }

    /// The character of a reference, and the reference's length.
    private static func reference(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        bytes.dropFirst().first == ASCII.hash ? numeric(bytes) : named(bytes)
    }

    private static func numeric(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        let isHexadecimal = bytes.dropFirst(2).first?.lowercased == UInt8(ascii: "x")
        let digits = bytes.dropFirst(isHexadecimal ? 3 : 2).prefix {
            ASCII.isDigit($0) || isHexadecimal && 0..<6 ~= $0.lowercased &- UInt8(ascii: "a")
        }
        guard !digits.isEmpty else { return nil }
        let length = digits.endIndex - bytes.startIndex + (bytes[digits.endIndex...].first == ASCII.semicolon ? 1 : 0)
        let figures = String(decoding: digits.drop { $0 == UInt8(ascii: "0") }.prefix(9), as: UTF8.self)
        let value = figures.isEmpty ? 0 : UInt32(figures, radix: isHexadecimal ? 16 : 10) ?? .max
        let scalar = value == 0 ? nil : Unicode.Scalar(windows1252[value] ?? value)
        return (scalar ?? "\u{FFFD}", length)
    }

    private static func named(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        let name = bytes.dropFirst().prefix(maximumNameLength).prefix { $0.isLetter || ASCII.isDigit($0) }
        let next = bytes[name.endIndex...].first
        let text = String(decoding: name, as: UTF8.self)
        if next == ASCII.semicolon {
            return (names[text] ?? oldNames[text]).map { ($0, name.count + 2) }
        }
        guard let scalar = oldNames[text] else { return nil }
        if let next, next == ASCII.equals || ASCII.isDigit(next) || next.isLetter { return nil }
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
    private static let oldNames: [String: Unicode.Scalar] = {
        var names: [String: Unicode.Scalar] = [
            "amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": "\"", "QUOT": "\"",
            "COPY": "\u{A9}", "REG": "\u{AE}",
        ]
        for (index, name) in latin1.split(whereSeparator: \.isWhitespace).enumerated() {
            names[String(name)] = Unicode.Scalar(UInt8(0xA0 + index))
        }
        return names
    }()

    /// The names of U+00A0 to U+00FF, in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
        deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
        Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml
        ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
        eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    /// The characters of the numbers 128 to 159 in the HTML standard, in place of control characters.
    private static let windows1252: [UInt32: UInt32] = [
        0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021, 0x88: 0x02C6,
        0x89: 0x2030, 0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152, 0x8E: 0x017D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C,
        0x94: 0x201D, 0x95: 0x2022, 0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC, 0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A,
        0x9C: 0x0153, 0x9E: 0x017E, 0x9F: 0x0178,
    ]
}
