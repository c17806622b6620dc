import ReferralBridge

/// Text from outside on its way to a terminal, which would obey the control characters in it.
enum TerminalText {
    /// The text with controls, line and paragraph separators and bidirectional controls shown as `\u{1B}`.
    static func escaped(_ text: String) -> String {
        escaped(text) { "\\u{" + String($0, radix: 16, uppercase: true) + "}" }
    }

    /// The text with the same characters as some escape of their code point.
    static func escaped(_ text: String, as escape: (UInt32) -> String) -> String {
        guard text.unicodeScalars.contains(where: \.isObeyed) else { return text }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            if scalar.isObeyed { shown += escape(scalar.value) } else { shown.unicodeScalars.append(scalar) }
        }
    }
}
