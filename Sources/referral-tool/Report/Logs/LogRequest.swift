/// A request in a log. Its texts are views of the line, or of texts that were decoded from it.
struct LogRequest {
    var status = 0
    var time: LogTime?
    var method = Bytes.empty
    var path = Bytes.empty
    /// The text after the question mark, still encoded.
    var query: Bytes?
    /// The client's address without its port; empty if the log names nobody.
    var client = Bytes.empty
    /// `nil` if the log or the client has none.
    var agent: Bytes?
    /// Whether a header says that the browser fetched it ahead of a tap. Most logs don't contain headers.
    var isPrefetch = false
    /// A line of text with the positions of the time, the request and the rest, until ``LogLine/readVisitor(of:)`` reads it.
    var text: (line: Bytes, time: Int, request: Int, rest: Int)?

    /// The first item of the query with a name, still encoded.
    func item(_ name: some Collection<UInt8>, _ texts: TextBuffer) -> Bytes? {
        guard let query else { return nil }
        var position = 0
        while position < query.count {
            let end = query.firstIndex(of: ASCII.ampersand, in: position..<query.count) ?? query.count
            // Most items begin with another letter.
            let mayBeNamed = query[position] == name.first || !ASCII.isLetter(query[position])
            if mayBeNamed, let equals = query.firstIndex(of: ASCII.equals, in: position..<end) {
                let text = texts.decoded(query.part(position..<equals))
                if text.elementsEqual(name) { return query.part(equals + 1..<end) }
            }
            position = end + 1
        }
        return nil
    }

    /// What a request of the count address counts as. A copy is a tap too.
    func event(_ texts: TextBuffer) -> Measure? {
        guard let event = item("event".utf8, texts) else { return nil }
        if event.isEqual(to: "view") { return .opened }
        guard event.isEqual(to: "tap") else { return nil }
        return item("copied".utf8, texts)?.isEqual(to: "1") == true ? .copied : .tapped
    }

    /// Sets the user agent, unless it is missing or `-`.
    mutating func setAgent(_ text: Bytes?) { if let text, !text.isEmpty, !text.isEqual(to: "-") { agent = text } }

    /// Sets the client. A list of clients has the visitor's address where the client is only a proxy.
    mutating func setClient(_ client: Bytes, lists: @autoclosure () -> [Bytes]) {
        let isProxy = ClientAddress.isNobody(client) || ClientAddress.isPrivate(client)
        self.client = isProxy ? lists().lazy.compactMap(ClientAddress.first(ofList:)).first ?? client : client
    }

    /// Sets the path and the query from a target such as `/get?via=anna` or `https://example.com/get?via=anna`.
    mutating func setTarget(_ target: Bytes) {
        let question = target.firstIndex(of: ASCII.questionMark, in: target.indices)
        path = target.part(0..<(question ?? target.count))
        query = question.map { target.part($0 + 1..<target.count) }
        guard path.first != ASCII.slash, let host = path.firstIndex(of: "://") else { return }
        path = path.part((path.firstIndex(of: ASCII.slash, in: host + 3..<path.count) ?? path.count)..<path.count)
    }

    /// Sets the method and the target from a line such as `GET /get?via=anna HTTP/1.1`. The protocol may be missing or a number.
    mutating func setLine(_ text: Bytes) {
        guard let space = text.firstIndex(of: ASCII.space, in: text.indices) else { return }
        method = text.part(0..<space)
        let last = { text[space + 1..<text.count].lastIndex(of: ASCII.space) ?? text.count }
        setTarget(text.part(space + 1..<(text.firstIndex(of: " HTTP/", from: space + 1) ?? last())))
    }
}

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
