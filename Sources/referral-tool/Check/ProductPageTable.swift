import ReferralSiteCheck
import UnlockCatalog

/// A table of custom product pages and their addresses, as `site` writes it, and `links --landing` from a table with a column
/// `ppid`.
enum ProductPageTable {
    static let id: Name = "ppid"
    static let link = LinksCommand.column

    static let option = Option(
        "--product-pages",
        "FILE",
        """
        custom product pages of the App Store: a table, CSV or TSV, with the columns 'ppid' and 'link', the address that the \
        store opens from the page (not yet tested on a device)
        """
    )

    /// The text of a table.
    static func text(of pages: [ProductPage]) -> String {
        let rows = [[id.rawValue, link.rawValue]] + pages.map { [$0.id, $0.link] }
        return rows.map { $0.map { RowFormat.csv.cell($0) ?? "" }.joined(separator: ",") + "\n" }.joined()
    }

    /// Reads the table at a path.
    static func read(_ path: String) throws(ToolError) -> [ListedProductPage] {
        let format = RowFormat(fileName: path) ?? .csv
        guard format.separator != nil else {
            throw .value(path, of: option, "a table of product pages is csv or tsv, not \(name: format.rawValue)")
        }
        let stream = try ByteStream(reading: path)
        defer { stream.close() }
        let input = RowInput(stream, format: format, hasHeader: true)
        let columns = try Columns(firstLineOf: input)
        let problem = columns.problem(isUsed: [id, link].contains)
        guard let idIndex = columns.index(of: id), let linkIndex = columns.index(of: link), problem == nil else {
            let missing = columns.index(of: id) == nil ? id : link
            throw .badData("\(whole: path):1: \(problem ?? columns.missing(missing, input.format))")
        }

        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
        defer { buffer.deallocate() }
        var pages: [ListedProductPage] = []
        var lines = columns.lineCount
        while let chunk = try input.nextUninterrupted(into: buffer) {
            guard case .rows(let bytes) = chunk else {
                throw .badData("\(whole: path):\(lines + 1): \(RowError.tooLong.reason)")
            }
            var scanner = RowScanner(bytes, format: input.format)
            var positions = TextPositions(Array(bytes))
            func place(of cell: RowScanner.Cell) -> SitePlace {
                let (line, column) = positions.position(at: cell.range.lowerBound)
                return SitePlace(file: path, line: lines + line, column: column)
            }
            while let row = scanner.next() {
                do throws(RowError) {
                    // Spreadsheets add lines without any value.
                    if row.problem == nil, scanner.cells.allSatisfy(\.isEmpty) { continue }
                    try scanner.check(row, columns: columns.names.count)
                    let cells = [idIndex, linkIndex].map { scanner.cells[$0] }
                    guard let idText = scanner.text(of: cells[0]), let linkText = scanner.text(of: cells[1]) else {
                        throw .notUTF8
                    }
                    // Positions are read in the order of the text.
                    let first = idIndex < linkIndex ? place(of: cells[0]) : nil
                    let linkPlace = place(of: cells[1])
                    let idPlace = first ?? place(of: cells[0])
                    let page = ProductPage(id: idText, link: linkText)
                    pages.append(ListedProductPage(page, idPlace: idPlace, linkPlace: linkPlace))
                } catch {
                    throw .badData("\(whole: path):\(lines + row.line + 1): \(error.reason)")
                }
            }
            lines += scanner.line
        }
        guard !pages.isEmpty else {
            throw .badData("\(whole: path) has no product page; write one in each line after the first")
        }
        return pages
    }
}
