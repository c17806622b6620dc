/// The symbols of invite codes.
package enum CodeSymbols {
    /// The number of symbols in a code, including the check symbols.
    package static let count = 12

    /// Crockford's base32 alphabet.
    package static var alphabet: Bytes { ("0123456789ABCDEFGHJKMNPQRSTVWXYZ" as StaticString).utf8 }

    /// The symbols in a text that a person typed or pasted; `nil` if it has other characters.
    package static func read(_ text: String) -> [BinaryField32]? {
        var symbols: [BinaryField32] = []
        for scalar in text.unicodeScalars.trimmingWhiteSpace where !isSkipped(scalar) {
            guard let symbol = symbol(scalar) else { return nil }
            symbols.append(symbol)
        }
        return symbols
    }

    /// Whether symbols are a code: there are twelve of them, with the right check symbols.
    package static func areCode(_ symbols: [BinaryField32]) -> Bool {
        symbols.count == count && checkSum(symbols, 1) == .zero && checkSum(symbols, 2) == .zero
    }

    /// The sum of `cᵢ αⁱ`, with the factor 1, or of `cᵢ α²ⁱ`, with 2. Both are zero for the twelve symbols of a code.
    package static func checkSum(_ symbols: [BinaryField32], _ factor: Int) -> BinaryField32 {
        var sum = BinaryField32.zero
        for (index, symbol) in symbols.enumerated() { sum = sum + symbol * .power(factor * index) }
        return sum
    }

    /// Whether the character may be between the symbols of a code.
    package static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "-", ".", "\u{2010}"..."\u{2015}": true
        default: false
        }
    }

    package static func symbol(_ scalar: Unicode.Scalar) -> BinaryField32? {
        scalar.isASCII ? symbols[Int(scalar.value)] : nil
    }

    /// The symbol of each ASCII character.
    private static let symbols: [BinaryField32?] = (0..<128).map { character in
        let letter = ASCII.lowercased(UInt8(character))
        let byte =
            switch letter {
            case UInt8(ascii: "o"): UInt8(ascii: "0")
            case UInt8(ascii: "i"), UInt8(ascii: "l"): UInt8(ascii: "1")
            default: letter
            }
        return alphabet.firstIndex { ASCII.lowercased($0) == byte }.map { BinaryField32(UInt8($0)) }
    }
}

private extension String.UnicodeScalarView {
    /// The characters without white space at both ends, as Unicode defines it.
    var trimmingWhiteSpace: SubSequence {
        var rest = drop { $0.properties.isWhitespace }
        while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
        return rest
    }
}
