/// Writes JSON without white space, with the same bytes that `JSON.stringify` writes.
package struct JSONWriter {
    private let output: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes written.
    package private(set) var count = 0

    /// Creates a writer into a buffer: at least the number of bytes that are written. A byte of a string is written as six bytes
    /// at most.
    package init(_ output: UnsafeMutableBufferPointer<UInt8>) { self.output = output }

    // MARK: - Appending

    /// Appends UTF-8 in quotation marks.
    package mutating func append(quoting text: Bytes) {
        append(ASCII.quote)
        // A local number stays in a register.
        var end = count
        for byte in text {
            if Self.needsEscape(byte) {
                count = end
                append(escaping: byte)
                end = count
            } else {
                output[end] = byte
                end += 1
            }
        }
        count = end
        append(ASCII.quote)
    }

    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case ..<0x20:
            append("\\u00")
            append(ASCII.hexadecimalDigits[Int(byte >> 4)] | 0x20)
            append(ASCII.hexadecimalDigits[Int(byte & 15)] | 0x20)
        default:
            append(ASCII.backslash)
            append(byte)
        }
    }

    /// Appends marks and names that need no escape.
    package mutating func append(_ literal: StaticString) { append(literal.utf8) }

    /// Appends a member after another one, in UTF-8.
    package mutating func append(member name: Bytes, _ value: Bytes) {
        append(",")
        append(quoting: name)
        append(":")
        append(quoting: value)
    }

    /// Appends JSON.
    package mutating func append(_ json: Bytes) { count = output[count...].update(fromContentsOf: json) }

    private mutating func append(_ byte: UInt8) {
        output[count] = byte
        count += 1
    }
}

// MARK: - Values

extension JSONWriter {
    package static func string(_ text: String) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * text.utf8.count + 2) { buffer in
            var writer = JSONWriter(buffer)
            text.withUTF8Bytes { writer.append(quoting: $0) }
            return String(decoding: buffer[..<writer.count], as: UTF8.self)
        }
    }

    /// A number as JavaScript prints it: a whole one has no point and no exponent.
    package static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }

    package static func array(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

    /// An object of members whose values are JSON.
    ///
    /// - Parameters:
    ///   - members: The members, in order.
    ///   - quote: Writes a name.
    /// - Returns: The object.
    package static func object(
        _ members: [(name: String, value: String)],
        quote: (String) -> String = string
    ) -> String {
        "{" + members.map { quote($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
    }
}
