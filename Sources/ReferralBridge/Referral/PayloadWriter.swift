import WireText

/// Writes a payload, with the same bytes that the snippet writes on a web page for the same input.
enum PayloadWriter {
    /// The times that read back as they were written. A smaller number would be read as seconds.
    private static let writableMilliseconds = 1e11..<1e16

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
    /// The names of the payload's own members, which no parameter may have.
    package static let reservedParameterNames = ["timestamp", "referrer"]
}
