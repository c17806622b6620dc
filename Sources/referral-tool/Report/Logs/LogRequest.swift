/// A request in a log. Its texts are views of the line.
struct LogRequest {
    /// The client's address, or a name for it.
    var client: Bytes
    /// `nil` in a format without it; empty or `-` if the client sent none.
    var agent: Bytes?
    var method: Bytes
    var path: Bytes
    /// The text after the question mark, still encoded.
    var query: Bytes?
    var status: Int
    /// Seconds since the beginning of 1970.
    var time: Int
    /// Whether a header says that the browser fetched it ahead of a tap. Most formats don't contain headers.
    var isPrefetch = false

    /// Whether a header such as `Sec-Purpose` says that the browser fetches ahead of a tap.
    static func isPrefetch(purpose: String) -> Bool {
        let purpose = purpose.lowercased()
        return purpose.hasPrefix("prefetch") || purpose.hasPrefix("preview")
    }

    /// Splits a request's target, such as `/get?ref=anna`. In a log of a proxy, it begins with a host.
    static func split(_ target: Bytes) -> (path: Bytes, query: Bytes?) {
        let question = target.firstIndex(of: ASCII.questionMark, in: target.indices)
        var path = target.part(0..<(question ?? target.count))
        if path.first != ASCII.slash, let colon = path.firstIndex(of: ASCII.colon, in: path.indices),
            path.holds("://", at: colon)
        {
            let start = path.firstIndex(of: ASCII.slash, in: min(colon + 3, path.count)..<path.count)
            path = path.part((start ?? path.count)..<path.count)
        }
        return (path, question.map { target.part($0 + 1..<target.count) })
    }
}

/// Parts of lines of logs.
enum LogText {
    /// A status of three digits.
    static func status(_ bytes: Bytes, at position: Int) -> Int? {
        guard position + 3 <= bytes.count, bytes[position] != UInt8(ascii: "0") else { return nil }
        return number(bytes, position, 3)
    }

    /// A number of some digits; `nil` if there are other characters.
    static func number(_ bytes: Bytes, _ position: Int, _ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var number = 0
        for index in position..<position + count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// The time of a date in a zone, in seconds; `nil` outside of the days that are possible.
    static func time(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, zone: Int) -> Int? {
        // A leap second, 60, counts as the one before it.
        guard let day = ISO8601.day(year, month, day), hour < 24, minute < 60, second <= 60 else { return nil }
        let time = day * 86_400 + hour * 3_600 + minute * 60 + min(second, 59) - zone
        return Day.possible.contains(Day(ofSecond: time)) ? time : nil
    }

    /// A time such as `2026-10-01T09:30:00.25Z`, or `2026-10-01 09:30:00` in UTC; fractions are dropped.
    static func time(_ bytes: Bytes) -> Int? {
        guard bytes.count >= 19, let year = number(bytes, 0, 4), bytes[4] == ASCII.dash,
            let month = number(bytes, 5, 2), bytes[7] == ASCII.dash, let day = number(bytes, 8, 2),
            [UInt8(ascii: "T"), ASCII.space, ASCII.tab].contains(bytes[10]), let hour = number(bytes, 11, 2),
            bytes[13] == ASCII.colon, let minute = number(bytes, 14, 2), bytes[16] == ASCII.colon,
            let second = number(bytes, 17, 2)
        else { return nil }
        var end = 19
        if end < bytes.count, bytes[end] == ASCII.period {
            end += 1
            while end < bytes.count, ASCII.isDigit(bytes[end]) { end += 1 }
        }
        guard let zone = zone(bytes.part(end..<bytes.count)) else { return nil }
        return time(year: year, month: month, day: day, hour: hour, minute: minute, second: second, zone: zone)
    }

    /// The seconds of a zone such as `Z`, `+0200` or `-05:30`; 0 without one.
    static func zone(_ bytes: Bytes) -> Int? {
        if bytes.isEmpty || bytes.count == 1 && bytes[0] | 0x20 == UInt8(ascii: "z") { return 0 }
        let hasColon = bytes.count == 6 && bytes[3] == ASCII.colon
        guard bytes.count == 5 || hasColon, bytes[0] == ASCII.plus || bytes[0] == ASCII.dash,
            let hours = number(bytes, 1, 2), let minutes = number(bytes, hasColon ? 4 : 3, 2), hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return bytes[0] == ASCII.dash ? -seconds : seconds
    }
}
