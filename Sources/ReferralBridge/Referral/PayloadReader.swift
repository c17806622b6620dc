#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a payload: which JSON is a referral, and what its members say.
enum PayloadReader {
    /// The times that are read, in the payload's own unit; both ends are left out.
    private static func isReadable(_ number: Double) -> Bool { number > 0 && number < 1e16 }

    /// Below this a number counts seconds, as links do that were written by hand or by a server. In milliseconds it would
    /// lie before March 1973.
    private static let leastMilliseconds = 1e11

    /// Reads the value of `ed` as it stands in an address.
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
        // Foundation would drop a byte order mark without a word.
        let byteOrderMark: StaticString = "\u{FEFF}"
        guard !bytes.starts(with: byteOrderMark.utf8), let payload = String(bytes: bytes, encoding: .utf8) else {
            throw .invalidUTF8
        }
        var referrer: String?
        var timestamp: Double?
        var reader = JSONReader(bytes)
        // Of a repeated member the last one counts, whatever its kind.
        try reader.readObject { name, value, reader throws(ReferralError) in
            if reader.isEqual(name, to: "referrer") {
                referrer = if case .string(let text) = value { reader.content(of: text) } else { nil }
            } else if reader.isEqual(name, to: "timestamp") {
                timestamp = if case .number(let range) = value { reader.number(in: range) } else { nil }
            }
        }
        guard let referrer, !referrer.isEmpty else { throw .invalidReferrer }
        guard let timestamp, isReadable(timestamp) else { throw .invalidTimestamp }
        return Referral(
            referrer: referrer,
            timestamp: Timestamp(milliseconds: timestamp < leastMilliseconds ? timestamp * 1_000 : timestamp),
            payload: payload
        )
    }

    /// Reads the members besides `referrer` and `timestamp` whose values are strings, from a payload that was read before.
    static func parameters(in payload: String) -> [Referral.Parameter] {
        // Names are compared byte by byte: Swift takes 24 ms to compare names of some thousand combining marks.
        var values: [[UInt8]: String] = [:]
        payload.withUTF8Bytes { bytes in
            var reader = JSONReader(bytes)
            try? reader.readObject { name, value, reader in
                guard !reader.isEqual(name, to: "referrer"), !reader.isEqual(name, to: "timestamp") else { return }
                let name = Array(reader.content(of: name).utf8)
                values[name] = if case .string(let text) = value { reader.content(of: text) } else { nil }
            }
        }
        return PayloadWriter.sorted(
            values.map { Referral.Parameter(name: String(decoding: $0.key, as: UTF8.self), value: $0.value) }
        )
    }
}
