package import ReferralFoundation

/// What a payload says apart from the moment of the tap: the referrer and the parameters. A signature covers them.
package struct Claims: Sendable {
    package let referrer: String
    package private(set) var parameters = ParameterList()

    package init(referrer: String, parameters: ParameterList) {
        self.referrer = referrer
        self.parameters = parameters
    }

    /// Checks the referrer and the parameters of a new referral's payload.
    ///
    /// - Throws: ``ReferralError/invalidReferrer``, ``ReferralError/reservedParameterName(_:)`` or
    ///   ``ReferralError/payloadTooLong``.
    package init(referrer: String, parameters: [String: String]) throws(ReferralError) {
        self.referrer = referrer
        guard !referrer.isEmpty else { throw .invalidReferrer }
        for (name, value) in parameters { self.parameters.set(name, to: value) }
        for name in Referral.reservedParameterNames where parameters[name] != nil {
            throw .reservedParameterName(name)
        }
        guard length <= Referral.maximumPayloadLength else { throw .payloadTooLong }
    }

    /// Sets the value of a parameter, or removes it.
    package mutating func set(_ name: String, to value: String?) { parameters.set(name, to: value) }

    /// The message that a signer signs: an introduction, the app ID, and all claims but the signature.
    package func message(for appID: AppID) -> Data {
        var unsigned = self
        unsigned.set(Referral.signatureName, to: nil)
        return Data(("ReferralBridge signed referral 1\n" + appID.description + "\n" + unsigned.json(at: nil)).utf8)
    }

    private var length: Int {
        parameters.parameters.reduce(referrer.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }

    /// Writes the claims as JSON, with the moment of the tap or without it.
    func json(at timestamp: Timestamp?) -> String {
        let parameters = parameters.parameters
        let capacity = PayloadWriter.capacity(text: length, parameterCount: parameters.count)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            var writer = referrer.withUTF8Bytes { PayloadWriter(buffer, PayloadWriter.beginning(at: timestamp), $0) }
            for parameter in parameters {
                parameter.name.withUTF8Bytes { name in parameter.value.withUTF8Bytes { writer.append(name, $0) } }
            }
            return String(decoding: buffer[..<writer.finish()], as: UTF8.self)
        }
    }
}

extension Referral {
    /// The names of the payload's own members, which a parameter can't have.
    package static let reservedParameterNames = ["timestamp", "referrer"]

    /// Creates a referral that a link can carry.
    ///
    /// - Throws: ``ReferralError/invalidTimestamp`` or ``ReferralError/payloadTooLong``.
    package init(_ claims: Claims, timestamp: Timestamp) throws(ReferralError) {
        // A smaller number would be read as seconds.
        guard 1e11..<1e16 ~= timestamp.milliseconds else { throw .invalidTimestamp }
        let payload = claims.json(at: timestamp)
        guard payload.utf8.count <= Self.maximumPayloadLength else { throw .payloadTooLong }
        self.init(claims: claims, timestamp: timestamp, payload: payload)
    }
}
