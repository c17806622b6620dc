public import ReferralFoundation

/// A moment in Unix time, in milliseconds: JavaScript's `Date.now()`.
///
/// A separate type, so that milliseconds can't be confused with the seconds of `Date`.
public struct Timestamp: Sendable, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z, including fractions.
    public let milliseconds: Double

    /// What a link can have as milliseconds. A smaller number is in seconds, as in links written by hand or by a server: in
    /// milliseconds, it would be before March 1973.
    package static var validMilliseconds: Range<Double> { 1e11..<1e16 }

    /// Creates a moment from the milliseconds since the beginning of 1970.
    public init(milliseconds: Double) { self.milliseconds = milliseconds }

    /// Creates the moment of a date, to the nearest microsecond. A current `Date` isn't more precise.
    public init(_ date: Date) { milliseconds = (date.timeIntervalSince1970 * 1_000_000).rounded() / 1_000 }

    /// The current time in whole milliseconds, as a page stamps it.
    public static var now: Timestamp {
        Timestamp(milliseconds: (Date().timeIntervalSince1970 * 1_000).rounded(.down))
    }

    /// Returns the moment a number of seconds later; a negative number gives an earlier one.
    public func advanced(by seconds: TimeInterval) -> Timestamp {
        Timestamp(milliseconds: milliseconds + seconds * 1_000)
    }

    /// The moment as a date.
    public var date: Date { Date(timeIntervalSince1970: milliseconds / 1_000) }
}

extension Timestamp: Comparable {
    /// Whether one moment is before another.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp: Codable {
    /// Reads a number of milliseconds.
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes the number of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
