import ReferralBridge

/// A value of JSON. Of a repeated member the last one counts.
enum JSONValue {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    /// Reads a text that is an object.
    init(object bytes: UnsafeBufferPointer<UInt8>) throws(ReferralError) {
        var members: [String: JSONValue] = [:]
        var reader = JSONReader(bytes)
        try reader.readObject { name, value, reader throws(ReferralError) in
            members[reader.content(of: name)] = try JSONValue(value, reader, bytes)
        }
        self = .object(members)
    }

    private init(_ value: JSONReader.Value, _ reader: JSONReader, _ bytes: UnsafeBufferPointer<UInt8>)
        throws(ReferralError)
    {
        switch value {
        case .string(let text): self = .string(reader.content(of: text))
        case .number(let range): self = .number(reader.number(in: range))
        case .other(let range):
            let part = UnsafeBufferPointer(rebasing: bytes[range])
            switch part[0] {
            case UInt8(ascii: "{"): self = try JSONValue(object: part)
            case UInt8(ascii: "["):
                var values: [JSONValue] = []
                var inner = JSONReader(part)
                try inner.readArray { value throws(ReferralError) in
                    values.append(try JSONValue(value, JSONReader(part), part))
                }
                self = .array(values)
            case UInt8(ascii: "t"): self = .bool(true)
            case UInt8(ascii: "f"): self = .bool(false)
            default: self = .null
            }
        }
    }

    var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var bool: Bool? { if case .bool(let isTrue) = self { isTrue } else { nil } }

    /// A number without a fraction, however it is written, that a JavaScript number holds exactly.
    var wholeNumber: Int? {
        guard case .number(let number) = self, abs(number) < 0x1p53 else { return nil }
        return Int(exactly: number)
    }

    /// A string of at least one character.
    var nonEmptyString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    /// One string or more, each of at least one character.
    var nonEmptyStrings: [String]? { strings.flatMap { $0.isEmpty ? nil : $0 } }

    /// Strings, each of at least one character.
    var strings: [String]? {
        array.flatMap { values in
            let strings = values.compactMap(\.nonEmptyString)
            return strings.count == values.count ? strings : nil
        }
    }
}
