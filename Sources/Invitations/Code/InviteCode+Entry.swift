import ReferralBridge

extension InviteCode {
    /// The code in groups of spelled symbols, for VoiceOver: `4 F 7 K, 9 Q 2 M, X R K Q`.
    package var spelled: String {
        text.split(separator: "-").map { $0.map(String.init).joined(separator: " ") }.joined(separator: ", ")
    }

    /// Formats what a person has typed so far: in upper case, with hyphens after the fourth and the eighth symbol. An address
    /// becomes its code. A text with other characters, or with too many, remains unchanged, so that the person sees them.
    package static func formatted(_ text: String, referrerItem: String = "ref") -> String {
        let typed = referrer(in: text, item: referrerItem) ?? text
        var symbols: [BinaryField32] = []
        for scalar in typed.unicodeScalars where !isSkipped(scalar) && !scalar.properties.isWhitespace {
            guard symbols.count < symbolCount, let symbol = symbol(scalar) else { return typed }
            symbols.append(symbol)
        }
        return written(symbols)
    }
}
