/// Writes a payload. For the same input, the snippet on a web page writes the same bytes.
enum PayloadWriter {
    /// The times that can be read back unchanged. A smaller number would be read as seconds.
    private static let writableMilliseconds = 1e11..<1e16

    static func payload(
        referrer: String,
        timestamp: Timestamp,
        parameters: [String: String]
    ) throws(ReferralError) -> String {
        guard !referrer.isEmpty else { throw .invalidReferrer }
        guard writableMilliseconds.contains(timestamp.milliseconds) else { throw .invalidTimestamp }
        for name in Referral.reservedParameterNames where parameters[name] != nil { throw .reservedParameterName(name) }

        // Each parameter has six bytes of punctuation.
        let text = parameters.reduce(referrer.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count + 6 }
        guard text <= Referral.maximumPayloadLength else { throw .payloadTooLong }
        var sorted = ParameterList()
        for (name, value) in parameters { sorted.set(name, to: value) }
        let payload = object(timestamp, referrer, sorted, textCount: text)
        guard payload.utf8.count <= Referral.maximumPayloadLength else { throw .payloadTooLong }
        return payload
    }

    /// Writes a payload or, without a timestamp, the claims that a signature covers.
    ///
    /// - Parameters:
    ///   - timestamp: The moment of the tap.
    ///   - referrer: The referrer.
    ///   - parameters: The parameters.
    ///   - textCount: At least the number of bytes of all text, plus six per parameter.
    /// - Returns: The object's JSON.
    static func object(
        _ timestamp: Timestamp?,
        _ referrer: String,
        _ parameters: ParameterList,
        textCount: Int
    ) -> String {
        // An escape takes at most six bytes, and the rest of the payload fewer than 64.
        JSONWriter.text(capacity: 6 * textCount + 64) { writer in
            writer.append("{")
            if let timestamp {
                writer.append("\"timestamp\":")
                writer.append(timestamp.milliseconds)
                writer.append(",")
            }
            writer.append("\"referrer\":")
            writer.append(quoting: referrer)
            for parameter in parameters.parameters {
                writer.append(",")
                writer.append(quoting: parameter.name)
                writer.append(":")
                writer.append(quoting: parameter.value)
            }
            writer.append("}")
        }
    }
}

extension Referral {
    /// The names of the payload's own members, which a parameter can't have.
    package static let reservedParameterNames = ["timestamp", "referrer"]
}
