import ReferralBridge

/// Parses the options' times and durations.
enum TimeText {
    static let durationForm = "a duration is a number and one of ms, s, m, h, d (90s, 1.5h), or a number of seconds"

    @Sendable static func time(_ text: String) -> Timestamp? {
        text == "now" ? .now : (decimal(text) ?? iso8601(text)).map(Timestamp.init(milliseconds:))
    }

    /// A duration in seconds.
    @Sendable static func duration(_ text: String) -> Double? {
        let units: [String: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400, "": 1]
        let number = text.prefix { $0 == "." || ("0"..."9").contains($0) }
        guard let unit = units[String(text[number.endIndex...])], let count = decimal(number) else { return nil }
        return (count * unit).isFinite ? count * unit : nil
    }

    /// Digits, or digits, a point and digits.
    private static func decimal(_ text: some StringProtocol) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }) else { return nil }
        return Double(String(text)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// `2026-11-21T09:30[:00[.250]]` and `Z`, `+01`, `+0100` or `+01:00`, in milliseconds.
    ///
    /// Foundation's parser accepts 30 February, and text after the zone.
    private static func iso8601(_ text: String) -> Double? {
        var rest = Array(text.utf8)[...]
        func skip(_ characters: String) -> UInt8? {
            rest.first.flatMap { characters.utf8.contains($0) ? rest.removeFirst() : nil }
        }
        func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
            let field = rest.prefix(digits)
            guard field.count == digits, field.allSatisfy(ASCII.isDigit) else { return nil }
            rest.removeFirst(digits)
            return Int(String(decoding: field, as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
        }
        guard let year = number(4, 0...9_999), skip("-") != nil, let month = number(2, 1...12), skip("-") != nil,
            let day = number(2, 1...days(inMonth: month, of: year)), skip("Tt") != nil,
            let hour = number(2, 0...23), skip(":") != nil, let minute = number(2, 0...59)
        else { return nil }

        var seconds = 0.0
        if skip(":") != nil {
            guard number(2, 0...59).map({ seconds = Double($0) }) != nil else { return nil }
            if skip(".,") != nil {
                let fraction = rest.prefix(while: ASCII.isDigit)
                guard let value = Double("0.\(String(decoding: fraction, as: UTF8.self))"), !fraction.isEmpty else {
                    return nil
                }
                seconds += value
                rest.removeFirst(fraction.count)
            }
        }

        var offset = 0
        if skip("Zz") == nil {
            guard let sign = skip("+-"), let hours = number(2, 0...23) else { return nil }
            offset = hours * 60
            if !rest.isEmpty {
                _ = skip(":")
                guard let minutes = number(2, 0...59) else { return nil }
                offset += minutes
            }
            if sign == ASCII.dash { offset = -offset }
        }
        guard rest.isEmpty else { return nil }
        let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
        return Double(minutes * 60_000) + (seconds * 1_000_000).rounded() / 1_000
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days in the Gregorian calendar. Years begin in March here, so that the leap day is the last one.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        let leapDays = years.floored(by: 4) - years.floored(by: 100) + years.floored(by: 400)
        return 365 * years + leapDays + (153 * months + 2) / 5 + day - 1 - 719_468
    }
}

private extension Int {
    func floored(by divisor: Int) -> Int { (self - (self % divisor + divisor) % divisor) / divisor }
}
