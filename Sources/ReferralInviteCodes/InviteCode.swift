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
public struct InviteCode: Sendable, Hashable {
    /// The number of symbols, including the check symbols.
    public static let symbolCount = CodeSymbols.count

    /// The number of random symbols.
    package static let randomSymbolCount = 10

    /// The code in upper case, with hyphens after the fourth and the eighth symbol.
    public let text: String

    /// Makes a new code from the system's random numbers.
    public static func random() -> InviteCode {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    package static func random(using generator: inout some RandomNumberGenerator) -> InviteCode {
        let values = (0..<randomSymbolCount).map { _ in UInt8.random(in: 0..<32, using: &generator) }
        return InviteCode(random: values.map(BinaryField32.init))
    }

    /// Reads a code that a person typed or pasted.
    ///
    /// Letters may be in either case. `O` is read as `0`, and `I` and `L` as `1`. Spaces, hyphens and dots are skipped, and
    /// so is white space around the code.
    ///
    /// - Throws: ``InviteCodeError``, the first one that applies.
    public init(_ text: String) throws(InviteCodeError) {
        guard let symbols = CodeSymbols.read(text) else { throw .unexpectedCharacter }
        guard symbols.count == Self.symbolCount else { throw .wrongLength(symbols.count) }
        guard let code = InviteCode(checking: symbols) else { throw .mistyped }
        self = code
    }

    /// A referrer that is a code, in whatever spelling, as ``text`` writes it. Any other name remains unchanged.
    package static func canonical(_ referrer: String) -> String { (try? InviteCode(referrer))?.text ?? referrer }

    /// Creates a code of twelve symbols; `nil` if its check symbols are wrong.
    package init?(checking symbols: [BinaryField32]) {
        guard CodeSymbols.areCode(symbols) else { return nil }
        self.init(symbols: symbols)
    }

    /// Completes random symbols with their check symbols.
    package init(random symbols: [BinaryField32]) {
        // The check symbols are the solution of two linear equations: both sums of the code must be zero.
        let sums = (CodeSymbols.checkSum(symbols, 1), CodeSymbols.checkSum(symbols, 2))
        let (first, second) = (BinaryField32.power(Self.randomSymbolCount), BinaryField32.power(Self.symbolCount - 1))
        let check = (sums.1 + sums.0 * second) / (first * first + first * second)
        self.init(symbols: symbols + [check, (sums.0 + check * first) / second])
    }

    private init(symbols: [BinaryField32]) { text = Self.written(symbols) }

    /// Symbols with hyphens after the fourth and the eighth one.
    package static func written(_ symbols: [BinaryField32]) -> String {
        var bytes: [UInt8] = []
        for (index, symbol) in symbols.enumerated() {
            if index == 4 || index == 8 { bytes.append(ASCII.dash) }
            bytes.append(CodeSymbols.alphabet[Int(symbol.bits)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension InviteCode: Comparable {
    /// Whether the text of one code comes before that of another one.
    public static func < (left: InviteCode, right: InviteCode) -> Bool { left.text < right.text }
}

extension InviteCode: CustomStringConvertible {
    /// The same as ``text``.
    public var description: String { text }
}
