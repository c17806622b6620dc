/// Reads a line of any server's log: the form of a line is the same for all, with other things before and after it.
struct LogLine {
    let texts = TextBuffer()
    /// The names of the cells, from a line `#Fields:`.
    var fields: LogFields?

    /// Returns whether the line is a request, whose texts live as long as the line and the decoded texts.
    func read(_ line: Bytes, into request: inout LogRequest, depth: Int = 0) -> Bool {
        if let read = fields?.request(line, texts) {
            request = read
            return true
        }
        guard let quote = line.firstIndex(of: ASCII.quote, in: line.indices) else { return false }
        var brace = quote
        while brace > 0, ASCII.isWhiteSpace(line[brace - 1]) { brace -= 1 }
        if brace > 0, line[brace - 1] == ASCII.openBrace, depth < 3 {
            var members = LogMembers()
            members.read(line.part(brace - 1..<line.count), texts)
            var isRead = members.text(.line).map { read($0, into: &request, depth: depth + 1) } ?? false
            if !isRead, let read = members.request(texts) { (request, isRead) = (read, true) }
            if isRead, request.time == nil {
                request.time = members.time(texts) ?? Self.time(in: line.part(0..<brace - 1))
            }
            if isRead && request.time != nil || depth > 0 { return isRead }
        }
        return readText(line, quote, into: &request) && (request.time != nil || depth > 0)
    }

    /// The time of the first request of a log; `nil` if none of its first lines is one.
    static func firstTime(_ bytes: Bytes) -> Int? {
        var reader = LogLine()
        for line in bytes.split(separator: ASCII.lineFeed).prefix(200) {
            let line = Bytes(rebasing: line)
            if let fields = LogFields(line) { reader.fields = fields }
            var request = LogRequest()
            if reader.read(line, into: &request), let time = request.time { return time.seconds }
        }
        return nil
    }

    /// The beginning of a line that can't be read, in which nothing that may be the address or the name of a client is left.
    static func shown(_ line: some Collection<UInt8>) -> String {
        var shown = ""
        var word = ""
        for scalar in (String(decoding: line.prefix(640), as: UTF8.self) + "\n").unicodeScalars.prefix(240) {
            if scalar.properties.isASCIIHexDigit || scalar == "." || scalar == ":" {
                word.unicodeScalars.append(scalar)
                continue
            }
            let (points, colons) = (word.count { $0 == "." }, word.count { $0 == ":" })
            let isAddress =
                points > 1 || colons > 3 || word.contains("::") || colons > 1 && word.contains { $0.isLetter }
            shown += isAddress ? "[address]" : word
            if shown.unicodeScalars.count >= 160, scalar != "\n" { return shown + "…" }
            if scalar != "\n" { shown.unicodeScalars.append(scalar) }
            word = ""
        }
        guard let space = shown.firstIndex(of: " "), shown[space...].hasPrefix(" - ") else { return shown }
        return "[address]" + shown[space...]
    }

    // MARK: Text

    private func readText(_ line: Bytes, _ firstQuote: Int, into request: inout LogRequest) -> Bool {
        var quote = firstQuote
        var start = line.afterColors(quote + 1)
        while !Self.isRequest(line, start) {
            guard let next = line.firstIndex(of: ASCII.quote, in: quote + 1..<line.count) else {
                return Self.readBrokenRequest(line, firstQuote, into: &request)
            }
            quote = next
            start = line.afterColors(quote + 1)
        }
        let end = Self.endOfRequest(line, start)
        request.setLine(texts.unescaped(line.part(start..<end)))
        let rest = min(end + 1, line.count)
        guard let status = Self.status(line, rest..<line.count) ?? Self.status(line, 0..<quote) else { return false }
        let (time, place) = Self.timeAndPlace(in: line, before: quote)
        (request.status, request.time) = (status, time)
        request.text = .init(line: line, time: place, request: quote, rest: rest)
        return true
    }

