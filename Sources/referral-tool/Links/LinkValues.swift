import ReferralSiteCheck
import UnlockCatalog

/// The values of a row's link, as UTF-8 without the escapes of the table.
///
/// One of these reads all rows of a thread, so no row needs memory of its own.
struct LinkValues: ~Copyable {
    /// A part of the page that overrides the option of the same name.
    struct Override {
        let part: PageParts.Part
        let value: Range<Int>
    }

    struct Parameter {
        let name: Range<Int>
        let value: Range<Int>
    }

    /// The texts of the row.
    private var text = ByteBuffer(capacity: 4 << 10)
    private var referrerRange = 0..<0
    private var tokenRange = 0..<0
    /// The parts of the page except for the campaign token.
    private(set) var overrides: [Override] = []
    /// The parameters in the order of the payload.
    private(set) var parameters: [Parameter] = []
    /// Whether an object already has a member for the link.
    private(set) var hasLink = false

    /// A text of the row.
    subscript(range: Range<Int>) -> Bytes { text.bytes.part(range) }

    var referrer: Bytes { self[referrerRange] }

    /// The campaign token; empty if the row has none.
    var token: Bytes { self[tokenRange] }

    /// Whether the row has a page of its own.
    var hasPage: Bool { overrides.contains { $0.part == .page } }

    private mutating func removeAll() {
        text.removeAll()
        (referrerRange, tokenRange) = (0..<0, 0..<0)
        overrides.removeAll(keepingCapacity: true)
        parameters.removeAll(keepingCapacity: true)
        hasLink = false
    }
}

// MARK: - Reading

extension LinkValues {
    /// Reads a row of cells. An empty cell has no value.
    mutating func read(
        _ scanner: borrowing RowScanner,
        _ columns: [LinkColumn],
        names: [Name],
        of target: LinkTarget
    ) throws(RowError) {
        removeAll()
        for (index, cell) in scanner.cells.enumerated() where !cell.isEmpty {
            let column = columns[index]
            if case .other = column { continue }
            let start = text.count
            scanner.append(contentOf: cell, to: &text)
            guard self[start..<text.count].isUTF8 else { throw RowError(names[index], RowError.notUTF8Cell) }
            try set(column, start..<text.count, of: target)
        }
    }

    /// Reads an object. `null` isn't a value, and an empty string is one only for a parameter.
    mutating func read(_ object: JSONRow, _ roles: LinkRoles, _ known: inout KnownMembers) throws(RowError) {
        removeAll()
        let target = roles.target
        var seen: Set<Name> = []
        for (index, member) in object.members.enumerated() {
            let (_, key, column, isIgnored) = known.member(member.name, at: index, roles)
            if isIgnored {
                hasLink = hasLink || key == LinksCommand.column
                continue
            }
            guard seen.insert(key).inserted else { throw RowError(member.name, "it is given twice") }
            switch (column, member.value) {
            case (_, .null):
                break
            case (.other, .other(let text)) where text.utf8.first == ASCII.openBrace:
                try setParameters(text, of: target)
            case (.other, _):
                throw RowError(member.name, "it must be an object of strings")
            case (_, .string(let text)):
                try set(column, append(text), of: target)
            case (_, .other):
                throw RowError(member.name, "it must be a string")
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

    private mutating func set(_ column: LinkColumn, _ value: Range<Int>, of target: LinkTarget) throws(RowError) {
        switch column {
        case .referrer: referrerRange = value
        case .part(.ct): tokenRange = value
        case .part(let part): if !value.isEmpty { overrides.append(Override(part: part, value: value)) }
        case .parameter(let name): try set(name, value, of: target)
        case .other: break
        }
    }

    private mutating func set(_ name: String, _ value: Range<Int>, of target: LinkTarget) throws(RowError) {
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
        guard insert(Parameter(name: append(name), value: value)) else {
            throw RowError("param.\(name)", "it is given twice")
        }
    }

    /// Adds a parameter that the row doesn't have.
    mutating func add(_ name: String, _ value: String) {
        _ = insert(Parameter(name: append(name), value: append(value)))
    }

    /// Inserts a parameter in its place. Returns `false` if there is one with its name.
    private mutating func insert(_ parameter: Parameter) -> Bool {
        let place = ParameterList.place(among: parameters.count) {
            ParameterList.precedes(self[parameters[$0].name], self[parameter.name])
        }
        guard place == parameters.count || ParameterList.precedes(self[parameter.name], self[parameters[place].name])
        else { return false }
        parameters.insert(parameter, at: place)
        return true
    }

    private mutating func append(_ text: String) -> Range<Int> {
        let start = self.text.count
        self.text.append(text)
        return start..<self.text.count
    }
}

// MARK: - Payload

extension LinkValues {
    /// Throws if no payload can contain the values.
    func check() throws(RowError) {
        guard !referrer.isEmpty else { throw RowError("referrer", "missing") }
        do throws(ReferralError) {
            try Claims.check(length: length) { name in parameters.contains { isNamed(name, $0) } }
        } catch { throw RowError(error) }
    }

    /// Appends the payload of the values.
    func append(payload beginning: [UInt8], to buffer: inout ByteBuffer) {
        buffer.append(upTo: PayloadWriter.capacity(text: length, parameterCount: parameters.count)) { room in
            var writer = PayloadWriter(room, beginning, referrer)
            for parameter in parameters { writer.append(self[parameter.name], self[parameter.value]) }
            return writer.finish()
        }
    }

    /// The values as a signature covers them.
    var claims: Claims {
        var claims = Claims(referrer: string(referrer), parameters: ParameterList())
        for parameter in parameters { claims.set(string(self[parameter.name]), to: string(self[parameter.value])) }
        return claims
    }

    func isNamed(_ name: String, _ parameter: Parameter) -> Bool { self[parameter.name].elementsEqual(name.utf8) }

    func string(_ text: Bytes) -> String { String(decoding: text, as: UTF8.self) }

    /// The number of bytes of the referrer and the parameters.
    private var length: Int { parameters.reduce(referrer.count) { $0 + $1.name.count + $1.value.count } }
}
