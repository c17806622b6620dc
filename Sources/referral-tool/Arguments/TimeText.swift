/// Parses the options' times and durations.
enum TimeText {
    static let form: Sentence =
        "a time is 'now', Unix milliseconds (1795224750690) or ISO 8601 with a zone (2026-11-21T09:30:00Z)"
    static let durationForm: Sentence =
        "a duration is a number with one of ms, s, m, h, d (90s, 1.5h), or a number of seconds"

    @Sendable static func time(_ text: String) -> Timestamp? {
        text == "now" ? .now : (decimal(text) ?? ISO8601.milliseconds(text)).map(Timestamp.init(milliseconds:))
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
}