    /// Reads the client and the agent of a request, which few lines need.
    func addVisitor(to request: inout LogRequest) {
        guard let text = request.text else { return }
        let (line, before) = (text.line, text.line.part(0..<text.time))
        let agent = Self.agent(line.part(text.rest..<line.count)) ?? Self.capture(line.part(0..<text.request))
        request.agent = texts.unescaped(agent)
        request.client =
            Self.client(before) ?? Self.firstAddress(line.part(text.time..<text.request)) ?? Self.host(before)
        guard ClientAddress.isNobody(request.client) || ClientAddress.isPrivate(request.client) else { return }
        var position = text.rest
        while let quoted = line.quotedText(from: position) {
            if let client = ClientAddress.first(ofList: line.part(quoted)) { return request.client = client }
            position = quoted.upperBound + 1
        }
    }

    /// Whether a method and a target begin here.
    private static func isRequest(_ line: Bytes, _ start: Int) -> Bool {
        var end = start
        while end < line.count, line[end] &- UInt8(ascii: "A") < 26 { end += 1 }
        return end > start && end + 1 < line.count && line[end] == ASCII.space && line[end + 1] > ASCII.space
    }

    /// A request that the server couldn't read is one without a method: the quotation mark stands behind the time.
    private static func readBrokenRequest(_ line: Bytes, _ quote: Int, into request: inout LogRequest) -> Bool {
        request = LogRequest(time: timeAndPlace(in: line, before: quote).time)
        guard request.time != nil, let text = line.quotedText(from: quote) else { return false }
        return status(line, text.upperBound..<line.count) ?? status(line, 0..<quote) != nil
    }

    /// The quotation mark behind the request: one before a status, or the next one that isn't escaped.
    private static func endOfRequest(_ line: Bytes, _ start: Int) -> Int {
        var position = start
        while let quote = line.firstIndex(of: ASCII.quote, in: position..<line.count) {
            if quote + 4 < line.count, line[quote + 1] == ASCII.space, number(line, quote + 2) != nil { return quote }
            position = quote + 1
        }
        return line.endOfQuotedText(start)
    }

    /// A number of three digits from 100 to 599 that is a word.
    private static func number(_ line: Bytes, _ start: Int) -> Int? {
        guard start + 3 <= line.count, line[start] &- UInt8(ascii: "1") < 5, ASCII.isDigit(line[start + 1]),
            ASCII.isDigit(line[start + 2]),
            start + 3 == line.count || [ASCII.space, ASCII.tab, ASCII.comma].contains(line[start + 3])
        else { return nil }
        return Int(line[start]) * 100 + Int(line[start + 1]) * 10 + Int(line[start + 2]) - 0x30 * 111
    }

    /// The first such number outside of quotation marks.
    private static func status(_ line: Bytes, _ range: Range<Int>) -> Int? {
        let part = line.part(0..<range.upperBound)
        var position = range.lowerBound
        while position < part.count {
            if part[position] == ASCII.quote {
                position = part.endOfQuotedText(position + 1)
            } else if part[position] <= ASCII.space || part[position] == ASCII.equals,
                let number = number(part, position + 1)
            {
                return number
            }
            position += 1
        }
        return nil
    }

    // MARK: The time

    private static func time(in text: Bytes) -> LogTime? { timeAndPlace(in: text, before: text.count).time }

    /// The last time before a position, in brackets if there is one; where the client's words end before it.
    private static func timeAndPlace(in line: Bytes, before end: Int) -> (time: LogTime?, place: Int) {
        var position = end
        while let bracket = line.lastIndex(of: ASCII.openBracket, in: 0..<position) {
            if let time = LogTime.read(line, at: bracket + 1) { return (time, bracket) }
            position = bracket
        }
        for start in (0..<max(0, end - 18)).reversed() where ASCII.isDigit(line[start]) {
            guard start == 0 || !ASCII.isDigit(line[start - 1]) else { continue }
            if let time = LogTime.read(line.part(0..<end), at: start) { return (time, start) }
        }
        return (nil, end)
    }

    // MARK: The client

