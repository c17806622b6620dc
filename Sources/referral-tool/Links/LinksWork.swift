import ReferralBridge

/// Adds links to the rows of a thread.
struct LinksWork: RowWork {
    private let writer: RowWriter
    private let columns: Columns?
    private let roles: [LinkColumn]
    private let isForLandingPage: Bool
    private let badRows: BadRows
    private var maker: LinkMaker
    private let quick: QuickLinks?

    init(_ plan: LinkMaker.Plan, columns: Columns?, writer: RowWriter, badRows: BadRows) {
        self.writer = writer
        self.columns = columns
        self.badRows = badRows
        isForLandingPage = plan.landing != nil
        let names = writer.from == .jsonl ? [] : columns?.names ?? []
        roles = names.map { LinkColumn($0, forLandingPage: plan.landing != nil) }
        maker = LinkMaker(plan)
        quick = QuickLinks(plan, roles, writer)
    }

    mutating func process(_ row: RowScanner.Row, of scanner: inout RowScanner, into batch: inout Batch) {
        guard !row.range.isEmpty else { return }
        batch.rowCount += 1
        let start = batch.output.count
        do throws(RowError) {
            try scanner.check(row)
            if writer.from == .jsonl {
                batch.formulaCount += try append(
                    JSONRow(scanner.bytes.part(row.range)),
                    row,
                    scanner,
                    to: &batch.output
                )
            } else {
                try scanner.checkCells(of: row, columns: roles.count)
                let formulaCount = writer.formulaCount(of: row, scanner)
                if let quick, formulaCount == 0 || !writer.guardsFormulas,
                    quick.append(row, of: scanner, to: &batch.output)
                {
                    batch.formulaCount += formulaCount
                } else {
                    batch.formulaCount += try append(row, scanner, to: &batch.output)
                }
            }
        } catch {
            batch.output.truncate(to: start)
            badRows.append(row, of: scanner, error, to: &batch)
        }
    }

    private mutating func append(
        _ row: RowScanner.Row,
        _ scanner: borrowing RowScanner,
        to output: inout ByteBuffer
    ) throws(RowError) -> Int {
        let values = try LinkValues(scanner, roles, names: columns?.names ?? [])
        let link = try maker.link(for: values)
        guard writer.to != .txt, writer.to != .html else { return try append(link, values, to: &output) }
        let added = [RowWriter.Added(name: LinksCommand.column, value: .text(link.address))]
        return try writer.append(row, of: scanner, adding: added, to: &output)
    }

    private mutating func append(
        _ object: JSONRow,
        _ row: RowScanner.Row,
        _ scanner: borrowing RowScanner,
        to output: inout ByteBuffer
    ) throws(RowError) -> Int {
        let values = try LinkValues(object, forLandingPage: isForLandingPage)
        let link = try maker.link(for: values)
        guard writer.to != .txt, writer.to != .html else { return try append(link, values, to: &output) }
        guard !object.members.contains(where: { $0.name == LinksCommand.column }) else {
            throw RowError(LinksCommand.column, "the row has one already")
        }
        let added = [RowWriter.Added(name: LinksCommand.column, value: .text(link.address))]
        return try writer.append(object, row, of: scanner, adding: added, to: &output)
    }

    private func append(_ link: LinkMaker.Link, _ values: LinkValues, to output: inout ByteBuffer) throws(RowError)
        -> Int
    {
        output.append(writer.to == .html ? try LinkElement.html(link, values) : link.address)
        output.append(ASCII.lineFeed)
        return 0
    }
}
