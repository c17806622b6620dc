import UnlockCatalog

/// What `links` wrote: CSV, TSV or JSON lines with the column `link`, the referrers, and any others.
struct LinksTable {
    /// The column with the referrers; without it, the column `referrer`, or else the item of the link's address.
    let referrerColumn: String?
    /// The column with the people's names.
    let label: String
    /// The item of a link that names the referrer.
    let item: String

    /// The number of links of each referrer.
    private(set) var counts: [Name: Int] = [:]
    private(set) var labels: [Name: String] = [:]
    /// The landing pages of the links.
    private(set) var pages: Set<[UInt8]> = []
    private(set) var rows = 0
    private(set) var rejected = 0

    init(referrerColumn: String?, label: String?, item: String) {
        (self.referrerColumn, self.label, self.item) = (referrerColumn, label ?? "name", item)
    }

    static func isHeader(of bytes: [UInt8]) -> Bool {
        let line = Array(bytes.prefix { $0 != ASCII.lineFeed })
        return SourceTable(line)?.index(of: "link") != nil
    }

    mutating func read(_ bytes: [UInt8], name: String) throws(ToolError) {
        if bytes.first == ASCII.openBrace {
            for line in bytes.split(separator: ASCII.lineFeed) where !line.allSatisfy(ASCII.isWhiteSpace) {
                let members = Array(line).withUnsafeBufferPointer { (try? JSONRow.members(of: $0)) ?? [] }
                add { name in members.last { Columns.key($0.name) == Columns.key(Name(name)) }?.value.cell }
            }
            return
        }
        let needed = referrerColumn ?? "link"
        guard let table = SourceTable(bytes), table.index(of: needed) != nil || table.index(of: "referrer") != nil
        else {
            throw .badData("\(whole: name) isn't a table of links: its first line names no column \(quoted: needed)")
        }
        rejected += table.forEach { cell in add { name in table.index(of: name).map(cell) } }
    }

    /// Adds a row, whose cells are `nil` without such a column.
    private mutating func add(_ cell: (String) -> String?) {
        rows += 1
        let address = cell("link").map { Array($0.utf8) } ?? []
        let texts = TextBuffer()
        let (page, named) = address.withUnsafeBufferPointer { bytes -> ([UInt8], String?) in
            var request = LogRequest()
            request.setTarget(bytes)
            let referrer = RequestItems(request.query, item, texts).referrer
            return (LogRequest.page(request.path), referrer.map { PercentEncoding.decodeForm($0) })
        }
        let referrer = referrerColumn.map { cell($0) ?? "" } ?? cell("referrer") ?? named ?? ""
        guard referrer.isName else { return rejected += 1 }
        if named != nil { pages.insert(page) }
        counts[Name(referrer), default: 0] += 1
        if let text = cell(label), !text.isEmpty, labels[Name(referrer)] == nil {
            labels[Name(referrer)] = String(text.unicodeScalars.prefix(200))
        }
    }
}

/// A table in a file: CSV with commas, semicolons or tabs, or TSV.
struct SourceTable {
    private let bytes: [UInt8]
    private let format: RowFormat
    private let columns: [Name]

    /// Reads the columns from the first line.
    init?(_ bytes: [UInt8]) {
        guard let header = bytes.withUnsafeBufferPointer({ TableHeader($0, of: .csv, isWhole: true) }) else {
            return nil
        }
        self.bytes = header.hasReturns ? bytes.map { $0 == ASCII.carriageReturn ? ASCII.lineFeed : $0 } : bytes
        format = header.format
        columns = self.bytes.withUnsafeBufferPointer { bytes in
            var scanner = RowScanner(bytes, format: header.format)
            guard let row = scanner.next(), row.problem == nil else { return [] }
            return row.cells.map { Columns.key(Name(row.text(of: $0) ?? "")) }
        }
        if columns.isEmpty { return nil }
    }

    func index(of name: String) -> Int? { columns.firstIndex(of: Columns.key(Name(name))) }

    /// Passes each row to a function: a function from a column's index to its cell. Returns the number of rows that aren't rows of this table.
    func forEach(_ body: ((Int) -> String) -> Void) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = RowScanner(bytes, format: format)
            _ = scanner.next()
            var rejected = 0
            while let row = scanner.next() {
                if row.isBlank { continue }
                guard (try? row.check(columns: columns.count)) != nil else {
                    rejected += 1
                    continue
                }
                body { row.text(of: row.cells[$0]) ?? "" }
            }
            return rejected
        }
    }
}
