/// A pattern of an association file: `*` stands for any number of characters, `?` for exactly one, and `$(name)` for a
/// variable.
struct AssociationPattern {
    /// A part of a pattern, or of a text. A text consists of characters.
    enum Token: Hashable {
        case character(Unicode.Scalar)
        case anyCharacter
        case anyText
        /// A predefined variable that stands for one character.
        case oneOf(CharacterVariable)
        /// A variable that stands for one of several texts. Its name may be unknown.
        case variable(String)
    }

    enum CharacterVariable: String {
        case alpha, upper, lower, alnum, digit, xdigit
    }

    let tokens: [Token]

    init(tokens: [Token]) { self.tokens = tokens }

    /// Reads a pattern.
    init(_ text: String, ignoringCase: Bool = false) {
        let scalars = Array(text.unicodeScalars)
        // Without it, each `$(` could look for an end that doesn't exist.
        let lastParenthesis = scalars.lastIndex(of: ")") ?? 0
        var tokens: [Token] = []
        var position = 0
        while position < scalars.count {
            let scalar = scalars[position]
            position += 1
            switch scalar {
            case "*": if tokens.last != .anyText { tokens.append(.anyText) }
            case "?": tokens.append(.anyCharacter)
            case "$" where position < lastParenthesis && scalars[position] == "(":
                let end = scalars[position...].firstIndex(of: ")") ?? scalars.endIndex
                var name = ""
                name.unicodeScalars += scalars[(position + 1)..<end]
                tokens.append(CharacterVariable(rawValue: name).map(Token.oneOf) ?? .variable(name))
                position = end + 1
            default: tokens.append(.character(ignoringCase ? scalar.foldedCase : scalar))
            }
        }
        self.tokens = tokens
    }

    /// The tokens of a text, which has no wildcards.
    static func text(_ text: some StringProtocol, ignoringCase: Bool = false) -> [Token] {
        text.unicodeScalars.map { .character(ignoringCase ? $0.foldedCase : $0) }
    }

    /// Whether the pattern matches every text.
    var isAnyText: Bool { tokens == [.anyText] }
}

/// The variables of an association file, and whether letter case matters.
struct AssociationVariables {
    let values: [String: [AssociationPattern]]
    let ignoresCase: Bool

    /// - Parameters:
    ///   - values: The values of `substitutionVariables`, which may contain wildcards but no variables.
    ///   - ignoresCase: Whether letter case doesn't matter.
    init(_ values: [String: [String]], ignoresCase: Bool) {
        self.values = values.mapValues { texts in
            texts.map { text in
                AssociationPattern(
                    tokens: text.unicodeScalars.map { scalar in
                        switch scalar {
                        case "*": .anyText
                        case "?": .anyCharacter
                        default: .character(ignoresCase ? scalar.foldedCase : scalar)
                        }
                    }
                )
            }
        }
        .merging(ignoresCase ? AssociationNames.foldedPatterns : AssociationNames.patterns) { $1 }
        self.ignoresCase = ignoresCase
    }
}

/// Matches patterns with one text. The text may itself be a pattern: if it matches, every text of that pattern does.
///
/// A match never goes back: it keeps the ends of all partial matches. So its time grows with the length of the pattern,
/// including the values of its variables, times the length of the text. The ends after a variable are remembered.
struct AssociationMatcher {
    private struct Step: Hashable {
        let variable: String
        let starts: [Int]
    }

    private let text: [AssociationPattern.Token]
    private let variables: AssociationVariables
    private var known: [Step: [Int]] = [:]

    init(_ text: [AssociationPattern.Token], _ variables: AssociationVariables) {
        self.text = text
        self.variables = variables
    }

    mutating func matches(_ pattern: AssociationPattern) -> Bool {
        if pattern.isAnyText { return true }
        // Most patterns differ at one of their ends.
        guard agrees(pattern.tokens, text), agrees(pattern.tokens.reversed(), text.reversed()) else { return false }
        return ends(of: pattern, from: [0]).last == text.count
    }

    /// Whether a text begins with the characters before a pattern's first wildcard.
    private func agrees(
        _ pattern: some Collection<AssociationPattern.Token>,
        _ text: some Collection<AssociationPattern.Token>
    ) -> Bool {
        for (token, other) in zip(pattern, text) {
            guard case .character = token else { return true }
            guard token == other else { return false }
        }
        return true
    }

    /// The positions after all texts of the pattern that begin at one of some positions, in ascending order.
    private mutating func ends(of pattern: AssociationPattern, from starts: [Int]) -> [Int] {
        var positions = starts
        for token in pattern.tokens {
            guard let first = positions.first else { break }
            switch token {
            case .anyText: positions = Array(first...text.count)
            case .variable(let name): positions = ends(of: name, from: positions)
            default: positions = positions.compactMap { $0 < text.count && covers(token, text[$0]) ? $0 + 1 : nil }
            }
        }
        return positions
    }

    private mutating func ends(of variable: String, from starts: [Int]) -> [Int] {
        let step = Step(variable: variable, starts: starts)
        if let ends = known[step] { return ends }
        // In a pattern, the variable is a token of its own.
        var ends = Set(starts.filter { $0 < text.count && text[$0] == .variable(variable) }.map { $0 + 1 })
        for value in variables.values[variable] ?? [] { ends.formUnion(self.ends(of: value, from: starts)) }
        let sorted = ends.sorted()
        known[step] = sorted
        return sorted
    }

    /// Whether a token for one character stands for every text of another token.
    private func covers(_ token: AssociationPattern.Token, _ other: AssociationPattern.Token) -> Bool {
        switch (token, other) {
        case (.anyCharacter, .character), (.anyCharacter, .anyCharacter), (.anyCharacter, .oneOf): true
        case (.oneOf(let variable), .character(let scalar)):
            variable.contains(scalar, ignoresCase: variables.ignoresCase)
        default: token == other
        }
    }
}

extension AssociationPattern.CharacterVariable {
    func contains(_ scalar: Unicode.Scalar, ignoresCase: Bool) -> Bool {
        guard let byte = UInt8(exactly: scalar.value) else { return false }
        let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        return switch self {
        case .alpha: ASCII.isLetter(byte)
        case .upper: ASCII.isLetter(byte) && (isUpper || ignoresCase)
        case .lower: ASCII.isLetter(byte) && (!isUpper || ignoresCase)
        case .alnum: ASCII.isLetter(byte) || ASCII.isDigit(byte)
        case .digit: ASCII.isDigit(byte)
        case .xdigit: ASCII.hexadecimalValue(byte) != nil
        }
    }
}

private extension Unicode.Scalar {
    /// The scalar in lowercase, if that is one scalar.
    var foldedCase: Unicode.Scalar {
        if isASCII { return Unicode.Scalar(ASCII.lowercased(UInt8(value))) }
        let mapping = properties.lowercaseMapping.unicodeScalars
        return mapping.count == 1 ? mapping.first ?? self : self
    }
}
