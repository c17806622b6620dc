/// Reads a JSON text as RFC 8259 defines it, without interpreting it.
///
/// The text must be UTF-8. The reader returns ranges of it, and copies nothing until somebody asks for a string.
package struct JSONReader {
    /// How deep arrays and objects may be nested; the outermost one is 1.
    static let maximumDepth = 64

    /// A string in the text.
    package struct Text {
        /// The bytes between the quotes.
        package let range: Range<Int>
        package let hasEscapes: Bool
    }

    package enum Value {
        case string(Text)
        case number(Range<Int>)
        /// An object, an array, `true`, `false` or `null`.
        case other(Range<Int>)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The next byte to read. After an error, it is the one that isn't JSON, or the end.
    package private(set) var position = 0
    private var depth = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Reads the whole text as one object, and passes each of its members to a function.
    package mutating func readObject(
        _ member: (_ name: Text, _ value: Value, _ reader: JSONReader) throws(ReferralError) -> Void
    ) throws(ReferralError) {
        try begin(with: ASCII.openBrace)
        try object(member)
        try end()
    }

    /// Reads the whole text as one array, and passes each of its values to a function.
    package mutating func readArray(_ element: (_ value: Value) throws(ReferralError) -> Void) throws(ReferralError) {
        try begin(with: UInt8(ascii: "["))
        try array(element)
        try end()
    }

    private mutating func begin(with opening: UInt8) throws(ReferralError) {
        skipWhiteSpace()
        guard byte == opening else { throw .invalidJSON }
    }

    private mutating func end() throws(ReferralError) {
        skipWhiteSpace()
        guard position == bytes.endIndex else { throw .invalidJSON }
    }
}

// MARK: - Copying

extension JSONReader {
    /// Reads a value, and returns its text. If a member is repeated, only the last one is in it.
    mutating func valueWithoutRepeats() throws(ReferralError) -> [UInt8] {
        skipWhiteSpace()
        let start = position
        switch byte {
        case ASCII.openBrace:
            var members: [String: [UInt8]] = [:]
            try elements(closedBy: ASCII.closeBrace) { reader throws(ReferralError) in
                let start = reader.position
                let name = reader.content(of: try reader.name())
                members[name] = Array(reader.bytes[start..<reader.position]) + (try reader.valueWithoutRepeats())
            }
            return Self.list(Array(members.values), in: ASCII.openBrace, ASCII.closeBrace)
        case UInt8(ascii: "["):
            var values: [[UInt8]] = []
            try elements(closedBy: UInt8(ascii: "]")) { reader throws(ReferralError) in
                values.append(try reader.valueWithoutRepeats())
            }
            return Self.list(values, in: UInt8(ascii: "["), UInt8(ascii: "]"))
        default:
            _ = try value()
            return Array(bytes[start..<position])
        }
    }

    private static func list(_ elements: [[UInt8]], in opening: UInt8, _ closing: UInt8) -> [UInt8] {
        var list = [opening]
        for element in elements {
            if list.count > 1 { list.append(ASCII.comma) }
            list += element
        }
        return list + [closing]
    }
}

// MARK: - Values

private extension JSONReader {
    mutating func value() throws(ReferralError) -> Value {
        skipWhiteSpace()
        let start = position
        switch byte {
        case ASCII.quote:
            return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number())
        case ASCII.openBrace:
            try object { _, _, _ in }
        case UInt8(ascii: "["):
            try array { _ in }
        case UInt8(ascii: "t"):
            try expect("true")
        case UInt8(ascii: "f"):
            try expect("false")
        case UInt8(ascii: "n"):
            try expect("null")
        default:
            throw .invalidJSON
        }
        return .other(start..<position)
    }

    mutating func object(
        _ member: (Text, Value, JSONReader) throws(ReferralError) -> Void
    ) throws(ReferralError) {
        try elements(closedBy: ASCII.closeBrace) { reader throws(ReferralError) in
            let name = try reader.name()
            try member(name, try reader.value(), reader)
        }
    }

    /// Reads a member's name and the colon after it.
    mutating func name() throws(ReferralError) -> Text {
        let name = try string()
        skipWhiteSpace()
        try expect(":")
        return name
    }

    mutating func array(_ element: (Value) throws(ReferralError) -> Void) throws(ReferralError) {
        try elements(closedBy: UInt8(ascii: "]")) { reader throws(ReferralError) in
            try element(reader.value())
        }
    }

    mutating func elements(
        closedBy closing: UInt8,
        _ element: (inout JSONReader) throws(ReferralError) -> Void
    ) throws(ReferralError) {
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
            guard skip(closing) else { throw .invalidJSON }
        }
        depth -= 1
    }

    mutating func number() throws(ReferralError) -> Range<Int> {
        let start = position
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            try digits()
        }
        return start..<position
    }

    mutating func digits() throws(ReferralError) {
        let start = position
        while ASCII.isDigit(byte) { position += 1 }
        guard position > start else { throw .invalidJSON }
    }
}

