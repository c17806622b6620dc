#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Referral {
    /// Decodes the whole payload into a type of your own.
    ///
    /// ```swift
    /// struct Invitation: Decodable {
    ///     let referrer: String
    ///     let rooms: [Int]
    /// }
    /// let invitation = try referral.decode(Invitation.self)
    /// ```
    ///
    /// The `timestamp` in it is as the page wrote it, so it may be in seconds.
    ///
    /// - Throws: `DecodingError`, saying what is not as the type expects.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        // Of a repeated member the last one counts; JSONDecoder would take the first.
        let json = try payload.withUTF8Bytes { bytes throws(ReferralError) in
            var json: [UInt8] = []
            var reader = JSONReader(bytes)
            try reader.copyValueWithoutRepeats(into: &json)
            return json
        }
        return try JSONDecoder().decode(type, from: Data(json))
    }
}
