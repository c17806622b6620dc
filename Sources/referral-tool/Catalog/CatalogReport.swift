import UnlockCatalog

/// The report on one catalog.
struct CatalogReport {
    private let file: String
    private let checks: CatalogChecks
    private let reading: CatalogReading
    /// The offers, if they were requested.
    private let offers: [ShopOffer]?
    /// The number of files, if they were compared.
    private let fileCount: Int?
    /// The result for its signature, if it was requested.
    private let signature: SignatureFile.Outcome?

    /// Whether something is left out or isn't as it should be.
    var hasProblems: Bool { reading.hasProblems }

    /// Whether an operand is an address, and not a file.
    static func isAddress(_ operand: String) -> Bool { operand.contains("://") }

    /// Throws an error if a catalog is from standard input, for an option that needs the names of the catalogs.
    static func requireNames(in arguments: Arguments, for option: any AnyOption) throws(ToolError) {
        guard !arguments.operands.contains("-") else {
            throw .usage("\(name: option.name) needs the file's name, so it can't be used with standard input")
        }
    }

    /// Throws an error if a catalog isn't a file, for an option that writes files.
    static func requireFiles(in arguments: Arguments, for option: any AnyOption) throws(ToolError) {
        try requireNames(in: arguments, for: option)
        if let address = arguments.operands.first(where: isAddress) {
            throw .usage("\(name: option.name) writes a file, so it can't be used with the address \(quoted: address)")
        }
    }

    init(of operand: String, _ checks: CatalogChecks) throws(ToolError) {
        let (name, bytes) = try Self.bytes(of: operand, toWrite: checks.writesFiles)
        var reading = try CatalogReading(bytes, named: name)
        fileCount = try checks.folder.map { folder throws(ToolError) in
            let files = FileComparison(of: reading.text, in: folder)
            let corrected = checks.writesFiles ? try Self.corrected(reading, files, named: name) : nil
            if let corrected {
                try ByteStream.replaceFile(
                    operand,
                    with: String(decoding: corrected.bytes, as: UTF8.self),
                    otherThan: []
                )
                reading = corrected
            } else {
                reading.add(files.missing + files.wrong, named: name)
            }
            return files.count
        }
        offers = checks.context.map { Self.offers(of: reading.catalog, in: $0) }
        signature = try checks.signature?.apply(to: operand, reading.bytes)
        file = name
        self.checks = checks
        self.reading = reading
    }

    private static func bytes(
        of operand: String,
        toWrite: Bool
    ) throws(ToolError) -> (name: String, bytes: [UInt8]?) {
        let limit = ShopCatalog.maximumLength
        if isAddress(operand) { return (operand, try Curl.fetch(operand, atMost: limit)) }
        if operand == "-" { return (ByteStream.input.name, try ByteStream.input.readAll(atMost: limit)) }
        let stream = try ByteStream(reading: operand)
        // An open file is overwritten instead of replaced.
        defer { stream.close() }
        guard !toWrite || stream.size != nil else {
            throw .inputOutput("can't write \(quoted: operand): it is not a regular file")
        }
        return (stream.name, try stream.readAll(atMost: limit))
    }

    /// The catalog with the lengths and digests of its files; `nil` if it has them, or if something else is wrong.
    private static func corrected(
        _ reading: CatalogReading,
        _ files: FileComparison,
        named name: String
    ) throws(ToolError) -> CatalogReading? {
        guard files.hasEdits, files.missing.isEmpty else { return nil }
        let (bytes, changes) = files.edited
        guard bytes.count <= ShopCatalog.maximumLength else {
            throw .badData(
                "\(whole: name): with the lengths and digests it would have more than \(ShopCatalog.maximumLength) bytes"
            )
        }
        var corrected = try CatalogReading(bytes, named: name)
        guard !corrected.hasProblems else { return nil }
        corrected.add(changes, named: name)
        return corrected
    }

    /// The store isn't asked, so every product counts as known.
    private static func offers(of catalog: ShopCatalog, in context: ShopContext) -> [ShopOffer] {
        let products = Set(catalog.items.compactMap(\.productID))
        return catalog.offers(in: context, Holdings(price: { products.contains($0) ? "" : nil }))
    }

    /// One line per finding, one for the catalog, and then one per offer.
    var text: String {
        let findings = reading.findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        var text = findings.map(\.text).joined()
        text += TerminalText.escaped("\(file): \(summary.joined(separator: ", "))") + "\n"
        let rows = (offers ?? []).map {
            [TerminalText.escaped($0.item.id.rawValue), $0.state.text, $0.text?.title ?? ""]
        }
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let title = TerminalText.escaped(row[2])
            text += "  \(cells[0])  \(title.isEmpty ? row[1] : cells[1] + "  " + title)\n"
        }
        return text
    }

    private var summary: [String] {
        let catalog = reading.catalog
        var parts = [
            "revision \(catalog.revision)", Self.count(catalog.items.count, "item"),
            Self.count(catalog.rewards.count, "reward"), "\(catalog.rejections.count { !$0.isMemberOnly }) left out",
        ]
        if let fileCount { parts.append(Self.count(fileCount, "file")) }
        if checks.writesFiles {
            let changes = reading.findings(.changes).count
            parts.append(hasProblems ? "nothing written" : Self.count(changes, "change"))
        }
        return parts + (signature.map { [$0.text] } ?? [])
    }

    var json: String {
        let catalog = reading.catalog
        func list(_ list: CatalogFinding.List) -> (String, String) {
            (list.rawValue, JSONWriter.array(reading.findings(list).map(\.json)))
        }
        var members = [
            ("file", JSONText.string(file)), ("revision", String(catalog.revision)),
            ("items", String(catalog.items.count)), ("rewards", String(catalog.rewards.count)),
            list(.findings), list(.notes),
        ]
        if checks.folder != nil { members.append(list(.files)) }
        if checks.writesFiles { members.append(list(.changes)) }
        if let offers { members.append(("offers", JSONWriter.array(offers.map(\.json)))) }
        if let signature { members.append(("signature", JSONText.string(signature.rawValue))) }
        return JSONText.object(members)
    }

    private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

private extension ShopOffer {
    var json: String {
        var members = [("id", JSONText.string(item.id.rawValue)), ("state", JSONText.string(state.name))]
        if case .updateFirst(let minimum) = state { members.append(("minimum", JSONText.string(minimum))) }
        return JSONText.object(members + [("title", text.map { JSONText.string($0.title) } ?? "null")])
    }
}

private extension ShopOffer.State {
    var name: String {
        switch self {
        case .hidden: "hidden"
        case .updateFirst: "updateFirst"
        case .included: "included"
        case .owned: "owned"
        case .paid: "paid"
        case .checking: "checking"
        case .waiting: "waiting"
        case .free: "free"
        case .forSale: "forSale"
        case .otherPlan: "otherPlan"
        case .unavailable: "unavailable"
        }
    }

    var text: String {
        switch self {
        case .updateFirst(let minimum): "update to \(minimum) first"
        case .forSale: "for sale"
        default: name
        }
    }
}
