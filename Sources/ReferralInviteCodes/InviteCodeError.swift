/// The reason why a text isn't a code.
public enum InviteCodeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text contains a character that no code contains, such as `U` or `/`.
    case unexpectedCharacter
    /// The text has this number of symbols, and a code has 12.
    case wrongLength(Int)
    /// The check symbols are wrong, so that at least one symbol is.
    case mistyped

    /// A sentence suitable for a log. It doesn't contain the text.
    public var description: String {
        switch self {
        case .unexpectedCharacter:
            "A code consists of digits and letters, without the letter U."
        case .wrongLength(let count):
            "A code has \(InviteCode.symbolCount) letters and digits, and this text has \(count)."
        case .mistyped: "A letter or digit of the code is wrong, or two are in each other's place."
        }
    }
}
