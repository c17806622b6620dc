/// The addresses of clients in a log.
enum ClientAddress {
    /// The address in a word: without a port, brackets, quotation marks, what precedes `=` or `|`, and the other ones of a list.
    /// Returns `nil` if the word isn't an address.
    static func address(in word: Bytes) -> Bytes? {
        if let address = version4(word) { return address }
        var start = 0
        var end = word.firstIndex(of: ASCII.comma, in: word.indices) ?? word.count
        for index in 0..<end where word[index] == ASCII.equals || word[index] == UInt8(ascii: "|") { start = index + 1 }
        while start < end, word[start] == ASCII.quote || word[start] == ASCII.openBracket { start += 1 }
        if start > 0, let bracket = word.firstIndex(of: ASCII.closeBracket, in: start..<end) { end = bracket }
        while end > start, word[end - 1] == ASCII.quote || word[end - 1] == ASCII.closeBracket { end -= 1 }
        let text = word.part(start..<end)
        return version4(text) ?? version6(text)
    }

    /// Four numbers, with a port or not, also behind a prefix that ends with a colon.
    private static func version4(_ text: Bytes) -> Bytes? {
        var (start, points) = (0, 0)
        for (index, byte) in text.enumerated() where byte &- UInt8(ascii: "0") > 9 {
            if byte == ASCII.period, index > start, text[index - 1] != ASCII.period {
                points += 1
            } else if byte == ASCII.colon {
                if points == 3 {
                    return text[(index + 1)...].allSatisfy(ASCII.isDigit) ? text.part(start..<index) : nil
                }
                (start, points) = (index + 1, 0)
            } else {
                points = .min
            }
        }
        return points == 3 && text.last != ASCII.period ? text.part(start..<text.count) : nil
    }

    /// Eight groups, or fewer with `::`. A last group of five digits is a port.
    private static func version6(_ text: Bytes) -> Bytes? {
        let colons = text.count { $0 == ASCII.colon }
        guard colons >= 7 || colons >= 2 && text.firstIndex(of: "::") != nil,
            text.allSatisfy({ $0 == ASCII.colon || ASCII.hexadecimalValue($0) != nil })
        else { return nil }
        let last = text.lastIndex(of: ASCII.colon, in: text.indices) ?? 0
        return text.count - last > 5 || colons > 7 ? text.part(0..<last) : text
    }

    /// Whether an address names nobody: loopback, all zeros, or a socket of this machine.
    static func isNobody(_ client: Bytes) -> Bool {
        guard let first = client.first else { return true }
        guard first < UInt8(ascii: "2") || first > UInt8(ascii: "9") else { return false }
        return client.holds("127.", at: 0) && version4(client) != nil || client.holds("unix:", at: 0)
            || (["-", "0.0.0.0", "::", "::1", "localhost"] as [StaticString]).contains(where: client.isEqual)
    }

    /// Whether an address is of a private network, so that a proxy may be in front.
    static func isPrivate(_ client: Bytes) -> Bool {
        func second() -> Int {
            client.dropFirst(4).prefix(while: ASCII.isDigit).reduce(0) { ($0 & 0xFFFF) * 10 + Int($1 - 0x30) }
        }
        return client.holds("10.", at: 0) || client.holds("192.168.", at: 0)
            || client.holds("172.", at: 0) && 16...31 ~= second() || client.holds("100.", at: 0) && 64...127 ~= second()
            || client.holds("fc", at: 0) || client.holds("fd", at: 0) || client.holds("fe8", at: 0)
    }

    /// The first address of a list such as `203.0.113.9, 10.0.0.2`; `nil` if the text has anything else.
    static func first(ofList text: Bytes) -> Bytes? {
        let words = text.split(whereSeparator: { $0 == ASCII.comma || $0 == ASCII.space })
        let addresses = words.map { address(in: Bytes(rebasing: $0)) }
        return addresses.contains { $0 == nil } ? nil : addresses.first.flatMap(\.self)
    }
}
