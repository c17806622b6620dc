/// What a payload says: views of its bytes, which are valid only as long as they are.
package struct Payload {
    package let referrer: JSONValue
    package let timestamp: Timestamp
    /// The parameters in the order of ``Claims``.
    package private(set) var parameters: [(name: JSONValue, value: JSONValue)] = []

    /// Reads JSON: decides whether it is a referral, and finds its members.
    package init(_ bytes: Bytes) throws(ReferralError) {
        // Foundation would drop a byte order mark silently.
        let byteOrderMark: StaticString = "\u{FEFF}"
        guard bytes.isUTF8, !bytes.starts(with: byteOrderMark.utf8) else { throw .invalidUTF8 }
        var referrer, timestamp: JSONValue?
        var parameters: [(name: JSONValue, value: JSONValue)] = []
        var reader = JSONReader(bytes)
        // If a member is repeated, the last one counts, whatever its type.
        do throws(JSONError) {
            try reader.readObject { name, value in
                if name.isEqual(to: "referrer") {
                    referrer = value
                } else if name.isEqual(to: "timestamp") {
                    timestamp = value
                } else {
                    Self.set(name, to: value, in: &parameters)
                }
            }
        } catch {
            throw ReferralError(error)
        }
        guard let referrer, referrer.isString, !referrer.isEmpty else { throw .invalidReferrer }
        let valid = Timestamp.validMilliseconds
        guard let number = timestamp?.number, number > 0, number < valid.upperBound else { throw .invalidTimestamp }
        self.referrer = referrer
        self.timestamp = Timestamp(milliseconds: number < valid.lowerBound ? number * 1_000 : number)
        self.parameters = parameters
    }

    /// Reads the value of `ed` in an address, and returns what a function makes of the payload and its bytes.
    static func read<Value>(
        encoded value: Slice<Bytes>,
        _ body: (Payload, Bytes) -> Value
    ) throws(ReferralError) -> Value {
        let capacity = min(value.count * 3 / 4, Referral.maximumPayloadLength)
        let result = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            Result { () throws(ReferralError) in
                let bytes = Bytes(rebasing: buffer[..<(try Base64.decode(value, into: buffer))])
                return body(try Payload(bytes), bytes)
            }
        }
        return try result.get()
    }

    /// Sets a parameter in its place. A value that isn't a string removes it.
    private static func set(
        _ name: JSONValue,
        to value: JSONValue,
        in parameters: inout [(name: JSONValue, value: JSONValue)]
    ) {
        name.withContent { content in
            // Most payloads have them in order.
            let previous = parameters.lastIndex { $0.name.withContent { Claims.precedes($0, content) } }
            let place = (previous ?? -1) + 1
            let isNew = place == parameters.count || parameters[place].name.withContent { Claims.precedes(content, $0) }
            if !isNew { parameters.remove(at: place) }
            if value.isString { parameters.insert((name, value), at: place) }
        }
    }
}

extension Referral {
    /// Reads the value of `ed` in an address.
    init(encoded value: Slice<Bytes>) throws(ReferralError) {
        self = try Payload.read(encoded: value) { Referral($0, of: $1) }
    }

    /// Reads a payload that was saved.
    init(payload: String) throws(ReferralError) {
        guard payload.utf8.count <= Self.maximumPayloadLength else { throw .payloadTooLong }
        self = try payload.withUTF8Bytes { bytes throws(ReferralError) in Referral(try Payload(bytes), of: bytes) }
    }

    private init(_ payload: Payload, of bytes: Bytes) {
        let parameters = payload.parameters.map { (name: $0.content, value: $1.content) }
        let claims = Claims(referrer: payload.referrer.content, ordered: parameters)
        self.init(timestamp: payload.timestamp, payload: String(decoding: bytes, as: UTF8.self), claims: claims)
    }
}

private extension ReferralError {
    init(_ error: JSONError) {
        switch error {
        case .invalid: self = .invalidJSON
        case .nestedTooDeeply: self = .nestedTooDeeply
        case .loneSurrogate: self = .loneSurrogate
        }
    }
}
