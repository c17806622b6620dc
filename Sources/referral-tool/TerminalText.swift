/// Text from outside on its way to a terminal, which would obey the control characters in it.
enum TerminalText {
    /// The text with controls, line and paragraph separators and bidirectional controls shown as `\u{1B}`.
    static func escaped(_ text: String) -> String {
        escaped(text) { "\\u{" + String($0, radix: 16, uppercase: true) + "}" }
    }

    /// The text with the same characters as some escape of their code point.
    static func escaped(_ text: String, as escape: (UInt32) -> String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            if isUnsafe(scalar) { shown += escape(scalar.value) } else { shown.unicodeScalars.append(scalar) }
        }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL, C1
        case 0x2028, 0x2029: true  // line and paragraph separator
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // Bidi_Control in Unicode's PropList.txt
        default: false
        }
    }
}
