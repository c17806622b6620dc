/// A code that stands for a person who invites others, such as `4F7K-9Q2M-XRKQ`.
///
/// ```swift
/// let code = try InviteCode("4f7k 9q2m xrkq")
/// code.text  // 4F7K-9Q2M-XRKQ
/// ```
///
/// A code has 12 symbols of Crockford's base32 alphabet: ten random ones and two check symbols. One wrong symbol, two
/// wrong symbols, and two symbols in each other's place are always detected.
///
/// With 10 million people, the chance that two of them have the same code is about 4 in 100. So a code names a person only
/// within one program.
public struct InviteCode: Sendable, Hashable, CustomStringConvertible {
    /// The number of symbols, including the check symbols.
    public static let symbolCount = 12

    /// The number of random symbols.
    package static let randomSymbolCount = 10

    /// The code in upper case, with hyphens after the fourth and the eighth symbol.
    public let text: String

    /// The same as ``text``.
    public var description: String { text }

    /// Makes a new code from the system's random numbers.
    public static func random() -> InviteCode {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    package static func random(using generator: inout some RandomNumberGenerator) -> InviteCode {
        InviteCode(random: (0..<randomSymbolCount).map { _ in UInt8.random(in: 0..<32, using: &generator) })
    }

    /// Reads a code that a person typed or pasted.
    ///
    /// Letters may be in either case. `O` is read as `0`, and `I` and `L` as `1`. Spaces, hyphens and dots are skipped, and
    /// so is white space around the code.
    ///
    /// - Throws: ``InviteCodeError``, the first one that applies.
    public init(_ text: String) throws(InviteCodeError) {
        var (rest, symbols) = (text.unicodeScalars.drop { $0.properties.isWhitespace }, [UInt8]())
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        for scalar in rest where !Self.isSkipped(scalar) {
            guard let symbol = Self.symbol(scalar) else { throw .unexpectedCharacter }
            symbols.append(symbol)
        }
        guard symbols.count == Self.symbolCount else { throw .wrongLength(symbols.count) }
        guard Self.areCode(symbols) else { throw .mistyped }
        self.text = Self.written(symbols)
    }

    /// Completes random symbols with their check symbols, with which both sums of the code are zero.
    package init(random symbols: [UInt8]) {
        let sums = (Self.checkSum(symbols, 1), Self.checkSum(symbols, 2))
        // The solution of both equations: c₁₀ = (s₂ + s₁α¹¹) / (α²⁰ + α²¹), and c₁₁ = (s₁ + c₁₀α¹⁰) / α¹¹. Here, α³¹ is 1.
        let first = Self.product(sums.1 ^ Self.product(sums.0, 11), 24)
        let second = Self.product(sums.0 ^ Self.product(first, 10), 20)
        text = Self.written(symbols + [first, second])
    }

    /// A referrer that is a code, in whatever spelling, as ``text`` writes it. Any other name remains unchanged.
    package static func canonical(_ referrer: String) -> String { (try? InviteCode(referrer))?.text ?? referrer }
}

// MARK: - Symbols

/// A symbol is a number of the finite field with 32 elements, with the polynomial x⁵ + x² + 1 and α = 2.
extension InviteCode {
    /// Crockford's base32 alphabet.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The symbol that a character stands for; `nil` if it isn't one.
    package static func symbol(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.isASCII else { return nil }
        let letter = ASCII.lowercased(UInt8(scalar.value))
        switch letter {
        case UInt8(ascii: "o"): return 0
        case UInt8(ascii: "i"), UInt8(ascii: "l"): return 1
        default: return alphabet.firstIndex(of: letter).map { UInt8($0) }
        }
    }

    /// Whether a character may be between the symbols of a code.
    package static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "-", ".", "\u{2010}"..."\u{2015}": true
        default: false
        }
    }

    /// Symbols with hyphens after the fourth and the eighth one.
    package static func written(_ symbols: [UInt8]) -> String {
        var bytes: [UInt8] = []
        for (index, symbol) in symbols.enumerated() {
            if index == 4 || index == 8 { bytes.append(ASCII.dash) }
            bytes.append(alphabet[Int(symbol)])
        }
        return String(decoding: bytes, as: UTF8.self).uppercased()
    }

    /// Whether twelve symbols have the right check symbols.
    package static func areCode(_ symbols: [UInt8]) -> Bool { checkSum(symbols, 1) == 0 && checkSum(symbols, 2) == 0 }

    /// The sum of `cᵢ αⁱ`, with the factor 1, or of `cᵢ α²ⁱ`, with 2. Both are zero for the symbols of a code.
    private static func checkSum(_ symbols: [UInt8], _ factor: Int) -> UInt8 {
        symbols.reversed().reduce(0) { product($0, factor) ^ $1 }
    }

    /// A symbol times αⁿ.
    private static func product(_ symbol: UInt8, _ exponent: Int) -> UInt8 {
        (0..<exponent).reduce(symbol) { product, _ in product < 16 ? product << 1 : product << 1 ^ 0b100101 }
    }
}
