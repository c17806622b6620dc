/// Makes the same links as ``LinkMaker`` several times as fast, for rows without escapes, which are most rows.
///
/// The parts of a link that are the same for all rows are made once, with the library. It repeats only two of the
/// rules: the order of a payload's members, and the positions of the referrer and the campaign token. All other rows
/// are passed to ``LinkMaker``.
struct QuickLinks {
    /// The maximum length of a payload, which is on the stack.
    private static let maximumPayload = 1_024

    /// A link, split at the parts that differ between rows.
    private struct Pieces {
        /// The part before the campaign token, if there is one.
        var head: [UInt8]
        /// The part after the token, up to the payload.
        var middle: [UInt8] = []
        /// The part after the payload or the referrer.
        var tail: [UInt8]

        /// Whether the pieces need quotation marks in a cell, or can't be in a cell. The variable parts never do.
        func needQuotes(in format: RowFormat) -> Bool {
            let text = String(decoding: head + middle + tail, as: UTF8.self)
            return format.cell(text) != text
        }
    }

    private let referrer: Int
    private let campaignToken: Int?
    /// The columns that change the page.
    private let pageColumns: [Int]
    /// The parameters' columns in the order of the payload, each with the JSON before its value.
    private let parameters: [(column: Int, introduction: [UInt8])]

    private var withoutToken: Pieces?
    private var withToken: Pieces?
    /// The end of the payload before the referrer, which the pieces don't contain in base64; `nil` without a payload.
    private var payloadHead: [UInt8]?

    private let writer: RowWriter
    private let characters = CharacterTable()

