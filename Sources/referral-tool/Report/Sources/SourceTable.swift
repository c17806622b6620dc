import UnlockCatalog

/// A table in a file: CSV with commas, semicolons or tabs, or TSV.
struct SourceTable {
    private let bytes: [UInt8]
    private let format: RowFormat
    private let columns: [Name]

    /// Reads the columns from the first line.
    init?(_ bytes: [UInt8]) {
        let header = bytes.withUnsafeBufferPointer { TableHeader($0, of: .csv, isWhole: true) }
        guard let header else { return nil }
        self.bytes = header.hasReturns ? bytes.map { $0 == ASCII.carriageReturn ? ASCII.lineFeed : $0 } : bytes
        format = header.format
        columns = self.bytes.withUnsafeBufferPointer { bytes in
            var scanner = RowScanner(bytes, format: header.format)
            guard let row = scanner.next(), row.problem == nil else { return [] }
            return scanner.cells.map { Columns.key(Name(scanner.text(of: $0) ?? "")) }
        }
        if columns.isEmpty { return nil }
    }

    /// The index of the first of some columns that exists.
    func index(of names: String...) -> Int? { index(of: names) }

    func index(of names: [String]) -> Int? {
        names.lazy.compactMap { name in columns.firstIndex(of: Name(name)) }.first
    }

    /// Passes each row to a function: a function from a column's index to its cell, which is empty if there is none.
    ///
    /// - Returns: The number of rows that aren't rows of this table.
    func forEach(_ body: ((Int?) -> String) -> Void) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = RowScanner(bytes, format: format)
            _ = scanner.next()
            var rejected = 0
            while let row = scanner.next() {
                if row.problem == nil, scanner.cells.allSatisfy(\.isEmpty) { continue }
                guard (try? scanner.check(row, columns: columns.count)) != nil else {
                    rejected += 1
                    continue
                }
                body { index in index.flatMap { scanner.text(of: scanner.cells[$0]) } ?? "" }
            }
            return rejected
        }
    }

    /// A number such as `1,234`, as spreadsheets write it; `nil` for text and for a withheld number.
    static func number(_ text: String) -> Int? {
        let digits = text.filter { $0 != "," && $0 != " " && $0 != "\u{A0}" }
        guard (1...15).contains(digits.utf8.count) else { return nil }
        return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }
}
