/// Times as ISO 8601 writes them.
package enum ISO8601 {
    /// Reads `2026-11-21T09:30[:00[.250]]` and `Z`, `+01`, `+0100` or `+01:00`; anything else is `nil`.
    ///
    /// Foundation's parser accepts 30 February, and text after the zone.
    ///
    /// - Returns: Unix milliseconds.
    package static func milliseconds(_ text: String) -> Double? {
        var rest = Substring(text.uppercased()).utf8
        func skip(_ mark: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: mark) else { return false }
            rest = rest.dropFirst()
            return true
        }
        func number(_ range: ClosedRange<Int>, digits: Int = 2) -> Int? {
            let text = rest.prefix(digits)
            guard text.count == digits, text.allSatisfy(ASCII.isDigit), let number = Int(Substring(text)),
                range.contains(number)
            else { return nil }
            rest = rest.dropFirst(digits)
            return number
        }
        guard let year = number(0...9_999, digits: 4), skip("-"), let month = number(1...12), skip("-"),
            let day = number(1...31).flatMap({ day(year, month, $0) }), skip("T"), let hour = number(0...23), skip(":"),
            let minute = number(0...59)
        else { return nil }

        var seconds = 0.0
        if skip(":") {
            guard let whole = number(0...59) else { return nil }
            seconds = Double(whole)
            if skip(".") || skip(",") {
                let digits = rest.prefix(while: ASCII.isDigit)
                guard !digits.isEmpty, let fraction = Double("0.\(Substring(digits))") else { return nil }
                seconds += fraction
                rest = rest.dropFirst(digits.count)
            }
        }

        var offset = 0
        if !skip("Z") {
            let isWest = skip("-")
            guard isWest || skip("+"), let hours = number(0...23) else { return nil }
            if !rest.isEmpty {
                _ = skip(":")
                guard let minutes = number(0...59) else { return nil }
                offset = minutes
            }
            offset = (hours * 60 + offset) * (isWest ? -1 : 1)
        }
        guard rest.isEmpty else { return nil }
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
