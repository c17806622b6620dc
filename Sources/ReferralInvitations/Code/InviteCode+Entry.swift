extension InviteCode {
    /// The code in groups of spelled symbols, for VoiceOver: `4 F 7 K, 9 Q 2 M, X R K Q`.
    package var spelled: String {
        text.split(separator: "-").map { $0.map(String.init).joined(separator: " ") }.joined(separator: ", ")
    }

    /// Formats what a person has typed so far: in upper case, with hyphens after the fourth and the eighth symbol.
    ///
    /// A text field moves its caret to the end of a text that it is given, so a text that was changed elsewhere stays as it is. An
    /// address, or a text with a code in it, becomes the code wherever it was pasted. A text with other characters, or with too
    /// many, remains unchanged, so that the person sees them.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - earlier: The text before the last change.
    ///   - referrerItem: The query item with the code, in an address.
    /// - Returns: The text that the field shows.
    package static func formatted(_ text: String, after earlier: String = "", referrerItem: String = "ref") -> String {
        let folded = folded(text)
        guard let symbols = symbols(of: folded) else {
            if let code = try? InviteCode(pasting: folded, referrerItem: referrerItem) { return code.text }
            guard let named = referrer(in: folded, item: referrerItem) else { return text }
            return self.symbols(of: named).map(written) ?? named
        }
        return isChangedAtEnd(text, earlier) ? written(symbols) : text
    }

    /// The symbols of a text that may become a code; `nil` if there are other characters, or too many.
    private static func symbols(of text: String) -> [BinaryField32]? {
        var symbols: [BinaryField32] = []
        for scalar in text.unicodeScalars where !CodeSymbols.isSkipped(scalar) && !scalar.properties.isWhitespace {
            guard symbols.count < symbolCount, let symbol = CodeSymbols.symbol(scalar) else { return nil }
            symbols.append(symbol)
        }
        return symbols
    }

    /// Whether nothing that was there before comes after the change.
    private static func isChangedAtEnd(_ text: String, _ earlier: String) -> Bool {
        let (new, old) = (Array(text.unicodeScalars), Array(earlier.unicodeScalars))
        let start = zip(new, old).prefix { $0 == $1 }.count
        guard let last = new.dropFirst(start).last, let oldLast = old.dropFirst(start).last else {
            // One of the texts begins with the other.
            return true
        }
        return last != oldLast
    }
}
