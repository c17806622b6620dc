import UnlockCatalog

/// Writes rows unchanged, with added values at the end: ``begin(_:_:to:)``, each value, ``end(_:_:to:)``.
struct RowWriter: Sendable {
    let from: RowFormat
    let to: RowFormat
    /// The columns of the input; `nil` for JSON lines and lines of text.
    let columns: Columns?
    /// Whether an apostrophe is put before added formulas.
    let guardsFormulas: Bool

    var names: [Name] { columns?.names ?? [] }

    private var lineEnd: [UInt8] { columns?.lineEnd ?? [ASCII.lineFeed] }

    /// The first line, if the output has one: the columns and the added columns.
    func header(adding added: [AddedName]) -> String {
        guard let columns, let separator = to.separator else { return "" }
        let cells = added.map { String(UnicodeScalar(separator)) + $0.name.rawValue }.joined()
        return columns.mark + String(decoding: columns.header, as: UTF8.self) + cells
            + String(decoding: lineEnd, as: UTF8.self)
    }

    /// Appends a row without its line end, or an object without its closing brace.
    func begin(_ row: Row, _ object: JSONRow?, to output: inout ByteBuffer) {
        output.append(object?.opened ?? row.bytes)
    }

    /// Appends the closing brace of an object, and the row's own line end.
    func end(_ row: Row, _ object: JSONRow?, to output: inout ByteBuffer) {
        if let object { output.append(object.closing) }
        if row.lineEnd.isEmpty { output.append(lineEnd) } else { output.append(row.lineEnd) }
    }

    func append(_ value: CellValue, named name: AddedName, to output: inout ByteBuffer) throws(RowError) {
        switch value {
        case .string(let text):
            try text.withUTF8Bytes { text throws(RowError) in try append(text, named: name, to: &output) }
        case .null:
            appendName(name, to: &output)
            if to.separator == nil { output.append("null" as StaticString) }
        case .other(let text) where to.separator == nil:
            appendName(name, to: &output)
            output.append(text)
        case .other(let text):
            try append(.string(text), named: name, to: &output)
        }
    }

    /// Appends a string of another JSON text.
    func append(_ value: JSONValue, named name: AddedName, to output: inout ByteBuffer) throws(RowError) {
        if to.separator == nil {
            appendName(name, to: &output)
            JSONText.append(value, to: &output)
        } else {
            try value.withContent { text in
                Result { () throws(RowError) in try append(text, named: name, to: &output) }
            }.get()
        }
    }

    /// Appends a text. If it is plain, it is the same in any table and in JSON.
    func append(_ text: Bytes, named name: AddedName, isPlain: Bool = false, to output: inout ByteBuffer)
        throws(RowError)
    {
        appendName(name, to: &output)
        guard to.separator != nil else { return JSONText.append(quoting: text, isPlain: isPlain, to: &output) }
        if isPlain { return output.append(text) }
        // Many programs end the text there, or drop the character.
        guard text.firstIndex(of: 0, in: text.indices) == nil else {
            throw RowError(name.name, "a table can't contain the character NUL")
        }
        let isFormula = guardsFormulas && Formulas.isFormula(text, in: to)
        guard isFormula || to.isSpecial(text) else { return output.append(text) }
        guard let cell = to.cell((isFormula ? "'" : "") + text.string) else {
            throw RowError(name.name, "TSV can't contain its tab or line break")
        }
        output.append(cell)
    }

    /// Appends the separator of a cell, or the name of a member.
    private func appendName(_ name: AddedName, to output: inout ByteBuffer) {
        if let separator = to.separator { return output.append(separator) }
        if output.bytes.last != ASCII.openBrace { output.append(ASCII.comma) }
        output.append(name.json)
    }
}

/// The name of an added column or member.
struct AddedName: Sendable {
    let name: Name
    /// With quotation marks and a colon.
    fileprivate let json: [UInt8]

    init(_ name: Name) {
        self.name = name
        json = Array((JSONText.string(name.rawValue) + ":").utf8)
    }
}
