import ReferralFoundation

/// A value of a property list, such as an `Info.plist`, as Foundation reads it.
package enum PropertyList {
    case string(String)
    case bool(Bool)
    case array([PropertyList])
    case dictionary([String: PropertyList])
    /// A number, a date or data.
    case other

    /// Why a file can't be read.
    package struct Failure: Error { package let message: Sentence }

    /// The largest file, in bytes. The lists of large apps have a tenth of that.
    static let maximumSize = 256 << 10

    /// How deep arrays and dictionaries may be nested; the outermost one is 1.
    private static let maximumDepth = 64

    /// How many values are read. In a binary list, many values may be one object, so a small file could contain any number.
    private static let maximumCount = 10_000

    /// Reads an XML or a binary property list.
    package init(_ bytes: [UInt8]) throws(Failure) {
        // Foundation calls itself for each level of XML, and limits neither that nor the number of values.
        guard Self.depth(ofXML: bytes) <= Self.maximumDepth else { throw Self.tooLarge }
        let decoder = PropertyListDecoder()
        decoder.userInfo[Budget.key] = Budget()
        var format = PropertyListEncoder().outputFormat
        do { self = try decoder.decode(Self.self, from: Data(bytes), format: &format) } catch {
            // Foundation's own reason names the first line, wherever the fault is.
            throw error as? Failure
                ?? Failure(message: "this is not a property list; 'plutil -lint' says where it is wrong")
        }
        // Any word is a list in the old form, such as `{ key = value; }`.
        guard format != .openStep else {
            throw Failure(
                message: "this is not a property list in XML or binary form; convert it with 'plutil -convert xml1'"
            )
        }
    }

    private static let tooLarge = Failure(
        message:
            "the property list has more than \(maximumCount) values, or is nested more than \(maximumDepth) levels deep"
    )

    /// The depth of arrays and dictionaries in XML; 0 for other bytes.
    private static func depth(ofXML xml: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        for part in xml.split(separator: ASCII.lessThan) {
            let tag = part.prefix { $0 != ASCII.greaterThan }
            if ["array", "dict"].contains(where: { tag.starts(with: $0.utf8) }), tag.last != ASCII.slash { depth += 1 }
            if ["/array", "/dict"].contains(where: { tag.starts(with: $0.utf8) }) { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    package subscript(key: String) -> PropertyList? {
        if case .dictionary(let values) = self { values[key] } else { nil }
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    package var array: [PropertyList]? { if case .array(let values) = self { values } else { nil } }
}

extension PropertyList: Decodable {
    /// The number of values so far. One decoder has it, on one thread.
    private final class Budget: @unchecked Sendable {
        static let key = CodingUserInfoKey(rawValue: "budget").unsafelyUnwrapped
        var count = 0
    }

    package init(from decoder: any Decoder) throws {
        let budget = decoder.userInfo[Budget.key] as? Budget
        budget?.count += 1
        guard budget?.count ?? 0 <= Self.maximumCount, decoder.codingPath.count <= Self.maximumDepth else {
            throw Self.tooLarge
        }
        func value<Value: Decodable>(_ type: Value.Type) throws -> Value? {
            do { return try type.init(from: decoder) } catch DecodingError.typeMismatch { return nil }
        }
        self =
            try value(String.self).map { .string($0.streamSafe) } ?? value(Bool.self).map(Self.bool)
            ?? value([PropertyList].self).map(Self.array) ?? value([String: PropertyList].self).map(Self.dictionary)
            ?? .other
    }
}