// MARK: - Numbers

extension JSONReader {
    /// A number as the nearest IEEE double; infinite if it is too large.
    package func number(in range: Range<Int>) -> Double {
        let digits = bytes[range]
        // A double holds an integer of 15 digits exactly, and this is many times faster than reading any number.
        if digits.count <= 15, digits.allSatisfy(ASCII.isDigit) {
            return Double(digits.reduce(0 as Int64) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) })
        }
        return Double(String(decoding: digits, as: UTF8.self)) ?? .nan
    }
}

// MARK: - Strings

extension JSONReader {
    /// A string's content, with its escapes replaced.
    package func content(of text: Text) -> String {
        guard text.hasEscapes else { return String(decoding: bytes[text.range], as: UTF8.self) }
        var content = ""
        var reader = self
        var rest = bytes[text.range]
        while let backslash = rest.firstIndex(of: ASCII.backslash) {
            content += String(decoding: rest[..<backslash], as: UTF8.self)
            reader.position = backslash
            // The string was read before, so its escapes are valid.
            if let scalar = try? reader.escape() { content.unicodeScalars.append(scalar) }
            rest = bytes[reader.position..<text.range.upperBound]
        }
        return content + String(decoding: rest, as: UTF8.self)
    }

    /// Whether a string's content is the given ASCII text.
    package func isEqual(_ text: Text, to other: StaticString) -> Bool {
        text.hasEscapes ? content(of: text) == "\(other)" : bytes[text.range].elementsEqual(other.utf8)
    }
}

private extension JSONReader {
    mutating func string() throws(ReferralError) -> Text {
        guard skip(ASCII.quote) else { throw .invalidJSON }
        let start = position
        var hasEscapes = false
        while byte != ASCII.quote {
            guard byte >= 0x20 else { throw .invalidJSON }
            if byte == ASCII.backslash {
                hasEscapes = true
                _ = try escape()
            } else {
                position += 1
            }
        }
        position += 1
        return Text(range: start..<(position - 1), hasEscapes: hasEscapes)
    }

    /// Reads an escape, or the two escapes of a surrogate pair.
    mutating func escape() throws(ReferralError) -> Unicode.Scalar {
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
        default: throw .invalidJSON
        }
        let unit = try hexadecimalUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), skip(ASCII.backslash), skip(UInt8(ascii: "u")) else { throw .loneSurrogate }
        let trail = try hexadecimalUnit()
        guard UTF16.isTrailSurrogate(trail) else { throw .loneSurrogate }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    mutating func hexadecimalUnit() throws(ReferralError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = ASCII.hexadecimalValue(byte) else { throw .invalidJSON }
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
        position < bytes.endIndex ? bytes[position] : 0
    }

    @discardableResult
    mutating func skip(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        position += 1
        return true
    }

    mutating func expect(_ text: StaticString) throws(ReferralError) {
        for expected in text.utf8 where !skip(expected) { throw .invalidJSON }
    }

    mutating func skipWhiteSpace() {
        while byte == ASCII.space || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}
