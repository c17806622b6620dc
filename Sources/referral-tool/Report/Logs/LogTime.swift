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
        var text = TimeReader(bytes: bytes, position: start)
        guard let date = text.date(), let hour = text.number(2), hour < 24, text.skip(ASCII.colon),
            let minute = text.number(2), minute < 60, text.skip(ASCII.colon), let second = text.number(2), second <= 60
        else { return nil }
        let zone = text.zone()
        // A leap second, 60, counts as the one before it.
        let seconds = date * 86_400 + hour * 3_600 + minute * 60 + min(second, 59) - (zone ?? 0)
        return Day.possible.contains(Day(ofSecond: seconds)) ? LogTime(seconds: seconds, hasZone: zone != nil) : nil
    }
}

private struct TimeReader {
    let bytes: Bytes
    var position: Int

    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// A number of some digits.
    mutating func number(_ length: Int) -> Int? {
        guard position + length <= bytes.count else { return nil }
        var value = 0
        for index in position..<position + length {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        position += length
        return value
    }

    /// The day of a date, and what separates it from the time.
    mutating func date() -> Int? {
        defer { position += 1 }
        if let year = number(4) {
            let separator = skip(ASCII.dash) ? ASCII.dash : ASCII.slash
            guard separator == ASCII.dash || skip(separator), let month = number(2), skip(separator),
                let day = number(2)
            else { return nil }
            return ISO8601.day(year, month, day)
        }
        guard let day = number(2), skip(ASCII.slash), let month = month(), skip(ASCII.slash), let year = number(4)
        else { return nil }
        return ISO8601.day(year, month, day)
    }

    /// The month of a name such as `Nov`.
    private mutating func month() -> Int? {
        guard position + 3 <= bytes.count else { return nil }
        let names = ("janfebmaraprmayjunjulaugsepoctnovdec" as StaticString).utf8
        defer { position += 3 }
        return (0..<12).first { month in
            (0..<3).allSatisfy { names[month * 3 + $0] == bytes[position + $0] | 0x20 }
        }.map { $0 + 1 }
    }

    /// The seconds of a zone such as `Z`, `UTC`, `GMT`, `+0200` or `-05:30`, behind a fraction and a space or not.
    mutating func zone() -> Int? {
        if skip(ASCII.period) || skip(ASCII.comma) {
            while position < bytes.count, ASCII.isDigit(bytes[position]) { position += 1 }
        }
        _ = skip(ASCII.space)
        let names = ["Z", "z", "UTC", "GMT"] as [StaticString]
        let isWest = skip(ASCII.dash)
        guard isWest || skip(ASCII.plus) else { return names.contains { bytes.holds($0, at: position) } ? 0 : nil }
        guard let hours = number(2), hours < 24 else { return nil }
        _ = skip(ASCII.colon)
        guard let minutes = number(2), minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}
