/// Times as ISO 8601 writes them.
package enum ISO8601 {
    /// Reads `2026-11-21T09:30[:00[.250]]` and `Z`, `+01`, `+0100` or `+01:00`; anything else is `nil`.
    ///
    /// Foundation's parser accepts 30 February, and text after the zone.
    ///
    /// - Returns: Unix milliseconds.
    package static func milliseconds(_ text: String) -> Double? {
        var rest = Fields(bytes: Array(text.utf8))
        guard let year = rest.number(4, 0, 9_999), rest.skip("-"), let month = rest.number(2, 1, 12), rest.skip("-"),
            let day = rest.number(2, 1, 31).flatMap({ day(year, month, $0) }), rest.skip("T") || rest.skip("t"),
            let hour = rest.number(2, 0, 23), rest.skip(":"), let minute = rest.number(2, 0, 59)
        else { return nil }

        var seconds = 0.0
        if rest.skip(":") {
            guard let whole = rest.number(2, 0, 59), let fraction = rest.fraction() else { return nil }
            seconds = Double(whole) + fraction
        }

        var offset = 0
        if !rest.skip("Z"), !rest.skip("z") {
            let isWest = rest.skip("-")
            guard isWest || rest.skip("+"), let hours = rest.number(2, 0, 23) else { return nil }
            offset = hours * 60
            if !rest.isAtEnd {
                _ = rest.skip(":")
                guard let minutes = rest.number(2, 0, 59) else { return nil }
                offset += minutes
            }
            if isWest { offset = -offset }
        }
        guard rest.isAtEnd else { return nil }
        let minutes = (day * 24 + hour) * 60 + minute - offset
        return Double(minutes * 60_000) + (seconds * 1_000_000).rounded() / 1_000
    }

    /// The day of a date in the Gregorian calendar, counted from the first one of 1970; `nil` if there is no such date.
    package static func day(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length = month == 2 ? (isLeap ? 29 : 28) : 30 + (month + month / 8) % 2
        guard 1...12 ~= month, 1...length ~= day else { return nil }
        // Years start in March here, so that the leap day is the last day. Adding 400 years avoids a division of negative numbers.
        let years = (month > 2 ? year : year - 1) + 400
        let leapDays = years / 4 - years / 100 + years / 400
        return 365 * years + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 719_468 - 146_097
    }
}

extension ISO8601 {
    /// The day of the month, from 1, of a day that is counted from the first one of 1970.
    package static func dayOfMonth(_ day: Int) -> Int {
        // The 400 years of the calendar that the day is in, from a first of March.
        let rest = (day + 719_468) % 146_097
        let inEra = rest < 0 ? rest + 146_097 : rest
        let year = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        return inYear - (153 * month + 2) / 5 + 1
    }
}

private struct Fields {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == character.value else { return false }
        position += 1
        return true
    }

    mutating func digit() -> Int? {
        guard position < bytes.count, ASCII.isDigit(bytes[position]) else { return nil }
        position += 1
        return Int(bytes[position - 1] - UInt8(ascii: "0"))
    }

    mutating func number(_ digits: Int, _ least: Int, _ most: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number < least || number > most ? nil : number
    }

    /// The fraction: 0 without a point, or `nil` if no digits follow the point.
    mutating func fraction() -> Double? {
        guard skip(".") || skip(",") else { return 0 }
        var (digits, unit) = (0.0, 1.0)
        while let digit = digit() {
            // More digits make no difference to a double.
            guard unit < 1e15 else { continue }
            (digits, unit) = (digits * 10 + Double(digit), unit * 10)
        }
        return unit > 1 ? digits / unit : nil
    }
}
