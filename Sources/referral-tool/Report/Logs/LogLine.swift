/// Reads a line of any server's log: the form of a line is the same for all, with other things before and after it.
struct LogLine {
    var texts = TextBuffer()
    /// The members that the cells of the next lines are, from a comment `#Fields:`.
    private var fields: [LogMembers.Member?]?

    /// Returns whether the line is a comment, which may name the fields of the lines after it.
    mutating func readComment(_ line: Bytes) -> Bool {
        guard line.first == ASCII.hash else { return false }
        if line.holds("#Fields:", at: 0) {
            let names = line.dropFirst(8).split(whereSeparator: ASCII.isWhiteSpace)
            fields = names.map { LogMembers.member(named: Bytes(rebasing: $0)) }
        }
        return true
    }

    /// Reads a request, whose texts live as long as the line and the decoded texts, and returns whether the line is one. In JSON, a
    /// request may be in a string.
    func read(_ line: Bytes, _ request: inout LogRequest) -> Bool {
        let hasCells = fields.flatMap { LogMembers(line, $0, texts)?.read(&request, texts) } ?? false
        if hasCells, request.time != nil { return true }
        request = LogRequest()
        guard let quote = line.firstIndex(of: ASCII.quote, in: line.indices) else { return false }
        let brace = line.part(0..<quote).lastIndex { !ASCII.isWhiteSpace($0) }
        guard let brace, line[brace] == ASCII.openBrace else { return readText(line, quote, &request) }
        guard let members = LogMembers(json: line.part(brace..<line.count), texts) else { return false }
        let isInString = members.values[.line].map { read($0, &request) } ?? false
        guard isInString || members.read(&request, texts) else { return false }
        request.time = request.time ?? members.time(texts) ?? Self.time(in: line, before: brace)?.time
        return true
    }

    /// The beginning of a line that can't be read, in which nothing that may be the address or the name of a client is left.
    static func shown(_ line: some Collection<UInt8>) -> String {
        let address =
            /[0-9A-Fa-f:]*::[0-9A-Fa-f:.]*|(?:[0-9A-Fa-f]+:){4,}[0-9A-Fa-f:.]*|[0-9]+\.[0-9]+\.[0-9.]+|^\S+(?= - )/
        let shown = String(decoding: line.prefix(1_000), as: UTF8.self).replacing(address, with: "[address]")
        return shown.unicodeScalars.count > 160 ? String(shown.unicodeScalars.prefix(160)) + "…" : shown
    }

    private func readText(_ line: Bytes, _ firstQuote: Int, _ request: inout LogRequest) -> Bool {
        let found = Self.startOfRequest(line, from: firstQuote)
        let start = found ?? firstQuote + 1
        let end = line.endOfQuotedText(start)
        let time = Self.time(in: line, before: start)
        // A request that the server couldn't read is one without a method, and its line has a time.
        guard let status = Self.status(line.part(end..<line.count)) ?? Self.status(line.part(0..<start)),
            found != nil || time != nil
        else { return false }
        (request.status, request.time) = (status, time?.time)
        if found != nil {
            request.text = (line, time?.place ?? start, start, end)
            request.setLine(texts.unescaped(line.part(start..<end)))
        }
        return true
    }

    /// The start of a method and a target, behind a quotation mark.
    private static func startOfRequest(_ line: Bytes, from first: Int) -> Int? {
        var quote: Int? = first
        while let start = quote.map({ $0 + 1 }) {
            let end = line[start...].firstIndex { $0 &- UInt8(ascii: "A") >= 26 } ?? line.count
            if end > start, end + 1 < line.count, line[end] == ASCII.space, line[end + 1] > ASCII.space { return start }
            quote = line.firstIndex(of: ASCII.quote, in: start..<line.count)
        }
        return nil
    }

    /// The first word of three digits from 100 to 599 outside of quotation marks. A word ends at a space, `=`, a comma or a mark.
    private static func status(_ text: Bytes) -> Int? {
        var position = text.first == ASCII.quote ? 1 : 0
        var start = position
        while position <= text.count {
            let byte = position < text.count ? text[position] : ASCII.space
            if byte <= ASCII.comma && byte != ASCII.plus || byte == ASCII.equals {
                let status = position - start == 3 ? text.number(start..<position) : nil
                if let status, 100..<600 ~= status { return status }
                if byte == ASCII.quote { position = text.endOfQuotedText(position + 1) }
                start = position + 1
            }
            position += 1
        }
        return nil
    }

    /// The last time before a position, and its start.
    private static func time(in line: Bytes, before end: Int) -> (time: LogTime, place: Int)? {
        for start in (0..<max(0, end - 18)).reversed() where ASCII.isDigit(line[start]) {
            guard start == 0 || !ASCII.isDigit(line[start - 1]) else { continue }
            if let time = LogTime(line.part(0..<end), at: start) { return (time, start) }
        }
        return nil
    }

    /// Reads the client and the agent of a line of text, which few lines need.
    func readVisitor(of request: inout LogRequest) {
        guard let (line, time, start, end) = request.text else { return }
        let rest = line.part(end..<line.count)
        request.setAgent(texts.unescaped(Self.agent(rest) ?? Self.capture(line.part(0..<start))))
        // Some write the client after the time, before other addresses.
        let words = { line.part(time..<start).split(separator: ASCII.space).map(Bytes.init(rebasing:)) }
        let client = Self.client(line.part(0..<time)) ?? words().lazy.compactMap(ClientAddress.address(in:)).first
        request.setClient(client ?? .empty, lists: rest.quotedTexts)
    }

    /// The last address, or the first one of its list, or else the word before ` - `.
    private static func client(_ text: Bytes) -> Bytes? {
        var (end, found) = (text.count, nil as Bytes?)
        while end >= 0 {
            let start = text[0..<end].lastIndex(of: ASCII.space).map { $0 + 1 } ?? 0
            let word = text.part(start..<end)
            end = start - 1
            if found == nil ? word.count > 1 : word.last == ASCII.comma, let address = ClientAddress.address(in: word) {
                found = address
            } else if found != nil {
                return found
            }
        }
        guard found == nil, let dash = text.firstIndex(of: " - ") else { return found }
        return text.part((text[0..<dash].lastIndex(of: ASCII.space).map { $0 + 1 } ?? 0)..<dash)
    }

    /// The quoted text that is a browser's, or else the last one that isn't empty, an address of a page or a list of clients.
    private static func agent(_ rest: Bytes) -> Bytes? {
        if let quote = rest.firstIndex(of: "\"Mozilla/") ?? rest.firstIndex(of: "\"Opera/") {
            return rest.part(quote + 1..<rest.endOfQuotedText(quote + 1))
        }
        return rest.quotedTexts.last {
            !$0.isEmpty && !$0.isEqual(to: "-") && !$0.holds("http", at: 0) && ClientAddress.first(ofList: $0) == nil
        }
    }

    /// The last one of the texts that HAProxy captures: `{referrer|agent}`.
    private static func capture(_ prefix: Bytes) -> Bytes {
        guard let end = prefix.lastIndex(of: ASCII.closeBrace) else { return .empty }
        let start = prefix[..<end].lastIndex { $0 == ASCII.openBrace || $0 == UInt8(ascii: "|") }
        return start.map { prefix.part($0 + 1..<end) } ?? .empty
    }
}
