import ReferralFoundation

/// A day in UTC, counted from the first one of 1970.
struct Day: Hashable {
    let number: Int

    /// Whether a source can name it, from 1990 to 2100. Others come from a broken clock or a broken line.
    var isPossible: Bool { 7_305...47_846 ~= number }

    var text: String { Date(timeIntervalSince1970: Double(number) * 86_400).formatted(.iso8601.year().month().day()) }

    /// The day of a time in seconds since the beginning of 1970.
    init(ofSecond second: Int) { number = second / 86_400 }

    /// Reads `2026-10-01`.
    init?(_ text: String) {
        guard text.utf8.count == 10, let start = ISO8601.milliseconds(text + "T00:00Z") else { return nil }
        number = Int(start / 86_400_000)
        if !isPossible { return nil }
    }
}
