import UnlockCatalog

/// Adds links to the rows of a thread.
struct LinksWork: RowWork {
    private let writer: RowWriter
    private let columns: [LinkColumn]
    /// The column with the names on the sheet of codes.
    private let nameCell: Int?
    private let collectsCodes: Bool
    private var maker: LinkMaker
    private let quick: QuickLinks?
    private var members = KnownMembers()

    init(_ maker: LinkMaker, _ writer: RowWriter, collectsCodes: Bool) {
        self.maker = maker
        self.writer = writer
        self.collectsCodes = collectsCodes
        let names = writer.from == .jsonl ? [] : writer.names
        columns = names.map { maker.roles.role(of: $0) }
        nameCell = names.firstIndex { Columns.key($0) == CodeSheet.nameColumn }
        quick = QuickLinks(maker, columns, writer)
    }

    mutating func append(_ row: RowScanner.Row, of scanner: inout RowScanner, to batch: inout Batch) throws(RowError) {
        do throws(RowError) {
            if writer.from == .jsonl {
                try append(object: row, of: scanner, to: &batch)
            } else {
                try append(cells: row, of: scanner, to: &batch)
            }
        } catch {
            let isReferrer = error.column == "referrer" && maker.roles.referrer != "referrer"
            throw isReferrer ? RowError(maker.roles.referrer, error.problem) : error
        }
    }

    private mutating func append(
        object row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        to batch: inout Batch
    ) throws(RowError) {
        let object = try JSONRow(scanner.bytes.part(row.range))
        let count = members.ignored.names.count
        defer {
            let names = members.ignored.names
            if names.count > count { batch.counts.ignored.insert(names[count...]) }
        }
        let values = try LinkValues(object, maker.roles, &members)
        let link = try append(row, of: scanner, object, values, to: &batch)
        guard batch.collectsLinkedRows else { return }
        var name: String?
        if case .string(let text)? = object.members.last(where: { Columns.key($0.name) == CodeSheet.nameColumn })?.value
        {
            name = text
        }
        collect(row.line, link, values, name, in: &batch)
    }

    private mutating func append(
        cells row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        to batch: inout Batch
    ) throws(RowError) {
        if let quick {
            let formulas = writer.formulaCount(of: row, scanner)
            if formulas == 0 || !writer.guardsFormulas, let link = quick.append(row, of: scanner, to: &batch.output) {
                batch.counts.formulas += formulas
                if batch.collectsLinkedRows { collect(row.line, quickLink: link, scanner, in: &batch) }
                return
            }
        }
        guard !scanner.cells.allSatisfy(\.isEmpty) else { return try append(emptyRow: row, of: scanner, to: &batch) }
        let values = try LinkValues(scanner, columns, names: writer.names, of: maker.target)
        let link = try append(row, of: scanner, nil, values, to: &batch)
        guard batch.collectsLinkedRows else { return }
        collect(row.line, link, values, nameCell.flatMap { scanner.text(of: scanner.cells[$0]) }, in: &batch)
    }

    /// Appends a row without any value, which gets no link.
    private func append(
        emptyRow row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        to batch: inout Batch
    ) throws(RowError) {
        guard writer.to != .txt, writer.to != .html else { return }
        try writer.append(row, of: scanner, nil, adding: [(LinksCommand.column, .null)], to: &batch)
    }

    private mutating func append(
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        _ object: JSONRow?,
        _ values: LinkValues,
        to batch: inout Batch
    ) throws(RowError) -> LinkMaker.Link {
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
        return link
    }
}

// MARK: - Notes and codes

private extension LinksWork {
    func collect(
        _ line: Int,
        _ link: LinkMaker.Link,
        _ values: LinkValues,
        _ name: String?,
        in batch: inout Batch
    ) {
        let referrer = values.referrer ?? ""
        var row = link.address.withUTF8Bytes { link in
            referrer.withUTF8Bytes { LinkedRow(line: line, link: link, referrer: $0) }
        }
        let pageNote = values.parts[.page] == nil ? nil : link.page?.note
        if collectsCodes || pageNote != nil {
            let code = CodeSheet.Code(name: name, referrer: referrer, link: link.address)
            row.extra = LinkedRow.Extra(pageNote: pageNote, code: code)
        }
        batch.linkedRows.append(row)
    }

    /// Collects a row whose link is at a place in the output. Its cells have no quotation marks.
    func collect(_ line: Int, quickLink: Range<Int>, _ scanner: borrowing RowScanner, in batch: inout Batch) {
        guard let place = columns.firstIndex(of: .referrer) else { return }
        let (link, referrer) = (batch.output.bytes.part(quickLink), scanner.bytes.part(scanner.cells[place].range))
        var row = LinkedRow(line: line, link: link, referrer: referrer)
        if collectsCodes {
            let code = CodeSheet.Code(
                name: nameCell.flatMap { scanner.text(of: scanner.cells[$0]) },
                referrer: String(decoding: referrer, as: UTF8.self),
                link: String(decoding: link, as: UTF8.self)
            )
            row.extra = LinkedRow.Extra(pageNote: nil, code: code)
        }
        batch.linkedRows.append(row)
    }
}
