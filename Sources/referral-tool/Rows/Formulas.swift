/// Finds the cells that a spreadsheet reads as formulas: they begin with `=`, `+`, `-`, `@`, with the same sign in full width or the
/// sign of minus (U+2212), with a tab or a line end, or with a NUL, which a spreadsheet drops ([OWASP](https://owasp.org/www-community/attacks/CSV_Injection)).
///
/// With an apostrophe before it, a spreadsheet shows the text.
enum Formulas {
    private static let signs = "=+-@\t\r\n\0\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}".unicodeScalars

    /// Whether text becomes a formula in a cell.
    static func isFormula(_ text: Bytes, in format: RowFormat) -> Bool {
        // TSV has no quotation marks, but spreadsheets remove them there too.
        let beginning = format.hasQuotes ? text[...] : text.drop { $0 == ASCII.quote }
        return String(decoding: beginning.prefix(3), as: UTF8.self).unicodeScalars.first.map(signs.contains) == true
    }
}
