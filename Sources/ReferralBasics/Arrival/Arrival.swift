/// A referral that reached the app: what the link says, and how it came.
///
/// ```swift
/// bridge.onArrival = { arrival in
///     welcome(from: arrival.referrer)
///     if let path = arrival.destination { open(path) }
/// }
/// ```
public struct Arrival: Sendable, Hashable, Codable {
    /// What the link says.
    public let referral: Referral

    /// The way by which it came.
    public let road: Road

    /// Whether one of the scanner's signers issued the referrer and the parameters.
    ///
    /// The time of the tap isn't signed, and neither are members of the payload that aren't strings.
    public let isSigned: Bool

    /// The path in the app to which the link leads, such as `/boards/42`; `nil` if it doesn't lead to any.
    ///
    /// It is the parameter `open`, or the path of a landing page with ``LandingPage/opensPath``. It begins with one slash,
    /// and has no `..` segment, backslash, control character or bidirectional control, even percent-encoded. Anyone can write
    /// a link, so it is a claim like the rest.
    public let destination: String?

    /// Creates an arrival that no signer issued, such as for a test or a preview.
    public init(_ referral: Referral, road: Road) {
        self.init(referral, road: road, isSigned: false, destination: referral.destination)
    }

    package init(_ referral: Referral, road: Road, isSigned: Bool, destination: String?) {
        self.referral = referral
        self.road = road
        self.isSigned = isSigned
        self.destination = destination
    }

    /// The name of the referrer.
    public var referrer: String { referral.referrer }

    /// The moment of the tap. For an address without a payload, it is the moment when the address opened the app or its
    /// App Clip, or when the user pasted it.
    public var timestamp: Timestamp { referral.timestamp }

    /// The link's other data for the app.
    public var parameters: [String: String] { referral.parameters }

    /// A parameter, such as `arrival["pack"]`.
    public subscript(parameter: String) -> String? { referral.parameters[parameter] }
}
