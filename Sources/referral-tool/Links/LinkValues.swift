import ReferralSiteCheck
import UnlockCatalog

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

    /// The texts of the row. It has room for all of them before the row is read, so they stay where they are.
    private var text = ByteBuffer(capacity: 4 << 10)
    private(set) var referrer = Bytes(start: nil, count: 0)
    /// The campaign token; empty if the row has none.
    private(set) var token = Bytes(start: nil, count: 0)
    /// The parts of the page, except for the campaign token, that override the options of the same names.
    private(set) var overrides: [(part: PageParts.Part, value: Bytes)] = []
    /// The parameters in the order of the payload.
    private(set) var parameters: [Parameter] = []
    /// Whether an object already has a member for the link.
    private(set) var hasLink = false
    /// Whether white space around the referrer was removed.
    private(set) var isTrimmed = false

    /// Whether the row has a page of its own.
    var hasPage: Bool { overrides.contains { $0.part == .page } }

    private mutating func removeAll(capacity: Int) {
        text.removeAll()
        // A signature and the names of the parameters come after the row's own texts.
        text.reserve(capacity + Self.signatureLength)
        (referrer, token) = (Bytes(start: nil, count: 0), Bytes(start: nil, count: 0))
        overrides.removeAll(keepingCapacity: true)
        parameters.removeAll(keepingCapacity: true)
        (hasLink, isTrimmed) = (false, false)
    }

    private mutating func append(_ string: String) -> Bytes {
        precondition(text.hasRoom(for: string.utf8.count))
        let start = text.count
        text.append(string)
        return text.bytes.part(start..<text.count)
    }
}

// MARK: - Reading

extension LinkValues {
    /// Reads a row of cells. An empty cell has no value.
    mutating func read(_ row: Row, _ columns: LinkColumns) throws(RowError) {
        removeAll(capacity: row.range.count + columns.nameLength)
        for column in columns.used {
            let cell = row.cells[column.index]
            guard !cell.isEmpty else { continue }
            let start = text.count
            row.append(contentOf: cell, to: &text)
            let value = text.bytes.part(start..<text.count)
            guard value.isUTF8 else { throw RowError(column.name, RowError.notUTF8Cell) }
            try set(column.role, value, of: columns.roles.target)
        }
    }

    /// Reads an object. `null` isn't a value, and an empty string is one only for a parameter.
    mutating func read(_ object: JSONRow, _ roles: LinkRoles, ignored: inout IgnoredNames) throws(RowError) {
        removeAll(capacity: object.opened.count)
        var seen: Set<Name> = []
        for member in object.members {
            let key = Columns.key(member.name)
            let role = roles.role(ofKey: key)
            if role == .other, key != "parameters" {
                ignored.insert(member.name)
                hasLink = hasLink || key == LinksCommand.column
                continue
            }
            guard seen.insert(key).inserted else { throw RowError(member.name, "it is given twice") }
            switch (role, member.value) {
            case (_, .null): break
            case (.other, .other(let text)) where text.utf8.first == ASCII.openBrace:
                try setParameters(text, of: roles.target)
            case (.other, _): throw RowError(member.name, "it must be an object of strings")
            case (_, .string(let text)): try set(role, append(text), of: roles.target)
            case (_, .other): throw RowError(member.name, "it must be a string")
            }
        }
    }

    private mutating func setParameters(_ object: String, of target: LinkTarget) throws(RowError) {
        // The object was already parsed as a part of the row.
        for member in object.withUTF8Bytes({ try? JSONRow.members(of: $0) }) ?? [] {
            let name = member.name.rawValue
            guard !Columns.isTooLong(member.name) else { throw RowError("parameters.\(name)", Columns.tooLongName) }
            guard case .string(let text) = member.value else {
                throw RowError("parameters.\(name)", "it must be a string")
            }
            try set(.parameter(name), append(text), of: target)
        }
    }

    private mutating func set(_ role: LinkRole, _ value: Bytes, of target: LinkTarget) throws(RowError) {
        switch role {
        case .referrer:
            referrer = ReferrerText.trimmed(value)
            isTrimmed = referrer.count < value.count
        case .part(.ct): token = value
        case .part(let part): if !value.isEmpty { overrides.append((part, value)) }
        case .parameter(let name): try set(name, value, of: target)
        case .other: break
        }
    }

    private mutating func set(_ name: String, _ value: Bytes, of target: LinkTarget) throws(RowError) {
        if case .landingPage(let items) = target {
            if value.isEmpty { return }
            guard items.contains(name) else {
                throw RowError(
                    "param.\(name)",
                    "a link to a landing page can contain it only if --item names it or if the link is signed; "
                        + "give --item \(name: name) or --sign, or omit --landing"
                )
            }
        }
        guard insert(append(name), value) else { throw RowError("param.\(name)", "it is given twice") }
    }

    /// Inserts a parameter in its place. Returns `false` if there is one with its name.
    private mutating func insert(_ name: Bytes, _ value: Bytes) -> Bool {
        let place = ParameterList.place(among: parameters.count) {
            ParameterList.precedes(parameters[$0].name, name)
        }
        guard place == parameters.count || ParameterList.precedes(name, parameters[place].name) else { return false }
        parameters.insert(Parameter(name: name, value: value), at: place)
        return true
    }
}

// MARK: - Payload

extension LinkValues {
    /// Throws if no payload can contain the values.
    func check() throws(RowError) {
        guard !referrer.isEmpty else { throw RowError("referrer", "missing") }
        do throws(ReferralError) {
            try Claims.check(length: length) { name in
                !parameters.isEmpty && parameters.contains { $0.name.elementsEqual(name.utf8) }
            }
        } catch { throw RowError(error) }
    }

    /// Adds the parameters of a signature.
    mutating func sign(with signer: LinkSigner, for appID: AppID) throws(RowError) {
        var claims = claims
        try signer.sign(&claims, for: appID)
        for name in LinkSigner.reservedNames {
            if let value = claims.parameters[name] { _ = insert(append(name), append(value)) }
        }
    }

    /// Appends the payload of the values from the referrer on.
    func append(payloadTo buffer: inout ByteBuffer) {
        buffer.append(upTo: PayloadWriter.capacity(text: length, parameterCount: parameters.count)) { room in
            var writer = PayloadWriter(room, [], referrer)
            for parameter in parameters { writer.append(parameter.name, parameter.value) }
            return writer.finish()
        }
    }

    /// The values as a signature covers them.
    var claims: Claims {
        var claims = Claims(referrer: referrer.string, parameters: ParameterList())
        for parameter in parameters { claims.set(parameter.name.string, to: parameter.value.string) }
        return claims
    }

    /// The number of bytes of the referrer and the parameters.
    private var length: Int { parameters.reduce(referrer.count) { $0 + $1.name.count + $1.value.count } }
}
