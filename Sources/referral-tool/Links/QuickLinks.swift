import ReferralBridge

/// The quick way to the same links, for rows in which nothing has to be escaped, which are nearly all.
///
/// A link is then a row of pieces, most of them the same for all rows. The plain way is asked once what these are, and each
/// row's link is copied together from them and its cells. Any other row is left to the plain way, so that no rule of writing
/// stands here as well.
struct QuickLinks {
    /// The longest payload that is made here: it lies on the stack.
    private static let longestPayload = 1_024

    /// A link, cut where rows differ.
    private struct Pieces {
        /// In front of the campaign token, if there is one.
        var head: [UInt8]
        /// Behind it.
        var middle: [UInt8] = []
        /// Behind the payload or the referrer.
        var tail: [UInt8]
    }

    private let referrer: Int
    private let campaignToken: Int?
    /// The columns that make another page of it.
    private let pageColumns: [Int]
    /// The parameters' columns in the order of the payload, each with what stands in front of its value.
    private let parameters: [(column: Int, introduction: [UInt8])]

    private var withoutToken: Pieces?
    private var withToken: Pieces?
    /// The payload up to the referrer, less what `Pieces` hold of it already; `nil` where a link has no payload.
    private var payloadHead: [UInt8]?

    private let writer: RowWriter
    private let characters = CharacterTable()

    /// The quick way for a table; `nil` where it has none.
    init?(_ plan: LinkMaker.Plan, _ columns: [LinkColumn], _ writer: RowWriter) {
        let to = writer.to
        guard writer.from.separator != nil, to == writer.from || to == .txt,
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
            guard name.utf8.allSatisfy(characters.isPlain), !["timestamp", "referrer"].contains(name) else {
                return nil
            }
            names.append((name, column))
        }
        parameters = names.sorted { $0.name < $1.name }.map { ($0.column, Array("\",\"\($0.name)\":\"".utf8)) }

        if let landing = plan.landing {
            withoutToken = Self.quoted(Pieces(head: Array(landing.head.utf8), tail: Array(landing.tail.utf8)), for: to)
            return
        }
        // What the plain way writes in front of the referrer, in base64 as far as that goes.
        guard let payload = try? Referral(referrer: "r", timestamp: plan.tap).payload.utf8 else { return nil }
        let head = Array(payload.dropLast(#"r"}"#.utf8.count))
        let encoded = head.count / 3 * 3
        payloadHead = Array(head[encoded...])
        let encodedHead = [UInt8](unsafeUninitializedCapacity: EncodedData.encodedCount(encoded)) { buffer, count in
            head[..<encoded].withUnsafeBufferPointer { EncodedData.encode($0, into: buffer) }
            count = EncodedData.encodedCount(encoded)
        }
        withoutToken = Self.pieces(plan.parts, encodedHead, token: nil, for: to)
        if campaignToken != nil {
            withToken = Self.pieces(plan.parts, encodedHead, token: "token-of-a-row", for: to)
        }
        if withoutToken == nil, withToken == nil { return nil }
    }
}

// MARK: - Pieces

extension QuickLinks {
    /// The pieces of a link to a page, with a campaign token or without.
    private static func pieces(_ parts: PageParts, _ payload: [UInt8], token: String?, for format: RowFormat) -> Pieces?
    {
        var parts = parts
        if let token { parts[.ct] = token }
        guard parts.identifyAnApp, let page = try? parts.storePage() else { return nil }
        let address = Array(page.template.address.utf8)
        let fragment = address.count - page.template.tailCount
        // The longest row's link is as long as a link may be at most.
        guard address.count + 2 * longestPayload <= 65_536 else { return nil }
        var pieces = Pieces(head: Array(address[..<fragment]) + payload, tail: Array(address[fragment...]))
        if let token {
            let places = pieces.head.indices.filter { pieces.head[$0...].starts(with: token.utf8) }
            guard places.count == 1 else { return nil }
            pieces.middle = Array(pieces.head[(places[0] + token.utf8.count)...])
            pieces.head = Array(pieces.head[..<places[0]])
        }
        return quoted(pieces, for: format)
    }

    /// The same pieces as those of a cell: only they can hold what makes quotes necessary.
    private static func quoted(_ pieces: Pieces, for format: RowFormat) -> Pieces? {
        let text = String(decoding: pieces.head + pieces.middle + pieces.tail, as: UTF8.self)
        guard let cell = CellText.quoted(text, for: format) else { return nil }
        guard cell != text else { return pieces }
        func doubled(_ bytes: [UInt8]) -> [UInt8] { bytes.flatMap { $0 == ASCII.quote ? [$0, $0] : [$0] } }
        return Pieces(
            head: [ASCII.quote] + doubled(pieces.head),
            middle: doubled(pieces.middle),
            tail: doubled(pieces.tail) + [ASCII.quote]
        )
    }
}

// MARK: - Rows

extension QuickLinks {
    /// Appends the row with its link; `false`, and nothing, where it takes the plain way.
    func append(_ row: RowScanner.Row, of scanner: borrowing RowScanner, to output: inout ByteBuffer) -> Bool {
        let bytes = scanner.bytes
        guard let referrer = value(self.referrer, scanner), !referrer.isEmpty else { return false }
        for column in pageColumns where !scanner.cells[column].range.isEmpty { return false }

        var pieces = withoutToken
        var token = Bytes(start: nil, count: 0)
        if let campaignToken {
            guard let value = value(campaignToken, scanner) else { return false }
            if !value.isEmpty {
                guard value.count <= Campaign.maximumTokenLength, value.allSatisfy(characters.isUnreserved) else {
                    return false
                }
                (pieces, token) = (withToken, value)
            }
        }
        guard let pieces else { return false }
        let payloadCount = payloadCount(referrer, scanner)
        guard let payloadCount, payloadCount <= Self.longestPayload else { return false }

        output.makeRoom(
            for: row.range.count + pieces.head.count + token.count + pieces.middle.count
                + EncodedData.encodedCount(payloadCount) + pieces.tail.count + 1
        )
        // Text is the links alone.
        if let separator = writer.to.separator {
            output.appendUnchecked(bytes.part(row.range))
            output.appendUnchecked(separator)
        }
        output.appendUnchecked(pieces.head)
        output.appendUnchecked(token)
        output.appendUnchecked(pieces.middle)
        if payloadHead == nil {
            output.appendUnchecked(referrer)
        } else {
            appendPayload(referrer, payloadCount, scanner, to: &output)
        }
        output.appendUnchecked(pieces.tail)
        writer.append(lineEndOf: row, of: scanner, to: &output)
        return true
    }

    /// A cell's value where it stands, if it has no quotes.
    private func value(_ column: Int, _ scanner: borrowing RowScanner) -> Bytes? {
        let cell = scanner.cells[column]
        return cell.isQuoted ? nil : scanner.bytes.part(cell.range)
    }

    /// How long the payload will be; `nil` where something in it has to be escaped.
    private func payloadCount(_ referrer: Bytes, _ scanner: borrowing RowScanner) -> Int? {
        guard let payloadHead else { return referrer.allSatisfy(characters.isUnreserved) ? referrer.count : nil }
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
            output.appendUnchecked(room: EncodedData.encodedCount(count)) { room in
                EncodedData.encode(UnsafeBufferPointer(payload), into: room)
                return room.count
            }
        }
    }
}
