/// Reads a line of any server's log: the form of a line is the same for all, with other things before and after it.
struct LogLine {
    let texts = TextBuffer()
    /// Whether the log begins with comments, which name the fields of its lines.
    let hasFields: Bool
    private var fields: LogFields?

    init(hasFields: Bool) { self.hasFields = hasFields }

    /// Returns whether the line is a comment, which may name the fields of the lines after it.
    mutating func readComment(_ line: Bytes) -> Bool {
        guard line.first == ASCII.hash else { return false }
        if hasFields { fields = LogFields(line) ?? fields }
        return true
    }

    /// Reads a request, whose texts live as long as the line and the decoded texts; `nil` if the line isn't one with a time.
    func read(_ line: Bytes) -> LogRequest? { read(line, depth: 0).flatMap { $0.time == nil ? nil : $0 } }

    private func read(_ line: Bytes, depth: Int) -> LogRequest? {
        if let request = fields?.request(line, texts) { return request }
        guard let quote = line.firstIndex(of: ASCII.quote, in: line.indices) else { return nil }
        let prefix = line.part(0..<quote)
        guard depth < 3, let brace = prefix.lastIndex(where: { !ASCII.isWhiteSpace($0) }),
            line[brace] == ASCII.openBrace
        else { return text(line, quote) }
        var members = LogMembers()
        members.read(line.part(brace..<line.count), texts)
        let message = members[.line].flatMap { read($0, depth: depth + 1) }
        guard var request = message ?? members.request(texts) else { return text(line, quote) }
        request.time = request.time ?? members.time(texts) ?? Self.time(in: line, before: brace)?.time
        return request
    }

    /// The time of the first request of a log; `nil` if none of its first lines is one.
    static func firstTime(_ bytes: Bytes) -> Int? {
        var reader = LogLine(hasFields: bytes.first == ASCII.hash)
        for line in bytes.split(separator: ASCII.lineFeed).prefix(200) {
            let line = Bytes(rebasing: line)
            if !reader.readComment(line), let time = reader.read(line)?.time { return time.seconds }
        }
        return nil
    }

    /// The beginning of a line that can't be read, in which nothing that may be the address or the name of a client is left.
    static func shown(_ line: some Collection<UInt8>) -> String {
        let address =
            /[0-9A-Fa-f:]*::[0-9A-Fa-f:.]*|(?:[0-9A-Fa-f]+:){4,}[0-9A-Fa-f:.]*|[0-9]+\.[0-9]+\.[0-9.]+|^\S+(?= - )/
        let shown = String(decoding: line.prefix(1_000), as: UTF8.self).replacing(address, with: "[address]")
        return shown.unicodeScalars.count > 160 ? String(shown.unicodeScalars.prefix(160)) + "…" : shown
    }

    // MARK: Text

    private func text(_ line: Bytes, _ firstQuote: Int) -> LogRequest? {
        let found = Self.quoteOfRequest(line, from: firstQuote)
        let quote = found ?? firstQuote
        let end = line.endOfQuotedText(quote + 1)
        let rest = min(end + 1, line.count)
        let time = Self.time(in: line, before: quote)
        // A request that the server couldn't read is one without a method, and its line has a time.
        guard let status = Self.status(line, rest..<line.count) ?? Self.status(line, 0..<quote),
            found != nil || time != nil
        else { return nil }
        var request = LogRequest(status: status, time: time?.time)
        if found != nil {
            request.text = .init(line: line, time: time?.place ?? quote, request: quote, rest: rest)
            request.setLine(texts.unescaped(line.part(line.afterColors(quote + 1)..<end)))
        }
        return request
    }

    /// The quotation mark before a method and a target.
    private static func quoteOfRequest(_ line: Bytes, from first: Int) -> Int? {
        var next: Int? = first
        while let quote = next {
            let start = line.afterColors(quote + 1)
            var end = start
            while end < line.count, line[end] &- UInt8(ascii: "A") < 26 { end += 1 }
            if end > start, end + 1 < line.count, line[end] == ASCII.space, line[end + 1] > ASCII.space { return quote }
            next = line.firstIndex(of: ASCII.quote, in: quote + 1..<line.count)
        }
        return nil
    }

    /// The first word of three digits from 100 to 599 outside of quotation marks.
    private static func status(_ line: Bytes, _ range: Range<Int>) -> Int? {
        let part = line.part(0..<range.upperBound)
        var position = range.lowerBound
        while position < part.count {
            let byte = part[position]
            position += 1
            if byte == ASCII.quote {
                position = part.endOfQuotedText(position) + 1
            } else if byte <= ASCII.space || byte == ASCII.equals, let status = number(part, position) {
                return status
            }
        }
        return nil
    }

    private static func number(_ line: Bytes, _ start: Int) -> Int? {
        guard start + 3 <= line.count, 0x31...0x35 ~= line[start], ASCII.isDigit(line[start + 1]),
            ASCII.isDigit(line[start + 2]),
            start + 3 == line.count || line[start + 3] <= ASCII.space || line[start + 3] == ASCII.comma
        else { return nil }
        return Int(line[start]) * 100 + Int(line[start + 1]) * 10 + Int(line[start + 2]) - 0x30 * 111
    }

