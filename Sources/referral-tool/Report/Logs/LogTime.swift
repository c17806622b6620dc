import ReferralFoundation

/// A time as a log writes it.
struct LogTime {
    /// Seconds since the beginning of 1970.
    let seconds: Int
    /// Whether the text names a zone. Without one, the time is UTC.
    var hasZone = true

    /// A number of 10, 13, 16 or 19 digits, from seconds to nanoseconds, with a fraction or not, or a text.
    static func any(_ text: Bytes) -> LogTime? {
        if text.first == ASCII.openBracket { return read(text, at: 1) }
        let digits = text.prefix { ASCII.isDigit($0) }
        guard [10, 13, 16, 19].contains(digits.count), [nil, ASCII.period].contains(text.dropFirst(digits.count).first)
        else {
            return read(text)
        }
        return LogTime(seconds: digits.prefix(10).reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    /// Reads the time at a position; `nil` outside of the days that are possible.
    ///
    ///     29/Nov/2026:10:00:00 +0000    29/Nov/2026 10:00:00    2026-11-29T10:00:00.25Z    2026/11/29 10:00:00
    static func read(_ bytes: Bytes, at start: Int = 0) -> LogTime? {
        let digits = Digits(bytes: bytes)
        guard start + 19 <= bytes.count else { return nil }
        let date: Int?
        let clock: Int
        if let year = digits.number(start, 4) {
            guard let month = digits.number(start + 5, 2), let day = digits.number(start + 8, 2),
                bytes[start + 7] == bytes[start + 4],
                bytes[start + 4] == ASCII.dash || bytes[start + 4] == ASCII.slash
            else { return nil }
            (date, clock) = (ISO8601.day(year, month, day), start + 11)
        } else {
            guard start + 20 <= bytes.count, let day = digits.number(start, 2), bytes[start + 2] == ASCII.slash,
                bytes[start + 6] == ASCII.slash, let month = digits.month(start + 3),
                let year = digits.number(start + 7, 4)
            else { return nil }
            (date, clock) = (ISO8601.day(year, month, day), start + 12)
        }
        guard let date, let hour = digits.number(clock, 2), hour < 24, let minute = digits.number(clock + 3, 2),
            minute < 60,
            let second = digits.number(clock + 6, 2), second <= 60, bytes[clock + 2] == ASCII.colon,
            bytes[clock + 5] == ASCII.colon
        else { return nil }
        let zone = digits.zone(clock + 8)
        // A leap second, 60, counts as the one before it.
        let seconds = date * 86_400 + hour * 3_600 + minute * 60 + min(second, 59) - (zone ?? 0)
        return Day.possible.contains(Day(ofSecond: seconds)) ? LogTime(seconds: seconds, hasZone: zone != nil) : nil
    }

    private struct Digits {
        let bytes: Bytes

        /// A number of some digits.
        func number(_ start: Int, _ length: Int) -> Int? {
            guard start + length <= bytes.count else { return nil }
            var value = 0
            for index in start..<start + length {
                let digit = bytes[index] &- 0x30
                guard digit < 10 else { return nil }
                value = value &* 10 &+ Int(digit)
            }
            return value
        }

        /// The month of a name such as `Nov`.
        func month(_ start: Int) -> Int? {
            let names = ("janfebmaraprmayjunjulaugsepoctnovdec" as StaticString).utf8
            for month in 0..<12 where names[month * 3 + 2] == bytes[start + 2] | 0x20 {
                if names[month * 3] == bytes[start] | 0x20, names[month * 3 + 1] == bytes[start + 1] | 0x20 {
                    return month + 1
                }
            }
            return nil
        }

        /// The seconds of a zone such as `Z`, `UTC`, `GMT`, `+0200` or `-05:30`, behind a fraction and a space or not.
        func zone(_ start: Int) -> Int? {
            var position = start
            if position < bytes.count, bytes[position] == ASCII.period || bytes[position] == ASCII.comma {
                position += 1
                while position < bytes.count, ASCII.isDigit(bytes[position]) { position += 1 }
            }
            if position < bytes.count, bytes[position] == ASCII.space { position += 1 }
            guard position < bytes.count else { return nil }
            let sign = bytes[position]
            if sign | 0x20 == UInt8(ascii: "z") || bytes.holds("UTC", at: position) || bytes.holds("GMT", at: position)
            {
                return 0
            }
            let hasColon = position + 3 < bytes.count && bytes[position + 3] == ASCII.colon
            guard sign == ASCII.plus || sign == ASCII.dash, let hours = number(position + 1, 2), hours < 24,
                let minutes = number(position + (hasColon ? 4 : 3), 2), minutes < 60
            else { return nil }
            return (sign == ASCII.dash ? -1 : 1) * (hours * 3_600 + minutes * 60)
        }
    }
}
