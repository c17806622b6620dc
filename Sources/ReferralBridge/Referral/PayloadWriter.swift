/// Writes a payload, with the same bytes that the snippet writes on a web page for the same input.
struct PayloadWriter {
    /// The times that read back as they were written. A smaller number would be read as seconds.
    private static let writableMilliseconds = 1e11..<1e16

    private let output: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    static func payload(
        referrer: String,
        timestamp: Timestamp,
        parameters: [String: String]
    ) throws(ReferralError) -> String {
        guard !referrer.isEmpty else { throw .invalidReferrer }
        guard writableMilliseconds.contains(timestamp.milliseconds) else { throw .invalidTimestamp }
        for name in Referral.reservedParameterNames where parameters[name] != nil { throw .reservedParameterName(name) }

        // A parameter has six bytes of punctuation around it.
        let text = parameters.reduce(referrer.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count + 6 }
        guard text <= Referral.maximumPayloadLength else { throw .payloadTooLong }
        var sorted = ParameterList()
        for (name, value) in parameters { sorted.set(name, to: value) }
        let payload = object(timestamp, referrer, sorted, textCount: text)
        guard payload.utf8.count <= Referral.maximumPayloadLength else { throw .payloadTooLong }
        return payload
    }

    /// A payload, or without a timestamp the claims that a signature is for.
    ///
    /// - Parameters:
    ///   - timestamp: The moment of the tap.
    ///   - referrer: Who sent the person.
    ///   - parameters: The parameters.
    ///   - textCount: At least the number of bytes of all the text, with six more for each parameter.
    /// - Returns: The object's JSON.
    static func object(
        _ timestamp: Timestamp?,
        _ referrer: String,
        _ parameters: ParameterList,
        textCount: Int
    ) -> String {
        // An escape takes at most six bytes, and the rest of the payload fewer than 64.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * textCount + 64) { buffer in
            var writer = PayloadWriter(output: buffer)
            writer.write(referrer: referrer, milliseconds: timestamp?.milliseconds, parameters: parameters.parameters)
            return String(decoding: buffer[..<writer.count], as: UTF8.self)
        }
    }
}

extension Referral {
    /// The names of the payload's own members, which no parameter may have.
    package static let reservedParameterNames = ["timestamp", "referrer"]

    /// A text as a string of JSON, escaped as `JSON.stringify` escapes it.
    package static func quoted(_ text: String) -> String { PayloadWriter.quoted(text) }
}

extension PayloadWriter {
    fileprivate static func quoted(_ text: String) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * text.utf8.count + 2) { buffer in
            var writer = PayloadWriter(output: buffer)
            writer.append(quoting: text)
            return String(decoding: buffer[..<writer.count], as: UTF8.self)
        }
    }
}

private extension PayloadWriter {
    mutating func write(referrer: String, milliseconds: Double?, parameters: [ParameterList.Parameter]) {
        append(ASCII.openBrace)
        if let milliseconds {
            append(literal: "\"timestamp\":")
            append(Self.number(milliseconds))
            append(ASCII.comma)
        }
        append(literal: "\"referrer\":")
        append(quoting: referrer)
        for parameter in parameters {
            append(literal: ",")
            append(quoting: parameter.name)
            append(literal: ":")
            append(quoting: parameter.value)
        }
        append(literal: "}")
    }

    /// A number as JavaScript prints it: a whole one has no point and no exponent.
    static func number(_ milliseconds: Double) -> String {
        let whole = Int64(milliseconds)
        return Double(whole) == milliseconds ? String(whole) : String(milliseconds)
    }

    /// Appends a string in quotes, escaped as `JSON.stringify` escapes it.
    mutating func append(quoting text: String) {
        append(ASCII.quote)
        text.withUTF8Bytes { bytes in
            for byte in bytes {
                if byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash {
                    append(escaping: byte)
                } else {
                    append(byte)
                }
            }
        }
        append(ASCII.quote)
    }

    mutating func append(escaping byte: UInt8) {
        switch byte {
        case 0x08: append(literal: "\\b")
        case 0x09: append(literal: "\\t")
        case 0x0A: append(literal: "\\n")
        case 0x0C: append(literal: "\\f")
        case 0x0D: append(literal: "\\r")
        case ..<0x20:
            append(literal: "\\u00")
            append(ASCII.hexadecimalDigits[Int(byte >> 4)] | 0x20)
            append(ASCII.hexadecimalDigits[Int(byte & 15)] | 0x20)
        default:
            append(ASCII.backslash)
            append(byte)
        }
    }

    mutating func append(_ text: String) {
        text.withUTF8Bytes { count = output[count...].update(fromContentsOf: $0) }
    }

    mutating func append(literal: StaticString) {
        count = output[count...].update(fromContentsOf: literal.utf8)
    }

    mutating func append(_ byte: UInt8) {
        output[count] = byte
        count += 1
    }
}
