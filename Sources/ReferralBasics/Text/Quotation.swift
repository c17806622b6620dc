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