    /// The last time before a position, in brackets if there is one; where the client's words end before it.
    private static func time(in line: Bytes, before end: Int) -> (time: LogTime, place: Int)? {
        var position = end
        while let bracket = line.lastIndex(of: ASCII.openBracket, in: 0..<position) {
            if let time = LogTime.read(line, at: bracket + 1) { return (time, bracket) }
            position = bracket
        }
        for start in (0..<max(0, end - 18)).reversed() where ASCII.isDigit(line[start]) {
            guard start == 0 || !ASCII.isDigit(line[start - 1]) else { continue }
            if let time = LogTime.read(line.part(0..<end), at: start) { return (time, start) }
        }
        return nil
    }

    // MARK: The visitor

    /// Reads the client and the agent of a line of text, which few lines need.
    func readVisitor(of request: inout LogRequest) {
        guard let text = request.text else { return }
        let (line, before) = (text.line, text.line.part(0..<text.time))
        let rest = line.part(text.rest..<line.count)
        request.setAgent(texts.unescaped(Self.agent(rest) ?? Self.capture(line.part(0..<text.request))))
        // Some write the client after the time, before other addresses.
        let words = { line.part(text.time..<text.request).split(separator: ASCII.space).map(Bytes.init(rebasing:)) }
        let client = Self.client(before) ?? words().lazy.compactMap(ClientAddress.address(in:)).first
        request.setClient(client ?? before.part(0..<0), lists: rest.quotedTexts)
    }

    /// The last address, or the first one of its list; in the form of Apache, the one before the identity and the user.
    private static func client(_ text: Bytes) -> Bytes? {
        var end = text.count - (text.last == ASCII.space ? 1 : 0)
        var (number, found, place, isDash) = (0, nil as Bytes?, 0, false)
        while end >= 0 {
            let start = text.lastIndex(of: ASCII.space, in: 0..<end).map { $0 + 1 } ?? 0
            let word = text.part(start..<end)
            (number, end) = (number + 1, start - 1)
            let isNext = found == nil || word.last == ASCII.comma || number == 3 && place == 2
            if isNext, let address = ClientAddress.address(in: word) {
                (found, place) = (address, number)
            } else if found != nil || number == 3 && isDash {
                return found ?? word
            }
            isDash = word.isEqual(to: "-")
        }
        return found
    }

    /// The quoted text that is a browser's, or else the last one that isn't empty, an address of a page or a list of clients.
    private static func agent(_ rest: Bytes) -> Bytes? {
        for browser in ["\"Mozilla/", "\"Opera/"] as [StaticString] {
            if let quote = rest.firstIndex(of: browser) {
                return rest.part(quote + 1..<rest.endOfQuotedText(quote + 1))
            }
        }
        return rest.quotedTexts.last {
            !$0.isEmpty && !$0.isEqual(to: "-") && !$0.holds("http", at: 0) && ClientAddress.first(ofList: $0) == nil
        }
    }

    /// The last one of the texts that HAProxy captures: `{referrer|agent}`.
    private static func capture(_ prefix: Bytes) -> Bytes {
        guard let open = prefix.firstIndex(of: ASCII.openBrace, in: prefix.indices),
            let close = prefix.lastIndex(of: ASCII.closeBrace, in: open..<prefix.count)
        else { return Bytes(start: nil, count: 0) }
        let bar = prefix.lastIndex(of: UInt8(ascii: "|"), in: open..<close)
        return prefix.part((bar ?? open) + 1..<close)
    }
}

extension Bytes {
    /// Skips the colors of a terminal, `ESC[32m`.
    fileprivate func afterColors(_ start: Int) -> Int {
        var position = start
        while holds("\u{1B}[", at: position), let end = firstIndex(of: UInt8(ascii: "m"), in: position..<count) {
            position = end + 1
        }
        return position
    }

    /// The texts between quotation marks.
    fileprivate var quotedTexts: [Bytes] {
        var texts: [Bytes] = []
        var position = 0
        while position < count, let quote = firstIndex(of: ASCII.quote, in: position..<count) {
            let end = endOfQuotedText(quote + 1)
            texts.append(part(quote + 1..<end))
            position = end + 1
        }
        return texts
    }

    /// The quotation mark that ends a text: it isn't escaped, and a space or nothing follows it. If there is none, the line's last one.
    fileprivate func endOfQuotedText(_ start: Int) -> Int {
        var (position, last) = (start, count)
        while let quote = endOfString(position, from: start) {
            if quote + 1 == count || self[quote + 1] <= ASCII.space || self[quote + 1] == ASCII.quote { return quote }
            (position, last) = (quote + 1, quote)
        }
        return last
    }

    /// The next quotation mark that isn't escaped.
    func endOfString(_ start: Int, from first: Int? = nil) -> Int? {
        var position = start
        while position < count, let quote = firstIndex(of: ASCII.quote, in: position..<count) {
            var backslashes = 0
            while quote - backslashes > first ?? start, self[quote - backslashes - 1] == ASCII.backslash {
                backslashes += 1
            }
            if backslashes.isMultiple(of: 2) { return quote }
            position = quote + 1
        }
        return nil
    }
}
