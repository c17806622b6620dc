extension String {
    /// Text from outside for a message: at most 80 characters, with an escape such as `\u{202E}` for each that would be acted on instead
    /// of being shown.
    package var shown: String { shown() }

    /// The same with another length, or with other characters as escapes.
    package func shown(
        upTo length: Int = 80,
        escaping isEscaped: (Unicode.Scalar) -> Bool = \.isDisplayControl
    ) -> String {
        var shown = ""
        for (index, scalar) in unicodeScalars.enumerated() {
            guard index < length else { return shown + "…" }
            if isEscaped(scalar) {
                shown += scalar.escape
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// The text as ``shown``, between quotation marks.
    package var quoted: String { "'" + shown + "'" }
}

extension Unicode.Scalar {
    /// Whether a terminal or a text field would act on the character instead of showing it: controls, line and paragraph
    /// separators, and bidirectional controls.
    package var isDisplayControl: Bool { isControl || isBidirectionalControl || 0x2028...0x2029 ~= value }

    /// The character as an escape, such as `\u{1B}`.
    package var escape: String { "\\u{" + String(value, radix: 16, uppercase: true) + "}" }

    /// Whether the character is C0, DEL or C1.
    package var isControl: Bool { value <= 0x1F || 0x7F...0x9F ~= value }

    /// Whether the character is a `Bidi_Control` in Unicode's PropList.txt.
    package var isBidirectionalControl: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
