package import ReferralFoundation

/// What a payload says apart from the moment of the tap: the referrer and the parameters. A signature covers them.
package struct Claims: Sendable {
    package struct Parameter: Sendable {
        package let name: String
        package let value: String
    }

    package let referrer: String
    /// In the order of ``precedes(_:_:)``.
    package private(set) var parameters: [Parameter] = []

    package init(referrer: String, ordered parameters: [(name: String, value: String)]) {
        (self.referrer, self.parameters) = (referrer, parameters.map { Parameter(name: $0.name, value: $0.value) })
    }

    /// Checks the referrer and the parameters of a new referral's payload.
    ///
    /// - Throws: ``ReferralError/invalidReferrer`` or ``ReferralError/reservedParameterName(_:)``.
    package init(referrer: String, parameters: [String: String]) throws(ReferralError) {
        self.referrer = referrer
        guard !referrer.isEmpty else { throw .invalidReferrer }
        for (name, value) in parameters { set(name, to: value) }
        for name in Referral.reservedParameterNames where parameters[name] != nil {
            throw .reservedParameterName(name)
        }
    }

    /// The value of a parameter with an ASCII name.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Sets the value of a parameter, or removes it.
    package mutating func set(_ name: String, to value: String?) {
        func precedes(_ name: String, _ other: String) -> Bool {
            name.withUTF8Bytes { name in other.withUTF8Bytes { Self.precedes(name, $0) } }
        }
        let place = (parameters.lastIndex { precedes($0.name, name) } ?? -1) + 1
        if place < parameters.count, !precedes(name, parameters[place].name) { parameters.remove(at: place) }
        if let value { parameters.insert(Parameter(name: name, value: value), at: place) }
    }

    /// The message that a signer signs: an introduction, the app ID, and all claims but the signature.
    package func message(for appID: AppID) -> Data {
        var unsigned = self
        unsigned.set(Referral.signatureName, to: nil)
        return Data(("ReferralBridge signed referral 1\n" + appID.description + "\n" + unsigned.json(at: nil)).utf8)
    }

    /// Writes the claims as JSON, with the moment of the tap or without it.
    func json(at timestamp: Timestamp?) -> String {
        let time = timestamp.map { [(name: "timestamp", value: JSONWriter.number($0.milliseconds))] } ?? []
        let texts = [Parameter(name: "referrer", value: referrer)] + parameters
        return JSONWriter.object(time + texts.map { ($0.name, JSONWriter.string($0.value)) })
    }
}

extension Claims {
    /// Whether a name in UTF-8 comes before another one, in the order of their UTF-16 code units, as JavaScript sorts.
    ///
    /// Swift's own order differs beyond U+FFFF, and it sorts combining marks, so it is slow for a name with thousands of them.
    package static func precedes(_ name: Bytes, _ other: Bytes) -> Bool {
        for (byte, otherByte) in zip(name, other) where byte != otherByte { return order(byte) < order(otherByte) }
        return name.count < other.count
    }

    /// The order of the first bytes that differ: a surrogate of UTF-16, for 0xF0 and above, comes before U+E000, which begins with
    /// 0xEE.
    private static func order(_ byte: UInt8) -> UInt8 { byte >= 0xF0 ? byte - 2 : byte >= 0xEE ? byte + 16 : byte }
}

extension Referral {
    /// The names of the payload's own members, which a parameter can't have.
    package static let reservedParameterNames = ["timestamp", "referrer"]

    /// Creates a referral that a link can carry.
    ///
    /// - Throws: ``ReferralError/invalidTimestamp`` or ``ReferralError/payloadTooLong``.
    package init(_ claims: Claims, timestamp: Timestamp) throws(ReferralError) {
        guard Timestamp.validMilliseconds ~= timestamp.milliseconds else { throw .invalidTimestamp }
        let payload = claims.json(at: timestamp)
        guard payload.utf8.count <= Self.maximumPayloadLength else { throw .payloadTooLong }
        self.init(timestamp: timestamp, payload: payload, claims: claims)
    }
}
