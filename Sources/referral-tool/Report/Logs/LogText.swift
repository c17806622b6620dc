/// What the texts of logs have in common.
extension Bytes {
    /// The number that some digits are. Inlined, since most have two digits.
    @inline(__always)
    func number(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.upperBound <= count else { return nil }
        var value = 0
        for index in range {
            let digit = self[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }

    /// The texts between quotation marks, from a position outside of them.
    var quotedTexts: [Bytes] {
        var texts: [Bytes] = []
        var position = first == ASCII.quote ? 1 : 0
        while position < count, let quote = firstIndex(of: ASCII.quote, in: position..<count) {
            let end = endOfQuotedText(quote + 1)
            texts.append(part(quote + 1..<end))
            position = end + 1
        }
        return texts
    }

    /// The quotation mark that ends a text: it isn't escaped, and a space or nothing follows it. If there is none, the line's last one.
    func endOfQuotedText(_ start: Int) -> Int {
        var (position, last) = (start, count)
        while position < count, let quote = firstIndex(of: ASCII.quote, in: position..<count) {
            position = quote + 1
            let backslashes = part(start..<quote).reversed().prefix { $0 == ASCII.backslash }.count
            guard backslashes.isMultiple(of: 2) else { continue }
            if position == count || self[position] <= ASCII.space || self[position] == ASCII.quote { return quote }
            last = quote
        }
        return last
    }
}
