/// Writes a payload: the same bytes for the same input as the snippet writes on a web page.
struct PayloadWriter {
    /// The times that read back as they were written: below the first a number is taken for seconds.
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

        let text = parameters.reduce(referrer.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard text <= Referral.maximumPayloadLength else { throw .payloadTooLong }
        // An escape takes at most six bytes, the punctuation of a parameter six, everything around them less than 64.
        let capacity = 6 * (text + parameters.count) + 64
        let payload = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            var writer = PayloadWriter(output: buffer)
            writer.write(referrer: referrer, milliseconds: timestamp.milliseconds, parameters: parameters)
            return String(decoding: buffer[..<writer.count], as: UTF8.self)
        }
        guard payload.utf8.count <= Referral.maximumPayloadLength else { throw .payloadTooLong }
        return payload
    }
}

extension Referral {
    /// The names of the payload's own members, which no parameter may have.
    package static let reservedParameterNames = ["timestamp", "referrer"]
}

private extension PayloadWriter {
    init(output: UnsafeMutableBufferPointer<UInt8>) {
        self.output = output
    }

    mutating func write(referrer: String, milliseconds: Double, parameters: [String: String]) {
        append(literal: "{\"timestamp\":")
        append(Self.number(milliseconds).utf8)
        append(literal: ",\"referrer\":")
        append(quoting: referrer)
        // By UTF-16 code units, as JavaScript sorts; Swift's own order is another one beyond U+FFFF.
        for (name, value) in parameters.sorted(by: { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }) {
            append(literal: ",")
            append(quoting: name)
            append(literal: ":")
            append(quoting: value)
        }
        append(literal: "}")
    }

    /// A number as JavaScript prints it: whole ones without a point or an exponent.
    static func number(_ milliseconds: Double) -> String {
        let whole = Int64(milliseconds)
        return Double(whole) == milliseconds ? String(whole) : String(milliseconds)
    }

    /// Appends a string in quotes, escaped as `JSON.stringify` escapes it.
    mutating func append(quoting text: String) {
        append(ASCII.quote)
        for byte in text.utf8 {
            switch byte {
            case ASCII.quote, ASCII.backslash:
                append(ASCII.backslash)
                append(byte)
            case 0x08: append(literal: "\\b")
            case 0x09: append(literal: "\\t")
            case 0x0A: append(literal: "\\n")
            case 0x0C: append(literal: "\\f")
            case 0x0D: append(literal: "\\r")
            case ..<0x20: append("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: append(byte)
            }
        }
        append(ASCII.quote)
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
        count = output[count...].update(fromContentsOf: bytes)
    }

    mutating func append(literal: StaticString) {
        append(literal.utf8)
    }

    mutating func append(_ byte: UInt8) {
        output[count] = byte
        count += 1
    }
}
