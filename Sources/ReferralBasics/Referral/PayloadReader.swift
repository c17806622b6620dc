/// Reads a payload: decides whether its JSON is a referral, and reads its members.
enum PayloadReader {
    /// A smaller number is in seconds, as in links written by hand or by a server. In milliseconds, it would be before
    /// March 1973.
    private static let leastMilliseconds = 1e11

    /// Reads the value of `ed` from an address.
    static func referral(encoded value: Slice<Bytes>) throws(ReferralError) -> Referral {
        let capacity = min(value.count * 3 / 4, Referral.maximumPayloadLength)
        let result = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            Result<Referral, ReferralError> { () throws(ReferralError) in
                let count: Int
                do throws(Base64.Problem) { count = try Base64.decode(value, into: buffer) } catch {
                    throw ReferralError(error)
                }
                return try referral(payload: UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return try result.get()
    }

    /// Reads a payload that was saved.
    static func referral(payload: String) throws(ReferralError) -> Referral {
        guard payload.utf8.count <= Referral.maximumPayloadLength else { throw .payloadTooLong }
        return try payload.withUTF8Bytes { bytes throws(ReferralError) in try referral(payload: bytes) }
    }

    private static func referral(payload bytes: Bytes) throws(ReferralError) -> Referral {
        // Foundation would drop a byte order mark silently.
        let byteOrderMark: StaticString = "\u{FEFF}"
        let payload = String(decoding: bytes, as: UTF8.self)
        // Where the bytes aren't UTF-8, the text differs.
        guard payload.withUTF8Bytes({ bytes[...].isEqual(to: $0) }), !bytes.starts(with: byteOrderMark.utf8) else {
            throw .invalidUTF8
        }
        var referrer: String?
        var timestamp: Double?
        var parameters = ParameterList()
        var reader = JSONReader(bytes)
        // If a member is repeated, the last one counts, whatever its type.
        do throws(JSONError) {
            try reader.readObject { name, value in
                if name.isEqual(to: "referrer") {
                    referrer = value.string
                } else if name.isEqual(to: "timestamp") {
                    timestamp = value.number
                } else {
                    parameters.set(name.content, to: value.string)
                }
            }
        } catch {
            throw ReferralError(error)
        }
        guard let referrer, !referrer.isEmpty else { throw .invalidReferrer }
        guard let timestamp, timestamp > 0, timestamp < 1e16 else { throw .invalidTimestamp }
        return Referral(
            claims: Claims(referrer: referrer, parameters: parameters),
            timestamp: Timestamp(milliseconds: timestamp < leastMilliseconds ? timestamp * 1_000 : timestamp),
            payload: payload
        )
    }
}

private extension ReferralError {
    init(_ problem: Base64.Problem) {
        switch problem {
        case .percentEncoding: self = .invalidPercentEncoding
        case .base64: self = .invalidBase64
        case .tooLong: self = .payloadTooLong
        }
    }

    init(_ error: JSONError) {
        switch error {
        case .invalid: self = .invalidJSON
        case .nestedTooDeeply: self = .nestedTooDeeply
        case .loneSurrogate: self = .loneSurrogate
        }
    }
}
