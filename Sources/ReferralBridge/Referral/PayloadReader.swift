#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a payload: decides which JSON is a referral, and takes out its members.
enum PayloadReader {
    /// A smaller number is in seconds, as in links written by hand or by a server. In milliseconds it would be a time before
    /// March 1973.
    private static let leastMilliseconds = 1e11

    /// Reads the value of `ed` as it is in an address.
    static func referral(encoded value: StoreAddress.Bytes) throws(ReferralError) -> Referral {
        let capacity = min(value.count * 3 / 4, Referral.maximumPayloadLength)
        let result = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            Result<Referral, ReferralError> { () throws(ReferralError) in
                let count = try EncodedData.decode(value, into: buffer)
                return try referral(payload: UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return try result.get()
    }

    private static func referral(payload bytes: UnsafeBufferPointer<UInt8>) throws(ReferralError) -> Referral {
        // Foundation would drop a byte order mark silently.
        let byteOrderMark: StaticString = "\u{FEFF}"
        guard !bytes.starts(with: byteOrderMark.utf8), let payload = String(bytes: bytes, encoding: .utf8) else {
            throw .invalidUTF8
        }
        var referrer: String?
        var timestamp: Double?
        var reader = JSONReader(bytes)
        // If a member is repeated, the last one wins, whatever its kind.
        try reader.readObject { name, value, reader throws(ReferralError) in
            if reader.isEqual(name, to: "referrer") {
                referrer = if case .string(let text) = value { reader.content(of: text) } else { nil }
            } else if reader.isEqual(name, to: "timestamp") {
                timestamp = if case .number(let range) = value { reader.number(in: range) } else { nil }
            }
        }
        guard let referrer, !referrer.isEmpty else { throw .invalidReferrer }
        guard let timestamp, timestamp > 0, timestamp < 1e16 else { throw .invalidTimestamp }
        return Referral(
            referrer: referrer,
            timestamp: Timestamp(milliseconds: timestamp < leastMilliseconds ? timestamp * 1_000 : timestamp),
            payload: payload
        )
    }

    /// Reads the members besides `referrer` and `timestamp` whose values are strings, from a payload that was read before.
    static func parameters(in payload: String) -> ParameterList {
        var list = ParameterList()
        payload.withUTF8Bytes { bytes in
            var reader = JSONReader(bytes)
            try? reader.readObject { name, value, reader in
                guard !reader.isEqual(name, to: "referrer"), !reader.isEqual(name, to: "timestamp") else { return }
                let text: String? = if case .string(let text) = value { reader.content(of: text) } else { nil }
                list.set(reader.content(of: name), to: text)
            }
        }
        return list
    }
}
