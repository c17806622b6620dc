/// Numbers for people.
enum CountText {
    /// `1 row`, `1,234 rows`.
    static func count(_ count: Int, _ name: String) -> String { "\(grouped(count)) \(name)\(count == 1 ? "" : "s")" }

    /// `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digits[index])
        }
    }
}
