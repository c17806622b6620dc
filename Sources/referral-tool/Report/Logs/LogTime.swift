import ReferralFoundation

/// A time as a log writes it.
struct LogTime {
    /// Seconds since the beginning of 1970.
    let seconds: Int
    /// Whether the text names a zone. Without one, the time is UTC.
    var hasZone = true
}

extension LogTime {
    /// A number of 10, 13, 16 or 19 digits, from seconds to nanoseconds, with a fraction or not, or a text.
    init?(_ text: Bytes) {
        let digits = text.prefix { ASCII.isDigit($0) }.count
        if [10, 13, 16, 19].contains(digits), digits == text.count || text[digits] == ASCII.period {
            self.init(seconds: text.number(0..<10) ?? 0)
        } else {
            self.init(text, at: text.first == ASCII.openBracket ? 1 : 0)
        }
    }

    /// Reads the time at a position; `nil` outside of the days that are possible.
    ///
    ///     29/Nov/2026:10:00:00 +0000    29/Nov/2026 10:00:00    2026-11-29T10:00:00.25Z    2026/11/29 10:00:00
    init?(_ text: Bytes, at start: Int) {
        guard start + 19 <= text.count else { return nil }
        @inline(__always)
        func number(_ place: Int, _ length: Int = 2) -> Int? { text.number(start + place..<start + place + length) }
        let hasName = text[start + 2] == ASCII.slash
        let (separator, clock) = hasName ? (text[start + 6], 12) : (text[start + 4], 11)
        // Most numbers that aren't a time have other marks.
        guard separator == ASCII.slash || separator == ASCII.dash, text[start + (hasName ? 2 : 7)] == separator,
            text[start + clock + 2] == ASCII.colon, text[start + clock + 5] == ASCII.colon,
            let month = hasName ? Self.month(text.part(start + 3..<start + 6)) : number(5),
            let day = number(hasName ? 0 : 8), let year = number(hasName ? 7 : 0, 4),
            let date = ISO8601.day(year, month, day), let hour = number(clock), hour < 24,
            let minute = number(clock + 3), minute < 60, let second = number(clock + 6), second <= 60
        else { return nil }
        let zone = Self.zone(text, at: start + clock + 8)
        // A leap second, 60, counts as the one before it.
        let seconds = date * 86_400 + hour * 3_600 + minute * 60 + min(second, 59) - (zone ?? 0)
        self.init(seconds: seconds, hasZone: zone != nil)
        if !Day(ofSecond: seconds).isPossible { return nil }
    }

    /// The month of a name such as `Nov`.
    private static func month(_ name: Bytes) -> Int? {
        let names = ("janfebmaraprmayjunjulaugsepoctnovdec" as StaticString).utf8
        return (1...12).first { month in (0..<3).allSatisfy { names[month * 3 - 3 + $0] == name[$0] | 0x20 } }
    }

    /// The seconds of a zone such as `Z`, `UTC`, `GMT`, `+0200` or `-05:30`, behind a fraction and a space or not.
    private static func zone(_ text: Bytes, at start: Int) -> Int? {
        func byte(_ place: Int) -> UInt8 { place < text.count ? text[place] : 0 }
        var place = start
        if byte(place) == ASCII.period || byte(place) == ASCII.comma {
            repeat { place += 1 } while ASCII.isDigit(byte(place))
        }
        if byte(place) == ASCII.space { place += 1 }
        guard byte(place) == ASCII.plus || byte(place) == ASCII.dash else {
            return (["Z", "UTC", "GMT"] as [StaticString]).contains { text.holds($0, at: place) } ? 0 : nil
        }
        let minute = place + (byte(place + 3) == ASCII.colon ? 4 : 3)
        guard let hours = text.number(place + 1..<place + 3), hours < 24,
            let minutes = text.number(minute..<minute + 2), minutes < 60
        else { return nil }
        return (text[place] == ASCII.dash ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}

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
