import ReferralFoundation

/// Dates as HTTP writes them (RFC 9110, 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The moment at which a server or a cache has answered, from the headers `Date` and `Age`. A cache keeps the date at which
    /// the server made the answer, and adds the seconds since then.
    static func answered(_ date: String?, age: String?) -> Date? {
        date.flatMap { Self.date($0) }.map { $0 + Double(age.flatMap { UInt32($0) } ?? 0) }
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; anything else is `nil`. A server must not write the older forms.
    static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return ISO8601.milliseconds("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z").map {
            Date(timeIntervalSince1970: $0 / 1_000)
        }
    }
}
