import ReferralBridge

/// Adds links to the rows of a thread.
struct LinksWork: RowWork {
    private let writer: RowWriter
    private let roles: [LinkColumn]
    private var maker: LinkMaker
    private let quick: QuickLinks?
    private var members = KnownMembers()

    init(_ maker: LinkMaker, _ writer: RowWriter) {
        (self.maker, self.writer) = (maker, writer)
        let names = writer.from == .jsonl ? [] : writer.names
        roles = names.map { LinkColumn($0, of: maker.target) }
        quick = QuickLinks(maker, roles, writer)
    }

    mutating func append(_ row: RowScanner.Row, of scanner: inout RowScanner, to batch: inout Batch) throws(RowError) {
        let values: LinkValues
        var object: JSONRow?
        if writer.from == .jsonl {
            let row = try JSONRow(scanner.bytes.part(row.range))
            let count = members.ignored.names.count
            defer {
                let names = members.ignored.names
                if names.count > count { batch.counts.ignored.insert(names[count...]) }
            }
            values = try LinkValues(row, of: maker.target, &members)
            object = row
        } else {
            if let quick {
                let formulas = writer.formulaCount(of: row, scanner)
                if formulas == 0 || !writer.guardsFormulas, quick.append(row, of: scanner, to: &batch.output) {
                    batch.counts.formulas += formulas
                    return
                }
            }
            values = try LinkValues(scanner, roles, names: writer.names, of: maker.target)
        }
        let link = try maker.link(for: values)
        if writer.to == .txt || writer.to == .html {
            let isElement = writer.to == .html
            batch.output.append(isElement ? try LinkElement.html(link, referrer: values.referrer ?? "") : link.address)
            batch.output.append(ASCII.lineFeed)
        } else {
            let column = LinksCommand.column
            if values.hasLink { throw RowError(column, "the row has one already") }
            try writer.append(row, of: scanner, object, adding: [(column, .string(link.address))], to: &batch)
        }
    }
}