    /// The last address before the time; in the form of Apache, the one that the identity and the user follow.
    private static func client(_ prefix: Bytes) -> Bytes? {
        var end = prefix.last == ASCII.space ? prefix.count - 1 : prefix.count
        var (number, found, isDash) = (0, nil as Bytes?, false)
        while end >= 0, found == nil || number == 2 {
            let start = prefix.lastIndex(of: ASCII.space, in: 0..<end).map { $0 + 1 } ?? 0
            number += 1
            if let first = firstOfList(prefix, start..<end) {
                found = first
            } else if number == 3, isDash, found == nil, start == end || prefix.part(start..<end).isEqual(to: "-") {
                return Bytes(start: nil, count: 0)
            }
            isDash = prefix.part(start..<end).isEqual(to: "-")
            end = start - 1
        }
        return found
    }

    /// The address in a word; if the word ends a list such as `203.0.113.9, 10.0.0.2`, the first one.
    private static func firstOfList(_ prefix: Bytes, _ word: Range<Int>) -> Bytes? {
        guard var first = ClientAddress.address(in: prefix.part(word)) else { return nil }
        var start = word.lowerBound
        while start > 1, prefix[start - 1] == ASCII.space, prefix[start - 2] == ASCII.comma {
            let end = start - 1
            start = prefix.lastIndex(of: ASCII.space, in: 0..<end).map { $0 + 1 } ?? 0
            guard let address = ClientAddress.address(in: prefix.part(start..<end)) else { break }
            first = address
        }
        return first
    }

    private static func firstAddress(_ text: Bytes) -> Bytes? {
        text.split(separator: ASCII.space).lazy.compactMap { ClientAddress.address(in: Bytes(rebasing: $0)) }.first
    }

    /// The word before ` - `, which is a host's name in the place of the address.
    private static func host(_ prefix: Bytes) -> Bytes {
        let end = prefix.firstIndex(of: " - ") ?? 0
        return prefix.part((prefix.lastIndex(of: ASCII.space, in: 0..<end).map { $0 + 1 } ?? 0)..<end)
    }

    // MARK: The agent

    /// The quoted text that is a browser's, or else the last one that isn't empty, an address of a page or a list of clients.
    private static func agent(_ rest: Bytes) -> Bytes? {
        var position = 0
        while let quote = rest.firstIndex(of: ASCII.quote, in: position..<rest.count) {
            if rest.holds("Mozilla/", at: quote + 1) || rest.holds("Opera/", at: quote + 1) {
                return rest.part(quote + 1..<rest.endOfQuotedText(quote + 1))
            }
            position = quote + 1
        }
        var agent: Bytes?
        position = 0
        while let range = rest.quotedText(from: position) {
            let text = rest.part(range)
            if !text.isEmpty, !text.isEqual(to: "-"), !text.holds("http", at: 0),
                ClientAddress.first(ofList: text) == nil
            {
                agent = text
            }
            position = range.upperBound + 1
        }
        return agent
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

private extension Bytes {
    /// Skips the colors of a terminal, `ESC[32m`.
    func afterColors(_ start: Int) -> Int {
        var position = start
        while holds("\u{1B}[", at: position), let end = firstIndex(of: UInt8(ascii: "m"), in: position..<count) {
            position = end + 1
        }
        return position
    }

    /// The next text between quotation marks.
    func quotedText(from position: Int) -> Range<Int>? {
        guard position < count, let quote = firstIndex(of: ASCII.quote, in: position..<count) else { return nil }
        return quote + 1..<endOfQuotedText(quote + 1)
    }

    /// The quotation mark that ends a text: it isn't escaped, and a space or nothing follows it. If there is none, the line's last one.
    func endOfQuotedText(_ start: Int) -> Int {
        var position = start
        var last: Int?
        while position < count, let quote = firstIndex(of: ASCII.quote, in: position..<count) {
            var backslashes = 0
            while quote - backslashes > start, self[quote - backslashes - 1] == ASCII.backslash { backslashes += 1 }
            let isLast = quote + 1 == count || self[quote + 1] <= ASCII.space || self[quote + 1] == ASCII.quote
            if isLast, backslashes.isMultiple(of: 2) { return quote }
            last = quote
            position = quote + 1
        }
        return last ?? count
    }
}
