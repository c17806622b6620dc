/// The number that identifies an app in the App Store, such as 1300230302.
///
/// It has 1 to 19 ASCII digits, which are compared as text: an ID with a leading zero is a different ID.
public struct AppID: Sendable, Hashable, LosslessStringConvertible {
    /// The digits, as they follow `id` in a store address.
    public let description: String

    /// Creates an ID from its digits; `nil` unless they are 1 to 19 ASCII digits.
    public init?(_ digits: String) {
        guard Self.areDigits(digits.utf8) else { return nil }
        description = digits
    }

    /// - Precondition: ``areDigits(_:)``
    init(checkedDigits: some Collection<UInt8>) {
        description = String(decoding: checkedDigits, as: UTF8.self)
    }

    static func areDigits(_ bytes: some Collection<UInt8>) -> Bool {
        1...19 ~= bytes.count && bytes.allSatisfy(ASCII.isDigit)
    }
}

extension AppID: ExpressibleByIntegerLiteral {
    /// Creates an ID from a number in the source: `let app: AppID = 1300230302`.
    ///
    /// - Precondition: The number has at most 19 digits. For a number from outside, use ``init(_:)``.
    public init(integerLiteral number: UInt64) {
        precondition(number < 10_000_000_000_000_000_000, "an app id has at most 19 digits")
        description = String(number)
    }
}
