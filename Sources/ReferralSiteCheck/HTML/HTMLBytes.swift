extension UInt8 {
    /// Whether HTML counts the byte as white space: tab, line feed, form feed, carriage return and space.
    var isHTMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }
}

extension Sequence<UInt8> {
    /// The text with its ASCII letters in lowercase.
    package var lowercasedText: String { String(decoding: map(ASCII.lowercased), as: UTF8.self) }
}

extension [UInt8] {
    /// The range of the first occurrence of a text at or after a position.
    func range(of text: String, from start: Int = 0) -> Range<Int>? {
        let text = Array(text.utf8)
        var start = start
        while let found = self[start...].firstIndex(of: text[0]) {
            if self[found...].starts(with: text) { return found..<found + text.count }
            start = found + 1
        }
        return nil
    }

    /// The positions after the occurrences of a text.
    func ends(of text: String) -> [Int] {
        var ends: [Int] = []
        while let found = range(of: text, from: ends.last ?? 0) { ends.append(found.upperBound) }
        return ends
    }
}

extension String {
    /// The text without surrounding white space.
    var trimmed: String { String(self[...].trimmingWhiteSpace) }

    /// The text with its ASCII letters in lowercase.
    package var asciiLowercased: String { utf8.lowercasedText }

    /// The text with at most 30 combining marks in a row, as in Unicode's "Stream-Safe Text Format"; further ones are left out.
    ///
    /// Swift sorts such marks before it hashes or compares a text, in a time that grows with the square of their number.
    var streamSafe: String {
        // The first mark is U+0300.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return self }
        var count = 0
        return String(
            unicodeScalars.filter { scalar in
                count = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
                return count <= 30
            }
        )
    }
}
