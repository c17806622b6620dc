/// Adds links to the rows of a thread.
struct LinksWork: RowWork, ~Copyable {
    private let writer: RowWriter
    private let columns: [LinkColumn]
    /// The column with the names on the sheet of codes.
    private let nameCell: Int?
    /// Whether the codes of a sheet are collected.
    private let collectsCodes: Bool
    private var builder: LinkBuilder
    private var values = LinkValues()
    private var link = ByteBuffer(capacity: 1 << 10)

    init(_ options: LinkOptions, _ writer: RowWriter, collectsCodes: Bool) {
        builder = LinkBuilder(options)
        self.writer = writer
        self.collectsCodes = collectsCodes
        columns = writer.names.enumerated().map { ($0, $1, options.role(of: $1)) }.filter { $0.2 != .other }
        nameCell = writer.names.firstIndex { Columns.key($0) == CodeSheet.nameColumn }
    }

    mutating func append(_ row: Row, to batch: inout Batch) throws(RowError) {
        let object = writer.from == .jsonl ? try JSONRow(row.bytes) : nil
        if object == nil, row.isBlank {
            // A row without any value gets no link.
            if writer.to.separator != nil { writer.append(row, nil, adding: .empty, to: &batch.output) }
            return
        }
        do throws(RowError) {
            if let object {
                try values.read(object, builder.options, &batch.counts)
            } else {
                try values.read(row, columns, builder.options)
            }
            try append(row, object, to: &batch)
        } catch {
            let isReferrer = error.column == "referrer"
            throw isReferrer ? RowError(builder.options.referrer.rawValue, error.problem) : error
        }
    }

    /// Appends a row with the link of its values, and collects it for the sheet of codes.
    private mutating func append(_ row: Row, _ object: JSONRow?, to batch: inout Batch) throws(RowError) {
        let template = try builder.complete(&values)
        link.removeAll()
        try builder.append(linkOf: values, template, to: &link)
        switch writer.to {
        case .txt:
            batch.output.append(link.bytes)
            batch.output.append(ASCII.lineFeed)
        case .html:
            let address = template == nil ? link.bytes.string : try builder.page(for: values).address
            batch.output.append(try LinkElement.html(address, values.claims, isOnPage: template != nil) + "\n")
        default:
            if let object, object.members.contains(where: { Columns.key($0.name) == LinksCommand.column }) {
                throw RowError(LinksCommand.column.rawValue, "the row has one already")
            }
            writer.append(row, object, adding: link.bytes, to: &batch.output)
        }
        if values.isTrimmed { batch.counts.trimmed += 1 }
        let isCompared = row.line <= Lookalikes.maximumLines && values.referrer.count <= Name.maximumLength
        if isCompared { batch.referrers.append(values.referrer.string) }
        guard collectsCodes else { return }
        let (referrer, link) = (values.referrer.string, link.bytes.string)
        let member = object?.members.last { Columns.key($0.name) == CodeSheet.nameColumn }
        let name = nameCell.flatMap { row.text(of: row.cells[$0]) } ?? member?.value.string ?? ""
        batch.codes.append(CodeSheet.Code(name: name.onOneLine, referrer: referrer, link: link))
    }
}
