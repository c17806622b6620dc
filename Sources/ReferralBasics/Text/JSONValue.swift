/// A value in a JSON text: a view of the text's bytes, which is valid only as long as they are.
package struct JSONValue {
    /// The whole text.
    let bytes: Bytes
    /// The range of the value in the text, including quotation marks or brackets.
    package let range: Range<Int>
    var hasEscapes = false

    /// The JSON of the value.
    package var text: String { String(decoding: bytes[range], as: UTF8.self) }

    private var first: UInt8 { bytes[range.lowerBound] }

    package var isObject: Bool { first == ASCII.openBrace }

    package var isNull: Bool { first == UInt8(ascii: "n") }

    package var bool: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }
}

// MARK: - Numbers

extension JSONValue {
    /// A number as the nearest IEEE double; infinite if it is too large.
    package var number: Double? {
        guard first == ASCII.dash || ASCII.isDigit(first) else { return nil }
        let digits = Bytes(rebasing: bytes[range])
        // A double holds an integer of 15 digits exactly, and this is many times faster than reading any number.
        var whole: Int64 = 0
        for digit in digits.prefix(15) where whole >= 0 {
            whole = ASCII.isDigit(digit) ? whole &* 10 &+ Int64(digit &- UInt8(ascii: "0")) : -1
        }
        if digits.count <= 15, whole >= 0 { return Double(whole) }
        return Double(String(decoding: digits, as: UTF8.self)) ?? .nan
    }

    /// A whole number, in any notation, that a JavaScript number holds exactly.
    package var wholeNumber: Int? {
        guard let number, abs(number) < 0x1p53 else { return nil }
        return Int(exactly: number)
    }

    package func wholeNumber(in range: ClosedRange<Int>) -> Int? {
        wholeNumber.flatMap { range.contains($0) ? $0 : nil }
    }
}

// MARK: - Strings

extension JSONValue {
    package var string: String? { isString ? content : nil }

    package var isString: Bool { first == ASCII.quote }

    /// Whether there is nothing between the quotation marks.
    package var isEmpty: Bool { inside.isEmpty }

    /// Passes a string's content to a function, which is a view of the text unless the string has escapes.
    package func withContent<Value>(_ body: (Bytes) -> Value) -> Value {
        hasEscapes
            ? JSONReader(bytes, inside).content().withUnsafeBufferPointer(body) : body(Bytes(rebasing: bytes[inside]))
    }

    /// The bytes between the quotation marks.
    private var inside: Range<Int> { range.lowerBound + 1..<range.upperBound - 1 }

    /// A string's content, with its escapes replaced.
    package var content: String { withContent { String(decoding: $0, as: UTF8.self) } }

    /// Whether a string's content is the given ASCII text.
    package func isEqual(to other: StaticString) -> Bool {
        // Compared by bytes, since Swift compares strings by sorting their marks, which may take minutes.
        withContent { $0[...].isEqual(to: other.utf8) }
    }
}

// MARK: - Objects and arrays

extension JSONValue {
    /// Reads a text that is an object.
    package init(object bytes: Bytes) throws(JSONError) {
        var reader = JSONReader(bytes)
        try reader.readObject { _, _ in }
        // White space may be around it.
        let start = bytes.firstIndex(of: ASCII.openBrace) ?? 0
        self.init(bytes: bytes, range: start..<reader.position)
    }

    /// Passes each member of an object to a function, in order, the repeated ones too.
    package func readObject(
        _ member: (_ name: JSONValue, _ value: JSONValue) throws(JSONError) -> Void
    ) throws(JSONError) {
        var reader = JSONReader(bytes, range)
        try reader.readObject(member)
    }

    /// The members of an object, in order, the repeated ones too; `nil` for another value.
    package var members: [(name: JSONValue, value: JSONValue)]? {
        var members: [(JSONValue, JSONValue)] = []
        do { try readObject { members.append(($0, $1)) } } catch { return nil }
        return members
    }

    /// The values of an array.
    package var array: [JSONValue]? {
        guard first == ASCII.openBracket else { return nil }
        var values: [JSONValue] = []
        var reader = JSONReader(bytes, range)
        do { try reader.readArray { values.append($0) } } catch { return nil }
        return values
    }
}
