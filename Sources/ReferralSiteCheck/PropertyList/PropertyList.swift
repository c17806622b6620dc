/// A value of a property list, such as an `Info.plist`, and its place in the file.
///
/// Foundation's decoder doesn't report places, and has no limit for a list that refers to its own parts again and again.
package struct PropertyList {
    package enum Value {
        case string(String)
        case bool(Bool)
        case array([PropertyList])
        /// The values by their keys. If a key is repeated, the last one counts.
        case dictionary([String: PropertyList])
        /// A number, a date or data.
        case other
    }

    /// Why a file can't be read.
    package struct Failure: Error {
        package let offset: Int
        package let message: Sentence
    }

    /// How deep arrays and dictionaries may be nested; the outermost one is 1.
    static let maximumDepth = 64

    package let value: Value
    /// The offset in the file; 0 in a binary list.
    package let offset: Int

    init(_ value: Value, offset: Int = 0) {
        self.value = value
        self.offset = offset
    }

    /// Reads an XML or a binary property list.
    package init(_ bytes: [UInt8]) throws(Failure) {
        if bytes.starts(with: "bplist".utf8) {
            var reader = BinaryPropertyListReader(bytes)
            self = try reader.read()
        } else {
            var reader = XMLPropertyListReader(bytes)
            self = try reader.read()
        }
    }

    package subscript(key: String) -> PropertyList? {
        if case .dictionary(let values) = value { values[key] } else { nil }
    }

    package var string: String? { if case .string(let text) = value { text } else { nil } }

    var bool: Bool? { if case .bool(let value) = value { value } else { nil } }

    package var array: [PropertyList]? { if case .array(let values) = value { values } else { nil } }

    package var isDictionary: Bool { if case .dictionary = value { true } else { false } }
}
