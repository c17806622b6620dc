/// The reason why a row is rejected, such as `ct: 41 bytes, at most 40`.
struct RowError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ column: String, _ problem: String) {
        self.init("\(Self.shortened(column)): \(Self.shortened(problem))")
    }

    /// Text from the row, which may be long.
    private static func shortened(_ text: String) -> String {
        text.utf8.count > 200 ? String(text.unicodeScalars.prefix(160)) + "…" : text
    }

    init(_ error: PartError) { self.init(error.part.rawValue, error.problem) }

    static let tooLong = RowError("the row is longer than 1 MiB")
    static let notText = RowError("there is a NUL byte in the row")
    static let notUTF8 = RowError("the row is not UTF-8")

    static func cells(_ count: Int, of columns: Int) -> RowError {
        RowError("\(Progress.count(count, "cell")), but \(Progress.count(columns, "column"))")
    }
}
