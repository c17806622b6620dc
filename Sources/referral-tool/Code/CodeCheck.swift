import ReferralInvitations

/// The check of one code.
struct CodeCheck {
    private let given: String
    /// The code in the given address; `nil` if the text isn't an address with one.
    private let named: String?
    private let item: String
    private let result: Result<InviteCode, InviteCodeError>
    /// The codes that one mistake would have made of this text, with the mistake.
    private let suggestions: [(code: InviteCode, mistake: String)]

    init(_ text: String, item: String) {
        given = text
        self.item = item
        named = InviteCode.referrer(in: text, item: item)
        result = Result { () throws(InviteCodeError) in try InviteCode(pasting: text, referrerItem: item) }
        suggestions = result == .failure(.mistyped) ? Self.suggestions(for: Self.symbols(of: named ?? text)) : []
    }

    var isValid: Bool { (try? result.get()) != nil }

    // MARK: Output

    func text(isExplained: Bool) -> String {
        let name = TerminalText.escaped(given)
        switch result {
        case .success(let code): return "\(name): valid, \(code)\n" + (isExplained ? Self.explanation(of: code) : "")
        case .failure(let error):
            let suggestions = suggestions.map { "  \($0.code): \($0.mistake)\n" }
            return "\(name): \(message(error).text)\n" + suggestions.joined()
        }
    }

    var json: String {
        var members = [("text", JSONText.string(given))]
        switch result {
        case .success(let code): members.append(("code", JSONText.string(code.text)))
        case .failure(let error):
            members.append(("error", JSONText.string(Self.name(of: error))))
            members.append(("message", JSONText.string(message(error).text)))
            let codes = suggestions.map { JSONText.string($0.code.text) }
            members.append(("suggestions", JSONWriter.array(codes)))
        }
        return JSONText.object(members)
    }

    private static func name(of error: InviteCodeError) -> String {
        switch error {
        case .unexpectedCharacter: "unexpectedCharacter"
        case .wrongLength: "wrongLength"
        case .mistyped: "mistyped"
        }
    }

    private func message(_ error: InviteCodeError) -> Sentence {
        guard error == .unexpectedCharacter else { return "\(reason: error)" }
        if named == nil, WebAddress(given).authority != nil { return "The address has no item \(quoted: item)." }
        let scalars = Array((named ?? given).unicodeScalars)
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
        let places = scalars.indices.drop { isBlank(scalars[$0]) }
        let index = places.first { !CodeSymbols.isSkipped(scalars[$0]) && CodeSymbols.symbol(scalars[$0]) == nil }
        guard let index else { return "\(reason: error)" }
        let place: Sentence = "Character \(index + 1)" + (named.map { " of \(quoted: $0)" } ?? "")
        return "\(reason: error) \(place) is \(quoted: String(scalars[index]))."
    }

    /// Rows of the symbols and their values, and the sums that the check symbols make zero.
    private static func explanation(of code: InviteCode) -> String {
        let symbols = code.text.unicodeScalars.compactMap { scalar in
            CodeSymbols.symbol(scalar).map { (scalar, $0.bits) }
        }
        func row(_ title: String, _ cells: [String]) -> String {
            "  \(title) " + cells.map { String(repeating: " ", count: 3 - $0.count) + $0 }.joined() + "\n"
        }
        return row("symbol", symbols.map { String($0.0) }) + row("value ", symbols.map { String($0.1) }) + """
              The last two are check symbols. With the values as elements of GF(32), x^5 + x^2 + 1, the sums of value * 2^i and
              of value * 4^i are zero, for i from 0 to 11.

            """
    }

    // MARK: Suggestions

    private static func symbols(of text: String) -> [BinaryField32] {
        text.unicodeScalars.compactMap(CodeSymbols.symbol)
    }

    private static func suggestions(for symbols: [BinaryField32]) -> [(code: InviteCode, mistake: String)] {
        var found: [(InviteCode, String)] = []
        for position in symbols.indices {
            for value in 0..<32 as Range<UInt8> where value != symbols[position].bits {
                var other = symbols
                other[position] = BinaryField32(value)
                if let code = InviteCode(checking: other) {
                    found.append((code, "another symbol in place \(position + 1)"))
                }
            }
            for second in symbols.indices.dropFirst(position + 1) where symbols[second] != symbols[position] {
                var other = symbols
                other.swapAt(position, second)
                if let code = InviteCode(checking: other) {
                    found.append((code, "places \(position + 1) and \(second + 1) exchanged"))
                }
            }
        }
        return found
    }
}
