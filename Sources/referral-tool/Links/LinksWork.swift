import UnlockCatalog

/// Adds links to the rows of a thread.
struct LinksWork: RowWork, ~Copyable {
    private let writer: RowWriter
    private let roles: LinkRoles
    private let columns: [LinkColumn]
    /// The column with the names on the sheet of codes.
    private let nameCell: Int?
    private let collectsCodes: Bool
    private var maker: LinkMaker
    private var values = LinkValues()
    private var members = KnownMembers()

    init(_ options: LinkOptions, _ writer: RowWriter, collectsCodes: Bool) {
        maker = LinkMaker(options)
        roles = options.roles
        self.writer = writer
        self.collectsCodes = collectsCodes
        let names = writer.from == .jsonl ? [] : writer.names
        columns = names.map { options.roles.role(of: $0) }
        nameCell = names.firstIndex { Columns.key($0) == CodeSheet.nameColumn }
    }

    mutating func append(_ row: RowScanner.Row, of scanner: inout RowScanner, to batch: inout Batch) throws(RowError) {
        do throws(RowError) {
            if writer.from == .jsonl {
                try append(object: row, of: scanner, to: &batch)
            } else {
                try append(cells: row, of: scanner, to: &batch)
            }
        } catch {
            let isReferrer = error.column == "referrer" && roles.referrer != "referrer"
            throw isReferrer ? RowError(roles.referrer, error.problem) : error
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
        try values.read(object, roles, &members)
        let note = try append(row, of: scanner, object, to: &batch)
        guard batch.collectsLinkedRows else { return }
        let member = object.members.last { Columns.key($0.name) == CodeSheet.nameColumn }
        let name: String? = if case .string(let text)? = member?.value { text } else { nil }
        collect(row.line, note, name: name, in: &batch)
    }

    private mutating func append(
        cells row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        to batch: inout Batch
    ) throws(RowError) {
        guard !scanner.cells.allSatisfy(\.isEmpty) else { return try append(emptyRow: row, of: scanner, to: &batch) }
        try values.read(scanner, columns, names: writer.names, of: roles.target)
        let note = try append(row, of: scanner, nil, to: &batch)
        guard batch.collectsLinkedRows else { return }
        let name = collectsCodes ? nameCell.flatMap { scanner.text(of: scanner.cells[$0]) } : nil
        collect(row.line, note, name: name, in: &batch)
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

    /// Appends a row with the link of its values. Returns a probable mistake in the row's own page.
    private mutating func append(
        _ row: RowScanner.Row,
        of scanner: borrowing RowScanner,
        _ object: JSONRow?,
        to batch: inout Batch
    ) throws(RowError) -> String? {
        let template = try maker.makeLink(&values)
        switch writer.to {
        case .html:
            let address = template?.page(token: values.string(values.token)) ?? values.string(maker.link.bytes)
            batch.output.append(try LinkElement.html(address, values.claims, isOnPage: template != nil))
            batch.output.append(ASCII.lineFeed)
        case .txt:
            batch.output.append(maker.link.bytes)
            batch.output.append(ASCII.lineFeed)
        default:
            if values.hasLink { throw RowError(LinksCommand.column, "the row has one already") }
            try writer.append(row, of: scanner, object, adding: LinksCommand.column, maker.link.bytes, to: &batch)
        }
        return values.hasPage ? template?.note : nil
    }

    /// Collects the last row for the notes and the sheet of codes.
    private func collect(_ line: Int, _ pageNote: String?, name: String?, in batch: inout Batch) {
        var row = LinkedRow(line: line, link: maker.link.bytes, referrer: values.referrer)
        if collectsCodes || pageNote != nil {
            let (referrer, link) = (values.string(values.referrer), values.string(maker.link.bytes))
            row.extra = LinkedRow.Extra(
                pageNote: pageNote,
                code: CodeSheet.Code(name: name, referrer: referrer, link: link)
            )
        }
        batch.linkedRows.append(row)
    }
}