    /// Returns `nil` for a table or an output that needs ``LinkMaker``.
    init?(_ maker: LinkMaker, _ columns: [LinkColumn], _ writer: RowWriter) {
        let to = writer.to
        guard maker.signer == nil, writer.from.separator != nil, to == writer.from || to == .txt,
            let referrer = columns.firstIndex(of: .referrer)
        else { return nil }
        self.referrer = referrer
        self.writer = writer
        campaignToken = columns.firstIndex(of: .part(.ct))
        pageColumns = columns.indices.filter { index in
            if case .part(let part) = columns[index] { part != .ct } else { false }
        }
        var names: [(name: String, column: Int)] = []
        for (column, role) in columns.enumerated() {
            guard case .parameter(let name) = role else { continue }
            guard name.utf8.allSatisfy(characters.isPlain), !Referral.reservedParameterNames.contains(name) else {
                return nil
            }
            names.append((name, column))
        }
        parameters = names.sorted { $0.name < $1.name }.map { ($0.column, Array("\",\"\($0.name)\":\"".utf8)) }

        if let landing = maker.landing {
            let pieces = Pieces(head: Array(landing.head.utf8), tail: Array(landing.tail.utf8))
            guard !pieces.needQuotes(in: to) else { return nil }
            withoutToken = pieces
            return
        }
        // The bytes that the library writes before the referrer. Whole groups of three are encoded once, and the rest with the referrer.
        guard let payload = try? Referral(referrer: "r", timestamp: maker.tap).payload.utf8 else { return nil }
        let head = Array(payload.dropLast(#"r"}"#.utf8.count))
        let encoded = head.count / 3 * 3
        payloadHead = Array(head[encoded...])
        let encodedHead = [UInt8](unsafeUninitializedCapacity: Base64.encodedCount(encoded)) { buffer, count in
            head[..<encoded].withUnsafeBufferPointer { Base64.encode($0, into: buffer) }
            count = Base64.encodedCount(encoded)
        }
        withoutToken = Self.pieces(maker.parts, encodedHead, token: nil, for: to)
        if campaignToken != nil {
            withToken = Self.pieces(maker.parts, encodedHead, token: "token-of-a-row", for: to)
        }
        if withoutToken == nil, withToken == nil { return nil }
    }
}

// MARK: - Pieces

extension QuickLinks {
    /// The pieces of a link to a page, with or without a campaign token.
    private static func pieces(_ parts: PageParts, _ payload: [UInt8], token: String?, for format: RowFormat) -> Pieces?
    {
        var parts = parts
        if let token { parts[.ct] = token }
        guard parts.identifyAnApp, let page = try? parts.storePage() else { return nil }
        let address = Array(page.template.address.utf8)
        let fragment = address.count - page.template.tailCount
        // Even the longest link must be valid.
        guard address.count + 2 * maximumPayload <= StoreAddress.maximumLength else { return nil }
        var pieces = Pieces(head: Array(address[..<fragment]) + payload, tail: Array(address[fragment...]))
        if let token {
            let places = pieces.head.indices.filter { pieces.head[$0...].starts(with: token.utf8) }
            guard places.count == 1 else { return nil }
            pieces.middle = Array(pieces.head[(places[0] + token.utf8.count)...])
            pieces.head = Array(pieces.head[..<places[0]])
        }
        return pieces.needQuotes(in: format) ? nil : pieces
    }
}

// MARK: - Rows

extension QuickLinks {
    /// Appends the row with its link, and returns the place of the link in the output. Returns `nil`, without effect, for
    /// a row that needs ``LinkMaker``.
    func append(_ row: RowScanner.Row, of scanner: borrowing RowScanner, to output: inout ByteBuffer) -> Range<Int>? {
        let bytes = scanner.bytes
        guard let referrer = value(self.referrer, scanner), !referrer.isEmpty else { return nil }
        for column in pageColumns where !scanner.cells[column].range.isEmpty { return nil }

        var pieces = withoutToken
        var token = Bytes(start: nil, count: 0)
        if let campaignToken {
            guard let value = value(campaignToken, scanner) else { return nil }
            if !value.isEmpty {
                guard value.count <= Campaign.maximumTokenLength, value.allSatisfy(characters.isUnreserved) else {
                    return nil
                }
                (pieces, token) = (withToken, value)
            }
        }
        guard let pieces else { return nil }
        let payloadCount = payloadCount(referrer, scanner)
        guard let payloadCount, payloadCount <= Self.maximumPayload else { return nil }

        // The format `txt` contains only the links.
        if let separator = writer.to.separator {
            output.append(bytes.part(row.range))
            output.append(separator)
        }
        let start = output.count
        output.append(pieces.head)
        output.append(token)
        output.append(pieces.middle)
        if payloadHead == nil {
            output.append(referrer)
        } else {
            appendPayload(referrer, payloadCount, scanner, to: &output)
        }
        output.append(pieces.tail)
        let end = output.count
        writer.append(lineEndOf: row, of: scanner, to: &output)
        return start..<end
    }

    /// The value of a cell without quotation marks.
    private func value(_ column: Int, _ scanner: borrowing RowScanner) -> Bytes? {
        let cell = scanner.cells[column]
        return cell.isQuoted ? nil : scanner.bytes.part(cell.range)
    }

    /// The length of the payload; `nil` if something in it must be escaped, or can't be on a landing page's address.
    private func payloadCount(_ referrer: Bytes, _ scanner: borrowing RowScanner) -> Int? {
        guard let payloadHead else {
            let isAlone = parameters.allSatisfy { scanner.cells[$0.column].range.isEmpty }
            return isAlone && referrer.allSatisfy(characters.isUnreserved) ? referrer.count : nil
        }
        guard referrer.allSatisfy(characters.isPlain) else { return nil }
        var count = payloadHead.count + referrer.count + 2
        for parameter in parameters {
            guard let value = value(parameter.column, scanner), value.allSatisfy(characters.isPlain) else { return nil }
            if !value.isEmpty { count += parameter.introduction.count + value.count }
        }
        return count
    }

    private func appendPayload(
        _ referrer: Bytes,
        _ count: Int,
        _ scanner: borrowing RowScanner,
        to output: inout ByteBuffer
    ) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { payload in
            var end = payload.update(fromContentsOf: payloadHead ?? [])
            end = payload[end...].update(fromContentsOf: referrer)
            for parameter in parameters {
                let cell = scanner.cells[parameter.column]
                guard !cell.range.isEmpty else { continue }
                end = payload[end...].update(fromContentsOf: parameter.introduction)
                end = payload[end...].update(fromContentsOf: scanner.bytes[cell.range])
            }
            payload[end] = ASCII.quote
            payload[end + 1] = ASCII.closeBrace
            output.append(room: Base64.encodedCount(count)) { room in
                Base64.encode(UnsafeBufferPointer(payload), into: room)
            }
        }
    }
}
