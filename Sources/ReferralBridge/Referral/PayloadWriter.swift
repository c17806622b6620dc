/// Writes a payload: the same bytes for the same input as the snippet writes on a web page.
enum PayloadWriter {
    /// What a payload's own members are called; no parameter may be.
    static let reservedNames = ["timestamp", "referrer"]

    /// The times that read back as they were written: below the first a number is taken for seconds.
    static let writableMilliseconds = 1e11..<1e16

    static func payload(
        referrer: String,
        timestamp: Timestamp,
        parameters: [String: String]
    ) throws(ReferralError) -> String {
        guard !referrer.isEmpty else { throw .referrer }
        guard writableMilliseconds.contains(timestamp.milliseconds) else { throw .timestamp }
        for name in reservedNames where parameters[name] != nil { throw .reservedParameter(name) }

        var json = "{\"timestamp\":" + number(timestamp.milliseconds) + ",\"referrer\":"
        append(referrer, to: &json)
        // By UTF-16 code units, as JavaScript sorts; Swift's own order is another one beyond U+FFFF.
        for (name, value) in parameters.sorted(by: { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }) {
            json += ","
            append(name, to: &json)
            json += ":"
            append(value, to: &json)
        }
        json += "}"
        guard json.utf8.count <= Referral.maximumPayloadLength else { throw .payloadTooLong }
        return json
    }

    /// A number as JavaScript prints it: whole ones without a point or an exponent.
    private static func number(_ milliseconds: Double) -> String {
        let whole = Int64(milliseconds)
        return Double(whole) == milliseconds ? String(whole) : String(milliseconds)
    }

    /// Appends a string in quotes, escaped as `JSON.stringify` escapes it.
    private static func append(_ text: String, to json: inout String) {
        json += "\""
        if text.utf8.contains(where: { $0 < 0x20 || $0 == ASCII.quote || $0 == ASCII.backslash }) {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"", "\\": json += "\\\(scalar)"
                case "\u{8}": json += "\\b"
                case "\t": json += "\\t"
                case "\n": json += "\\n"
                case "\u{C}": json += "\\f"
                case "\r": json += "\\r"
                case ..<" ": json += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
                default: json.unicodeScalars.append(scalar)
                }
            }
        } else {
            json += text
        }
        json += "\""
    }
}
