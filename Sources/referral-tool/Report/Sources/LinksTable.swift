import ReferralFoundation

/// What `links` wrote: CSV, TSV or JSON lines with the column `link`, and perhaps `referrer` and `name`, the name of a person.
enum LinksTable {
    private struct Row: Decodable { var link, referrer, name: String? }

    static func count(_ bytes: [UInt8], _ name: String, in tally: inout Tally) throws(ToolError) {
        if bytes.first == ASCII.openBrace {
            for line in bytes.split(separator: ASCII.lineFeed) where !line.allSatisfy(ASCII.isWhiteSpace) {
                count((try? JSONDecoder().decode(Row.self, from: Data(line))) ?? Row(), in: &tally)
            }
            return
        }
        var columns: [String] = []
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = RowScanner(bytes, format: RowFormat.csv(firstLine: bytes, isWhole: true) ?? .csv)
            while let row = scanner.next() {
                let cells = row.cells.map { row.text(of: $0) ?? "" }
                func cell(_ name: String) -> String? { columns.firstIndex(of: name).map { cells[$0] } }
                if columns.isEmpty {
                    columns = cells.map { Columns.key(Name($0)).rawValue }
                } else if !row.isBlank {
                    let isRow = row.problem == nil && cells.count == columns.count
                    let values = isRow ? Row(link: cell("link"), referrer: cell("referrer"), name: cell("name")) : Row()
                    count(values, in: &tally)
                }
            }
        }
        guard columns.contains("link") || columns.contains("referrer") else {
            throw .badData("\(whole: name) isn't a table of links: its first line names no column 'link'")
        }
    }

    /// Counts a link. Its referrer is the cell `referrer`, or else the item of the link's address.
    private static func count(_ row: Row, in tally: inout Tally) {
        let texts = TextBuffer()
        var items = RequestItems(tally.scope.item)
        let (page, named) = (row.link ?? "").withUTF8Bytes { bytes in
            var request = LogRequest()
            request.setTarget(bytes)
            items.read(request.query, texts)
            return (Array(texts.page(request.path)), items[.referrer].map { PercentEncoding.decodeForm($0) })
        }
        let referrer = row.referrer ?? named ?? ""
        guard referrer.isName else { return tally.remark("rows of a table of links without a referrer") }
        if named != nil { tally.scope.linkedPages.insert(page) }
        let place = tally.tables.referrers.place(of: referrer, isKnown: true)
        if let name = row.name, !name.isEmpty, tally.tables.referrers.rows[place].label == nil {
            tally.tables.referrers.rows[place].label = String(name.unicodeScalars.prefix(200))
        }
    }
}
