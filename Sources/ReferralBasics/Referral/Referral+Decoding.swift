import ReferralFoundation

extension Referral {
    /// Decodes the whole payload into a type of your own, if another program has written it. This library and the snippet
    /// write only strings, which are ``parameters``.
    ///
    /// ```swift
    /// struct Invitation: Decodable {
    ///     let referrer: String
    ///     let rooms: [Int]
    /// }
    /// let invitation = try referral.decodePayload(as: Invitation.self)
    /// ```
    ///
    /// Its `timestamp` is as the page wrote it, so it may be in seconds. Even if ``Arrival/isSigned`` is true, only the
    /// referrer and string members are signed: anyone may have added the others, such as `rooms` here.
    ///
    /// - Throws: `DecodingError` if the payload doesn't match the type.
    public func decodePayload<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        // If a member is repeated, the last one counts. `JSONDecoder` would use the first.
        let json = try payload.withUTF8Bytes { bytes throws(JSONError) in
            var reader = JSONReader(bytes)
            return try reader.valueWithoutRepeats()
        }
        return try JSONDecoder().decode(type, from: Data(json))
    }
}
