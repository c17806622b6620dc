/// Why a JSON text can't be read.
package enum JSONError: Error {
    /// It isn't JSON by RFC 8259, or not of the expected type.
    case invalid
    /// Its arrays and objects are nested more than 64 deep.
    case nestedTooDeeply
    /// A string contains one half of a surrogate pair without the other.
    case loneSurrogate
}

/// Reads a JSON text as RFC 8259 defines it, without interpreting it.
///
/// The text must be UTF-8. Values are views of it, and nothing is copied until a string is requested.
package struct JSONReader {
    /// How deep arrays and objects may be nested; the outermost one is 1.
    static let maximumDepth = 64

    private let bytes: Bytes
    private let end: Int
    /// The next byte to read. After an error, the byte where the text stops being JSON.
    package private(set) var position: Int
    private var depth = 0

    package init(_ bytes: Bytes) { self.init(bytes, bytes.indices) }

    /// Creates a reader of a part of a text. The ranges of its values are those in the whole text.
    package init(_ bytes: Bytes, _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Reads the whole text as one object, and passes each of its members to a function.
    package mutating func readObject(
        _ member: (_ name: JSONValue, _ value: JSONValue) throws(JSONError) -> Void
    ) throws(JSONError) {
        try whole(ASCII.openBrace) { reader throws(JSONError) in try reader.object(member) }
    }

    /// Reads the whole text as one array, and passes each of its values to a function.
    package mutating func readArray(_ element: (_ value: JSONValue) throws(JSONError) -> Void) throws(JSONError) {
        try whole(ASCII.openBracket) { reader throws(JSONError) in try reader.array(element) }
    }

    private mutating func whole(
        _ opening: UInt8,
        _ read: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        skipWhiteSpace()
        guard byte == opening else { throw .invalid }
        try read(&self)
        skipWhiteSpace()
        guard position == end else { throw .invalid }
    }
}

// MARK: - Values

private extension JSONReader {
    mutating func value() throws(JSONError) -> JSONValue {
        skipWhiteSpace()
        let start = position
        switch byte {
        case ASCII.quote: return try string()
        case ASCII.dash, UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        case ASCII.openBrace: try object { _, _ in }
        case ASCII.openBracket: try array { _ in }
        case UInt8(ascii: "t"): try expect("true")
        case UInt8(ascii: "f"): try expect("false")
        case UInt8(ascii: "n"): try expect("null")
        default: throw .invalid
        }
        return JSONValue(bytes: bytes, range: start..<position)
    }

    mutating func object(_ member: (JSONValue, JSONValue) throws(JSONError) -> Void) throws(JSONError) {
        try elements(closedBy: ASCII.closeBrace) { reader throws(JSONError) in
            let name = try reader.string()
            reader.skipWhiteSpace()
            try reader.expect(":")
            try member(name, try reader.value())
        }
    }

    mutating func array(_ element: (JSONValue) throws(JSONError) -> Void) throws(JSONError) {
        try elements(closedBy: ASCII.closeBracket) { reader throws(JSONError) in try element(reader.value()) }
    }

    mutating func elements(
        closedBy closing: UInt8,
        _ element: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        depth += 1
        guard depth <= Self.maximumDepth else { throw .nestedTooDeeply }
        position += 1
        skipWhiteSpace()
        if !skip(closing) {
            repeat {
                skipWhiteSpace()
                try element(&self)
                skipWhiteSpace()
            } while skip(ASCII.comma)
            guard skip(closing) else { throw .invalid }
        }
        depth -= 1
    }

    mutating func number() throws(JSONError) {
        skip(ASCII.dash)
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(ASCII.plus) { skip(ASCII.dash) }
            try digits()
        }
    }

    mutating func digits() throws(JSONError) {
        let start = position
        while ASCII.isDigit(byte) { position += 1 }
        guard position > start else { throw .invalid }
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func string() throws(JSONError) -> JSONValue {
        let start = position
        guard skip(ASCII.quote) else { throw .invalid }
        var hasEscapes = false
        while true {
            position = bytes[position..<end].firstIndex(where: JSONWriter.needsEscape) ?? end
            if skip(ASCII.quote) { break }
            guard byte == ASCII.backslash else { throw .invalid }
            hasEscapes = true
            _ = try escape()
        }
        return JSONValue(bytes: bytes, range: start..<position, hasEscapes: hasEscapes)
    }

    /// Reads the content of a string whose escapes are valid, none of which is shorter than its character.
    consuming func content() -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(end - position)
        while position < end {
            let next = bytes[position..<end].place(of: ASCII.backslash) ?? end
            content += bytes[position..<next]
            position = next
            if next < end, let scalar = try? escape() { content += scalar.utf8 }
        }
        return content
    }

    /// Reads an escape, or the two escapes of a surrogate pair.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        position += 1
        let letter = byte
        position += 1
        switch letter {
        case ASCII.quote, ASCII.backslash, ASCII.slash: return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw .invalid
        }
        let unit = try hexadecimalUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), skip(ASCII.backslash), skip(UInt8(ascii: "u")) else { throw .loneSurrogate }
        let trail = try hexadecimalUnit()
        guard UTF16.isTrailSurrogate(trail) else { throw .loneSurrogate }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func hexadecimalUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = ASCII.hexadecimalValue(byte) else { throw .invalid }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}

// MARK: - Bytes

private extension JSONReader {
    /// The next byte; NUL at the end, since JSON never contains it.
    var byte: UInt8 {
        position < end ? bytes[position] : 0
    }

    @discardableResult
    mutating func skip(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        position += 1
        return true
    }

    mutating func expect(_ text: StaticString) throws(JSONError) {
        for expected in text.utf8 where !skip(expected) { throw .invalid }
    }

    mutating func skipWhiteSpace() {
        while byte == ASCII.space || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}
