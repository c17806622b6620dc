import ReferralFoundation

/// A day in UTC, counted from the first one of 1970.
struct Day: Hashable, Comparable {
    /// The days that a source can name, from 1990 to 2100. Others come from a broken clock or a broken line.
    static let possible = Day(number: 7_305)...Day(number: 47_846)

    let number: Int

    init(number: Int) { self.number = number }

    /// Reads `2026-10-01`; `nil` for days that aren't possible.
    init?(_ text: String) {
        guard text.utf8.count == 10, let start = ISO8601.milliseconds(text + "T00:00Z") else { return nil }
        number = Int(start / 86_400_000)
        guard Self.possible.contains(self) else { return nil }
    }

    /// The day of a time in seconds since the beginning of 1970.
    init(ofSecond second: Int) { number = second / 86_400 }

    var text: String { Date(timeIntervalSince1970: Double(number) * 86_400).formatted(.iso8601.year().month().day()) }

    static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}
