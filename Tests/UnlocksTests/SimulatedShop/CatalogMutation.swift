import SimulatedRuntime

/// A text of JSON, changed as by a typing error or by somebody who means harm.
///
/// Most changes leave JSON: a value is another one, or one that nobody expects, or an object is left out or there twice.
struct CatalogMutation {
    enum Class { case string, number, punctuation }

    /// A string, a number, or a character between them.
    struct Token {
        var text: String
        let kind: Class
    }

    private var tokens: [Token]
    private var random: SeededGenerator

    /// The text with one to three changes, always the same ones for a seed.
    static func text(of tokens: [Token], seed: UInt64) -> [UInt8] {
        var mutation = CatalogMutation(tokens: tokens, random: SeededGenerator(state: seed))
        for _ in 0..<mutation.any([1, 1, 1, 2, 3]) { mutation.change() }
        var bytes = mutation.tokens.flatMap(\.text.utf8)
        if mutation.number(below: 16) == 0 {
            bytes[mutation.number(below: bytes.count)] = UInt8(mutation.number(below: 256))
        }
        if mutation.number(below: 40) == 0 { bytes.removeLast(mutation.number(below: bytes.count)) }
        return bytes
    }

    static func tokens(of text: String) -> [Token] {
        var (tokens, rest): ([Token], _) = ([], Substring(text))
        while let first = rest.first {
            let end: Substring.Index
            let kind: Class
            switch first {
            case "\"":
                // There is no escape in it.
                end = rest.dropFirst().firstIndex(of: "\"").map { rest.index(after: $0) } ?? rest.endIndex
                kind = .string
            case "0"..."9":
                end = rest.firstIndex { !$0.isNumber } ?? rest.endIndex
                kind = .number
            default:
                end = rest.index(after: rest.startIndex)
                kind = .punctuation
            }
            if !first.isWhitespace { tokens.append(Token(text: String(rest[..<end]), kind: kind)) }
            rest = rest[end...]
        }
        return tokens
    }

    private mutating func number(below end: Int) -> Int { Int.random(in: 0..<max(1, end), using: &random) }

    private mutating func any<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// The places of the tokens of a class.
    private func places(of kind: Class) -> [Int] { tokens.indices.filter { tokens[$0].kind == kind } }

    private mutating func change() {
        let kind: Class = any([.string, .string, .number])
        let place = any(places(of: kind))
        switch number(below: 16) {
        case ..<4: tokens[place].text = tokens[any(places(of: kind))].text
        case ..<8: tokens[place].text = any(kind == .string ? Self.strings : Self.numbers)
        case ..<9: tokens.swapAt(place, any(places(of: kind)))
        case ..<10: tokens.remove(at: number(below: tokens.count))
        case ..<12: insert(any(Self.members))
        case ..<14: removeObject()
        default: repeatObject()
        }
    }

    /// An object within another one, with the comma after it.
    private mutating func anyObject() -> Range<Int>? {
        let begins = tokens.indices.dropFirst().filter { tokens[$0].text == "{" }
        guard !begins.isEmpty else { return nil }
        let begin = any(begins)
        var depth = 0
        for place in tokens.indices[begin...] {
            if tokens[place].text == "{" { depth += 1 }
            if tokens[place].text == "}" { depth -= 1 }
            guard depth == 0 else { continue }
            let hasComma = place + 1 < tokens.count && tokens[place + 1].text == ","
            return begin..<place + (hasComma ? 2 : 1)
        }
        return nil
    }

    private mutating func removeObject() {
        guard let object = anyObject() else { return }
        tokens.removeSubrange(object)
        // The last one leaves the comma before it.
        let end = object.lowerBound
        if end < tokens.count, tokens[end].text == "]", tokens[end - 1].text == "," { tokens.remove(at: end - 1) }
    }

    private mutating func repeatObject() {
        guard let object = anyObject() else { return }
        var copy = Array(tokens[object])
        if copy.last?.text == "}" { copy.append(Token(text: ",", kind: .punctuation)) }
        tokens.insert(contentsOf: copy, at: object.lowerBound)
    }

    /// A member of an object gets a brother.
    private mutating func insert(_ member: String) {
        guard let object = anyObject() else { return }
        tokens.insert(Token(text: member + ",", kind: .punctuation), at: object.lowerBound + 1)
    }

    private static let strings: [String] = [
        "", "../../Library", "gold ", "Gold", String(repeating: "\u{301}", count: 200), "e\u{301}", "\u{202E}dlog",
        String(repeating: "x", count: 300), "\\u0000", "day", "nonRenewing", "trial", "consumable", "allowance",
        "gold", "hints", "guest", "lounge", "studio", "https://files.example/\u{301}",
    ].map { "\"\($0)\"" }

    private static let numbers = [
        "0", "-1", "1", "2", "7", "365", "3650", "1000000", "1000001", "9007199254740991", "9223372036854775808",
        "1e308", "1.5", "null", "true", "[]", "{}", "\"5\"",
    ]

    private static let members = [
        #""enabled":false"#, #""minVersion":"9""#, #""maxVersion":"1""#, #""platforms":["macOS"]"#,
        #""includedIn":["full"]"#, #""free":true"#, #""amount":3"#, #""days":2"#, #""product":"gold""#,
        #""kind":"subscription""#, #""grants":["gold"]"#, #""files":[]"#, #""signed":true"#, #""every":1"#,
    ]
}
