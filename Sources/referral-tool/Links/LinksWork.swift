import UnlockCatalog

/// Adds links to the rows of a thread.
struct LinksWork: RowWork, ~Copyable {
    private let writer: RowWriter
    private let columns: LinkColumns
    /// The column with the names on the sheet of codes.
    private let nameCell: Int?
    private let collectsCodes: Bool
    private let landing: LandingTemplate?
    private var builder: LinkBuilder
    private var values = LinkValues()

    init(_ options: LinkOptions, _ writer: RowWriter, collectsCodes: Bool) {
        builder = LinkBuilder(options)
        landing = options.landing
        self.writer = writer
        self.collectsCodes = collectsCodes
        columns = LinkColumns(writer.names, options.roles)
        nameCell = writer.names.firstIndex { Columns.key($0) == CodeSheet.nameColumn }
    }

    mutating func append(_ row: Row, to batch: inout Batch) throws(RowError) {
        do throws(RowError) {
            if writer.from == .jsonl { return try append(object: row, to: &batch) }
            if row.isBlank { return try append(blank: row, to: &batch) }
            try values.read(row, columns)
            let name = collectsCodes ? nameCell.flatMap { row.text(of: row.cells[$0]) } : nil
            try append(row, nil, name: name, to: &batch)
        } catch {
            let isReferrer = error.column == "referrer" && columns.roles.referrer != "referrer"
            throw isReferrer ? RowError(columns.roles.referrer, error.problem) : error
        }
    }

    private mutating func append(object row: Row, to batch: inout Batch) throws(RowError) {
        let object = try JSONRow(row.bytes)
        try values.read(object, columns.roles, ignored: &batch.counts.ignored)
        let member = collectsCodes ? object.members.last { Columns.key($0.name) == CodeSheet.nameColumn } : nil
        let name: String? = if case .string(let text)? = member?.value { text } else { nil }
        try append(row, object, name: name, to: &batch)
    }

    /// Appends a row without any value, which gets no link.
    private func append(blank row: Row, to batch: inout Batch) throws(RowError) {
        guard writer.to != .txt, writer.to != .html else { return }
        try writer.append(row, nil, adding: [(LinksCommand.column, .null)], to: &batch)
    }

    /// Appends a row with the link of its values, and collects it for the notes and the sheet of codes.
    private mutating func append(
        _ row: Row,
        _ object: JSONRow?,
        name: String?,
        to batch: inout Batch
    ) throws(RowError) {
        let isTable = writer.to != .html && writer.to != .txt
        if isTable { writer.begin(row, object, adding: LinksCommand.column, to: &batch) }
        let start = batch.output.count
        let template = try builder.append(linkOf: &values, to: &batch.output)
        let link = batch.output.bytes.part(start..<batch.output.count)
        let linkedRow = batch.collectsLinkedRows ? linkedRow(row, link, template, name: name) : nil
        if isTable {
            if values.hasLink { throw RowError(LinksCommand.column, "the row has one already") }
            let isPlain = template?.isPlain ?? landing?.isPlain ?? false
            try writer.end(row, object, adding: LinksCommand.column, from: start, isPlain: isPlain, to: &batch)
        } else {
            if writer.to == .html {
                let isOnPage = template != nil
                let address =
                    isOnPage ? try builder.page(for: values, token: values.token.string).address : link.string
                batch.output.truncate(to: start)
                batch.output.append(try LinkElement.html(address, values.claims, isOnPage: isOnPage))
            }
            batch.output.append(ASCII.lineFeed)
        }
        if let linkedRow { batch.linkedRows.append(linkedRow) }
    }

    private func linkedRow(_ row: Row, _ link: Bytes, _ template: LinkTemplate?, name: String?) -> LinkedRow {
        LinkedRow(
            line: row.line,
            link: link,
            referrer: values.referrer,
            isTrimmed: values.isTrimmed,
            pageNote: values.hasPage ? template?.note : nil,
            code: collectsCodes
                ? CodeSheet.Code(name: name, referrer: values.referrer.string, link: link.string) : nil
        )
    }
}
