import ReferralSiteCheck

/// A column that the links use.
typealias LinkColumn = (index: Int, name: Name, role: LinkRole)

/// The values of a row's link, as UTF-8 without the escapes of the table.
///
/// One of these reads all rows of a thread, so no row needs memory of its own.
struct LinkValues: ~Copyable {
    struct Parameter {
        let name: Bytes
        let value: Bytes
    }

    /// More than the names and values of the parameters of a signature.
    private static let signatureLength = 256

    /// Texts that aren't in the row as they are. It has room for all of them before the row is read, so they stay where they are.
    private var copies = ByteBuffer(capacity: 4 << 10)
    private(set) var referrer = Bytes.empty
    /// The campaign token; empty if the row has none.
    private(set) var token = Bytes.empty
    /// The parts of the page, except for the campaign token, that override the options of the same names.
    private(set) var overrides: [(part: PageParts.Part, value: Bytes)] = []
    /// The parameters in the order of the payload.
    private(set) var parameters: [Parameter] = []
    /// Whether white space around the referrer was removed.
    private(set) var isTrimmed = false

    private mutating func removeAll(capacity: Int) {
        copies.removeAll()
        copies.makeRoom(for: capacity + Self.signatureLength)
        (referrer, token, isTrimmed) = (.empty, .empty, false)
        // Most rows have none, and this takes as long as a short cell.
        if !overrides.isEmpty { overrides.removeAll(keepingCapacity: true) }
        if !parameters.isEmpty { parameters.removeAll(keepingCapacity: true) }
    }

    /// Reads a row of cells. An empty cell has no value.
    mutating func read(_ row: Row, _ columns: [LinkColumn], _ options: LinkOptions) throws(RowError) {
        // A column is not copied: that would count its owners.
        let places = columns.indices
        removeAll(capacity: row.range.count + places.reduce(0) { $0 + columns[$1].name.rawValue.utf8.count })
        for place in places {
            let cell = row.cells[columns[place].index]
            guard !cell.isEmpty else { continue }
            let value = row.content(of: cell, &copies)
            guard value.isUTF8 else { throw RowError(columns[place].name.rawValue, RowError.notUTF8) }
            try set(columns[place].role, value, options)
        }
    }

    /// Reads an object. `null` isn't a value, and an empty string is one only for a parameter.
    mutating func read(_ object: JSONRow, _ options: LinkOptions, _ counts: inout Counts) throws(RowError) {
        removeAll(capacity: object.opened.count)
        var seen: Set<Name> = []
        for (name, value) in object.members {
            let role = options.role(of: name)
            guard role != .other else {
                counts.ignore(name)
                continue
            }
            guard seen.insert(Columns.key(name)).inserted else { throw RowError(name.rawValue, "it is given twice") }
            if value.isNull { continue }
            if case .parameter(let name) = role, LinkOptions.isReserved(name) {
                throw RowError(.reservedParameterName(name))
            }
            guard let text = value.string else { throw RowError(name.rawValue, "it must be a string") }
            try set(role, copy(text), options)
        }
    }

    private mutating func set(_ role: LinkRole, _ value: Bytes, _ options: LinkOptions) throws(RowError) {
        switch role {
        case .referrer:
            referrer = ReferrerText.trimmed(value)
            isTrimmed = referrer.count < value.count
        case .part(.ct): token = value
        case .part(let part): if !value.isEmpty { overrides.append((part, value)) }
        case .parameter(let name):
            if try options.contain(parameter: name, value) { insert(copy(name), value) }
        case .other: break
        }
    }

    private mutating func copy(_ text: String) -> Bytes {
        precondition(copies.hasRoom(for: text.utf8.count))
        let start = copies.count
        copies.append(text)
        return copies.bytes.part(start..<copies.count)
    }

    /// Inserts a parameter in its place.
    private mutating func insert(_ name: Bytes, _ value: Bytes) {
        let place = (parameters.lastIndex { Claims.precedes($0.name, name) } ?? -1) + 1
        parameters.insert(Parameter(name: name, value: value), at: place)
    }
}

// MARK: - Payload

extension LinkValues {
    /// Throws if no payload can contain the values.
    func check() throws(RowError) {
        guard !referrer.isEmpty else { throw RowError("referrer", "missing") }
        guard length <= Referral.maximumPayloadLength else { throw RowError(.payloadTooLong) }
    }

    /// Adds the parameters of a signature.
    mutating func sign(with signer: LinkSigner, for appID: AppID) throws(RowError) {
        var claims = claims
        try signer.sign(&claims, for: appID)
        for name in LinkSigner.reservedNames {
            if let value = claims[name] { insert(copy(name), copy(value)) }
        }
    }

    /// Appends the payload of the values after its beginning.
    func append(payloadTo buffer: inout ByteBuffer, after beginning: [UInt8]) {
        // An escape takes at most six bytes, as does a parameter's punctuation.
        buffer.append(upTo: beginning.count + 6 * (length + parameters.count) + 3) { room in
            var json = JSONWriter(room)
            beginning.withUnsafeBufferPointer { json.append($0) }
            json.append(quoting: referrer)
            for parameter in parameters { json.append(member: parameter.name, parameter.value) }
            json.append("}")
            return json.count
        }
    }

    /// The values as a signature covers them.
    var claims: Claims {
        Claims(referrer: referrer.string, ordered: parameters.map { ($0.name.string, $0.value.string) })
    }

    /// The number of bytes of the referrer and the parameters.
    private var length: Int { parameters.reduce(referrer.count) { $0 + $1.name.count + $1.value.count } }
}

/// The white space around a referrer isn't a part of it, as in the builder: cells that look alike name the same referrer.
enum ReferrerText {
    static let note: Sentence = "white space around a referrer isn't a part of it"

    /// A referrer without the white space around it, as JavaScript's `trim` removes it.
    static func trimmed(_ text: Bytes) -> Bytes {
        // Most referrers begin and end with a letter.
        guard let first = text.first, let last = text.last, !isVisible(first) || !isVisible(last) else { return text }
        let scalars = text.string.unicodeScalars
        let rest = scalars.drop(while: isWhiteSpace)
        let start = text.count - Substring(rest).utf8.count
        let ending = rest.reversed().prefix(while: isWhiteSpace).reduce(0) { $0 + UTF8.width($1) }
        return text.part(start..<text.count - ending)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { 0x21..<0x7F ~= byte }

    private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace && scalar != "\u{85}" || scalar == "\u{FEFF}"
    }
}
