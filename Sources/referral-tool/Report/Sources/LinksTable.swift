/// What `links` wrote: a table with the column `link`, and perhaps `referrer` and `name`, the name of a person.
enum LinksTable {
    static func count(_ stream: ByteStream, in tally: Tally) throws(ToolError) {
        let input = RowInput(stream, format: .csv)
        let names: [Name] = ["link", "referrer", "name"]
        let columns = try Columns(firstLineOf: input, isUsed: names.contains)
        let indexes = names.map(columns.index)
        guard indexes[0] != nil || indexes[1] != nil else {
            throw .badData("\(whole: stream.name) isn't a table of links: its first line names no column 'link'")
        }
        while let block = try input.next() {
            var scanner = RowScanner(block.bytes, format: input.format)
            while let row = scanner.next() {
                let isRow = !block.isCut && row.problem == nil && row.cells.count == columns.names.count
                let cells = indexes.map { isRow ? $0.flatMap { row.text(of: row.cells[$0]) } : nil }
                if !row.isBlank { count(link: cells[0], referrer: cells[1], name: cells[2], in: tally) }
            }
        }
    }

    /// Counts a link. Its referrer is the cell `referrer`, or else the item of the link's address, or that of its payload.
    private static func count(link: String?, referrer: String?, name: String?, in tally: Tally) {
        let (scope, texts) = (tally.scope, TextBuffer())
        let (page, named) = (link ?? "").withUTF8Bytes { bytes -> ([UInt8], String?) in
            var request = LogRequest()
            request.setTarget(bytes)
            let path = request.path
            let item = request.item(scope.item, texts).map(PercentEncoding.decodeForm)
            guard let referrer, item == nil, let (pattern, last) = texts.pattern(path) else {
                return (Array(texts.page(path)), item)
            }
            // The last name in the path may be the referrer.
            let name = PercentEncoding.decode(last)
            return (pattern, name.utf8.elementsEqual(referrer.utf8) ? name : nil)
        }
        let referrer = referrer ?? named ?? link.flatMap { try? ReferralLink($0).referral.referrer } ?? ""
        guard referrer.isName else { return tally.remark("rows of a table of links without a referrer") }
        if named != nil { tally.scope.linkedPages.insert(page) }
        let place = tally.tables.referrers.place(of: referrer, isKnown: true)
        tally.tables.referrers.rows[place].isLinked = true
        if let name, !name.isEmpty, tally.tables.referrers.rows[place].label == nil {
            tally.tables.referrers.rows[place].label = String(name.unicodeScalars.prefix(200))
        }
    }
}
