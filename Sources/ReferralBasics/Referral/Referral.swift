/// A referral to the app: the referrer, the time of the tap, and the page's parameters.
///
/// ```swift
/// let referral = try Referral(referrer: "spring-newsletter", timestamp: .now, parameters: ["pack": "gold"])
/// referral.payload  // {"timestamp":1795224750690,"referrer":"spring-newsletter","pack":"gold"}
/// ```
public struct Referral: Sendable {
    /// The longest ``payload``, in bytes of UTF-8.
    public static let maximumPayloadLength = 8_192

    /// The name of the referrer, such as a campaign, a page or another user. Never empty.
    public var referrer: String { claims.referrer }

    /// The moment of the tap, on the clock of the device.
    public let timestamp: Timestamp

    /// The JSON object in a link, including members that aren't strings, for an app that decodes them itself. Even if
    /// ``Arrival/isSigned`` is true, only the referrer and ``parameters`` are signed: anyone may have added the others, and repeated
    /// a member, of which the last one counts.
    ///
    /// For a referral created with ``init(referrer:timestamp:parameters:)``, its bytes are exact: `timestamp`,
    /// `referrer`, and then the parameters sorted by their UTF-16 code units, escaped like `JSON.stringify`, without
    /// white space.
    public let payload: String

    /// The referrer and the parameters.
    package let claims: Claims
}

extension Referral {
    /// Creates a referral that a link can carry.
    ///
    /// - Parameters:
    ///   - referrer: The name of the referrer: a campaign, a page, another user.
    ///   - timestamp: The moment of the tap.
    ///   - parameters: Other data for the app, as text: a number as its digits, a list as JSON. A parameter can't be called
    ///     `timestamp` or `referrer`.
    /// - Throws: ``ReferralError/invalidReferrer``, ``ReferralError/invalidTimestamp``,
    ///   ``ReferralError/reservedParameterName(_:)`` or ``ReferralError/payloadTooLong``, if the link couldn't be read
    ///   back unchanged.
    public init(
        referrer: String,
        timestamp: Timestamp = .now,
        parameters: [String: String] = [:]
    ) throws(ReferralError) {
        try self.init(Claims(referrer: referrer, parameters: parameters), timestamp: timestamp)
    }

    /// The payload's other string members.
    ///
    /// If Swift considers several names equal, such as a composed and a
    /// decomposed letter, the last one in the order of their UTF-16 code units counts.
    public var parameters: [String: String] {
        var parameters: [String: String] = [:]
        for parameter in claims.parameters { parameters[parameter.name] = parameter.value }
        return parameters
    }
}

extension Referral: Hashable, Codable {
    /// Whether two referrals have the same payload.
    public static func == (left: Self, right: Self) -> Bool { left.payload == right.payload }

    /// Hashes the payload.
    public func hash(into hasher: inout Hasher) { hasher.combine(payload) }

    /// Reads a payload.
    ///
    /// - Throws: ``ReferralError``, or `DecodingError` if it isn't a string.
    public init(from decoder: any Decoder) throws {
        try self.init(payload: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the payload.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(payload)
    }
}
