/// A pattern of an association file: `*` stands for any number of characters, `?` for exactly one, and `$(name)` for a
/// variable.
struct AssociationPattern {
    enum Token: Equatable {
        case character(Unicode.Scalar)
        case anyCharacter
        case anyText
        /// A variable that stands for one of several texts. Its name may be unknown.
        case variable(String)
    }

    private(set) var tokens: [Token] = []

    /// Reads a pattern. The values of variables contain no variables.
    init(_ text: String, ignoringCase: Bool, hasVariables: Bool = true) {
        let scalars = Array(text.unicodeScalars)
        // Without it, each `$(` could look for an end that doesn't exist.
        let lastParenthesis = hasVariables ? scalars.lastIndex(of: ")") ?? 0 : 0
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
                tokens.append(.variable(name))
                position = end + 1
            default: tokens.append(.character(ignoringCase ? scalar.foldedCase : scalar))
            }
        }
    }

    /// Whether the pattern matches every text.
    var isAnyText: Bool { tokens == [.anyText] }
}

/// Matches patterns with one text.
///
/// A match never goes back: it keeps the ends of all partial matches. So its time grows with the length of the pattern,
/// including the values of its variables, times the length of the text. The ends after a variable are remembered.
final class AssociationMatcher {
    private struct Step: Hashable {
        let variable: String
        let starts: [Int]
    }

    private let text: [Unicode.Scalar]
    private let variables: [String: [String]]
    private let ignoresCase: Bool
    private var known: [Step: [Int]] = [:]

    /// Creates a matcher for a text, with the values of a file's variables.
    init(_ text: String, _ variables: [String: [String]], ignoringCase: Bool) {
        self.text = text.unicodeScalars.map { ignoringCase ? $0.foldedCase : $0 }
        self.variables = variables
        ignoresCase = ignoringCase
    }

    func matches(_ pattern: AssociationPattern) -> Bool {
        pattern.isAnyText || ends(of: pattern, from: [0]).last == text.count
    }

    /// The positions after all texts of the pattern that begin at one of some positions, in ascending order.
    private func ends(of pattern: AssociationPattern, from starts: [Int]) -> [Int] {
        var positions = starts
        for token in pattern.tokens {
            guard let first = positions.first else { break }
            switch token {
            case .anyText: positions = Array(first...text.count)
            case .variable(let name): positions = ends(of: name, from: positions)
            case .anyCharacter: positions = positions.filter { $0 < text.count }.map { $0 + 1 }
            case .character(let scalar):
                positions = positions.filter { $0 < text.count && text[$0] == scalar }.map { $0 + 1 }
            }
        }
        return positions
    }

    private func ends(of variable: String, from starts: [Int]) -> [Int] {
        let step = Step(variable: variable, starts: starts)
        if let ends = known[step] { return ends }
        // A file can't change the predefined variables.
        let values = (AssociationNames.values[variable] ?? variables[variable] ?? [])
            .map { AssociationPattern($0, ignoringCase: ignoresCase, hasVariables: false) }
        let ends = Set(values.flatMap { self.ends(of: $0, from: starts) }).sorted()
        known[step] = ends
        return ends
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
