/// Finds the cells that a spreadsheet reads as formulas: they begin with `=`, `+`, `-`, `@`, with the same sign in full width or the
/// sign of minus (U+2212), with a tab or a line end, or with a NUL, which a spreadsheet drops ([OWASP](https://owasp.org/www-community/attacks/CSV_Injection)).
///
/// With an apostrophe before it, a spreadsheet shows the text.
enum Formulas {
    private static let signs = "=+-@\t\r\n\0\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}".unicodeScalars

    /// Whether text becomes a formula in a cell.
    static func isFormula(_ text: Bytes) -> Bool {
        String(decoding: text.prefix(3), as: UTF8.self).unicodeScalars.first.map(signs.contains) == true
    }
}
