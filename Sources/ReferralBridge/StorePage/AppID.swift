import WireText

/// The number by which the App Store knows an app, such as 1300230302.
///
/// It is 1 to 19 ASCII digits. They are compared as text: an id with a leading zero is another id.
public struct AppID: Sendable, Hashable, LosslessStringConvertible {
    /// The digits, as in a store address after `id`.
    public let description: String

    /// Creates an id from its digits; `nil` unless they are 1 to 19 ASCII digits.
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
    /// Creates an id from a number in the source: `let app: AppID = 1300230302`.
    ///
    /// - Precondition: The number has at most 19 digits. For one that comes from outside, use ``init(_:)``.
    public init(integerLiteral number: UInt64) {
        precondition(number < 10_000_000_000_000_000_000, "an app id has at most 19 digits")
        description = String(number)
    }
}
