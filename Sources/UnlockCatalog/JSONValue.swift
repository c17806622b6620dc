import ReferralBridge

/// A value of JSON. Of a repeated member the last one counts.
enum JSONValue {
    case object([Name: JSONValue])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
    /// An object or an array that is nested more deeply than anything in a catalog.
    case tooDeep

    /// How deep the values are that are read; the outermost object is 1. A level is read once for each level around it, so
    /// this is how often a byte is read at most.
    private static let maximumDepth = 8

    /// Reads a text that is an object.
    init(object bytes: UnsafeBufferPointer<UInt8>) throws(ReferralError) {
        self = try JSONValue(object: bytes, depth: 1)
    }

    private init(object bytes: UnsafeBufferPointer<UInt8>, depth: Int) throws(ReferralError) {
        var members: [Name: JSONValue] = [:]
        var reader = JSONReader(bytes)
        try reader.readObject { name, value, reader throws(ReferralError) in
            members[Name(reader.content(of: name))] = try JSONValue(value, reader, bytes, depth: depth + 1)
        }
        self = .object(members)
    }

    private init(
        _ value: JSONReader.Value,
        _ reader: JSONReader,
        _ bytes: UnsafeBufferPointer<UInt8>,
        depth: Int
    ) throws(ReferralError) {
        switch value {
        case .string(let text): self = .string(reader.content(of: text))
        case .number(let range): self = .number(reader.number(in: range))
        case .other(let range):
            let part = UnsafeBufferPointer(rebasing: bytes[range])
            let isDeep = depth > Self.maximumDepth
            switch part[0] {
            case UInt8(ascii: "{") where isDeep, UInt8(ascii: "[") where isDeep: self = .tooDeep
            case UInt8(ascii: "{"): self = try JSONValue(object: part, depth: depth)
            case UInt8(ascii: "["):
                var values: [JSONValue] = []
                var inner = JSONReader(part)
                try inner.readArray { value throws(ReferralError) in
                    values.append(try JSONValue(value, JSONReader(part), part, depth: depth + 1))
                }
                self = .array(values)
            case UInt8(ascii: "t"): self = .bool(true)
            case UInt8(ascii: "f"): self = .bool(false)
            default: self = .null
            }
        }
    }

    var object: [Name: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var bool: Bool? { if case .bool(let isTrue) = self { isTrue } else { nil } }

    /// A number without a fraction, however it is written, that a JavaScript number holds exactly.
    var wholeNumber: Int? {
        guard case .number(let number) = self, abs(number) < 0x1p53 else { return nil }
        return Int(exactly: number)
    }

    /// A string that can be a name.
    var name: String? { string.flatMap { $0.isName ? $0 : nil } }

    /// Strings that can be names.
    var names: [String]? {
        array.flatMap { values in
            let names = values.compactMap(\.name)
            return names.count == values.count ? names : nil
        }
    }

    func wholeNumber(in range: ClosedRange<Int>) -> Int? { wholeNumber.flatMap { range.contains($0) ? $0 : nil } }
}
