/// Who sent a person to the app, when they tapped, and what else the page said.
///
/// ```swift
/// let referral = try Referral(referrer: "spring-newsletter", timestamp: .now, parameters: ["pack": "gold"])
/// referral.payload  // {"timestamp":1795224750690,"referrer":"spring-newsletter","pack":"gold"}
/// ```
public struct Referral: Sendable {
    /// The longest ``payload``, in bytes of UTF-8.
    public static let maximumPayloadLength = 8_192

    /// Who sent them. Never empty.
    public let referrer: String

    /// The moment of the tap, on the clock of the device.
    public let timestamp: Timestamp

    /// The JSON object that a link carries, with its members of other kinds too.
    ///
    /// For a referral made with ``init(referrer:timestamp:parameters:)`` its bytes are exact: `timestamp`, `referrer`,
    /// then the parameters sorted by their UTF-16 code units, escaped as `JSON.stringify` does, without white space.
    public let payload: String

    /// Creates a referral that a link can carry.
    ///
    /// - Parameters:
    ///   - referrer: Who sent the person: a campaign, a page, another user.
    ///   - timestamp: The moment of the tap.
    ///   - parameters: What else to tell the app. None may be called `timestamp` or `referrer`.
    /// - Throws: ``ReferralError/invalidReferrer``, ``ReferralError/invalidTimestamp``,
    ///   ``ReferralError/reservedParameterName(_:)`` or ``ReferralError/payloadTooLong``, if the link wouldn't read
    ///   back the same.
    public init(
        referrer: String,
        timestamp: Timestamp = .now,
        parameters: [String: String] = [:]
    ) throws(ReferralError) {
        self.referrer = referrer
        self.timestamp = timestamp
        payload = try PayloadWriter.payload(referrer: referrer, timestamp: timestamp, parameters: parameters)
    }

    /// Whether a scanner with signers found the link, so that one of them issued the referrer and the ``parameters``.
    ///
    /// Nobody signs the time of the tap, nor members of the payload that aren't strings.
    public package(set) var isSigned = false

    init(referrer: String, timestamp: Timestamp, payload: String) {
        self.referrer = referrer
        self.timestamp = timestamp
        self.payload = payload
    }

    /// The payload's other members whose values are strings.
    ///
    /// They are read from the payload each time. Of names that Swift takes for equal, such as a composed and a decomposed
    /// letter, the last in the order of their UTF-16 code units counts.
    public var parameters: [String: String] {
        var parameters: [String: String] = [:]
        for parameter in sortedParameters { parameters[parameter.name] = parameter.value }
        return parameters
    }

    package var sortedParameters: [ParameterList.Parameter] { PayloadReader.parameters(in: payload).parameters }
}

extension Referral: Hashable {
    /// Whether two referrals have the same payload.
    public static func == (left: Self, right: Self) -> Bool { left.payload == right.payload }

    /// Hashes the payload.
    public func hash(into hasher: inout Hasher) { hasher.combine(payload) }
}
