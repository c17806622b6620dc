/// The addresses of clients in a log.
enum ClientAddress {
    /// The address in a word: without a port, brackets, quotation marks, what precedes `=` or `|`, and the other ones of a list.
    /// Returns `nil` if the word isn't an address.
    static func address(in word: Bytes) -> Bytes? {
        if let address = version4(word) { return address }
        var text = Bytes(rebasing: word.prefix { $0 != ASCII.comma && $0 != ASCII.closeBracket })
        if text.last == ASCII.quote { text = text.part(0..<text.count - 1) }
        let marks = ("=|[\"" as StaticString).utf8
        text = text.part((text.lastIndex(where: marks.contains) ?? -1) + 1..<text.count)
        return version4(text) ?? version6(text)
    }

    /// Four numbers, with a port or not, also behind a prefix that ends with a colon.
    private static func version4(_ text: Bytes) -> Bytes? {
        var (start, points) = (0, 0)
        for index in 0...text.count {
            if index == text.count || text[index] == ASCII.colon {
                if points == 3, text[index - 1] != ASCII.period, text[start] != ASCII.period {
                    return text[index...].dropFirst().allSatisfy(ASCII.isDigit) ? text.part(start..<index) : nil
                }
                (start, points) = (index + 1, 0)
            } else if !ASCII.isDigit(text[index]) {
                points = text[index] == ASCII.period ? points + 1 : .min
            }
        }
        return nil
    }

    /// Eight groups, or fewer with `::`. A last group of five digits is a port.
    private static func version6(_ text: Bytes) -> Bytes? {
        let colons = text.count { $0 == ASCII.colon }
        guard colons >= 7 || colons >= 2 && text.firstIndex(of: "::") != nil,
            text.allSatisfy({ $0 == ASCII.colon || ASCII.hexadecimalValue($0) != nil })
        else { return nil }
        let last = text.lastIndex(of: ASCII.colon) ?? 0
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
        let isMiddle = client.holds("172.", at: 0) && client.number(4..<6).map { 16...31 ~= $0 } == true
        return isMiddle && client.holds(".", at: 6)
            || (["10.", "192.168.", "fc", "fd", "fe8"] as [StaticString]).contains { client.holds($0, at: 0) }
    }

    /// The first address of a list such as `203.0.113.9, 10.0.0.2`; `nil` if the text has anything else.
    static func first(ofList text: Bytes) -> Bytes? {
        let words = text.split(whereSeparator: { $0 == ASCII.comma || $0 == ASCII.space })
        let addresses = words.map { address(in: Bytes(rebasing: $0)) }
        return addresses.contains { $0 == nil } ? nil : addresses.first.flatMap(\.self)
    }
}
