/// Reads lines of the Common and the Combined log format, of Apache and nginx.
///
///     203.0.113.7 - - [01/Oct/2026:09:30:00 +0000] "GET /get?ref=anna HTTP/1.1" 200 5120 "-" "Mozilla/5.0 …"
///
/// A virtual host before the client, and more fields at the end, are accepted.
struct CommonLog {
    /// Where the date's last digits are, in a text such as `01/Oct/2026:09:30:00 +0000`.
    private static let dateLength = 26

    /// The last date up to its minute, with its zone, and the time of the minute: most lines have the same as the one before.
    private var minute = [UInt8](repeating: 0, count: 17)
    private var zone = [UInt8](repeating: 0, count: 6)
    private var start: Int?

    /// Returns `nil` if the line isn't of this format. A request without a method, as of a scanner, has an empty one.
    mutating func request(_ line: Bytes) -> LogRequest? {
        var position = 0
        while let bracket = line.firstIndex(of: ASCII.openBracket, in: position..<line.count) {
            position = bracket + 1
            guard bracket + Self.dateLength + 3 < line.count, line[bracket + Self.dateLength + 1] == ASCII.closeBracket,
                line[bracket + Self.dateLength + 2] == ASCII.space, line[bracket + Self.dateLength + 3] == ASCII.quote,
                let time = time(line, bracket + 1)
            else { continue }
            return request(line, bracket, time)
        }
        return nil
    }

    private func request(_ line: Bytes, _ bracket: Int, _ time: Int) -> LogRequest? {
        guard let client = Self.client(line.part(0..<bracket)) else { return nil }
        let start = bracket + Self.dateLength + 4
        guard let end = Self.closingQuote(line, start), end + 5 <= line.count, line[end + 1] == ASCII.space,
            let status = LogText.status(line, at: end + 2)
        else { return nil }
        // The size, or a dash.
        var position = end + 5
        guard position + 1 < line.count, line[position] == ASCII.space,
            ASCII.isDigit(line[position + 1]) || line[position + 1] == ASCII.dash
        else { return nil }
        position += 2
        while position < line.count, ASCII.isDigit(line[position]) { position += 1 }
        guard position == line.count || line[position] == ASCII.space else { return nil }

        var request = LogRequest(
            client: client,
            agent: nil,
            method: line.part(0..<0),
            path: line.part(0..<0),
            status: status,
            time: time
        )
        if line.holds(" \"", at: position) {
            guard let referer = Self.closingQuote(line, position + 2), line.holds(" \"", at: referer + 1),
                let agent = Self.closingQuote(line, referer + 3)
            else { return nil }
            request.agent = line.part(referer + 3..<agent)
        }
        let text = line.part(start..<end)
        if let space = text.firstIndex(of: ASCII.space, in: text.indices), space > 0 {
            var targetEnd = text.count
            if let last = text.lastIndex(of: ASCII.space), last > space, text.holds("HTTP/", at: last + 1) {
                targetEnd = last
            }
            request.method = text.part(0..<space)
            (request.path, request.query) = LogRequest.split(text.part(space + 1..<targetEnd))
        }
        return request
    }

    /// The client, at the beginning of the line or after a virtual host: `client identity user` and a space.
    private static func client(_ start: Bytes) -> Bytes? {
        guard let end = start.firstIndex(of: ASCII.space, in: start.indices), end > 0, start.last == ASCII.space else {
            return nil
        }
        guard let second = start.firstIndex(of: ASCII.space, in: end + 1..<start.count), second > end + 1,
            let third = start.firstIndex(of: ASCII.space, in: second + 1..<start.count), third > second + 1
        else { return nil }
        // After a host, the identity comes later, and is always a dash. Proxies write several clients, with commas.
        let isHost =
            start[end + 1] != ASCII.dash && start[end - 1] != ASCII.comma && start[0] != ASCII.quote
            && hasIdentity(start.part(second..<start.count))
        return isHost ? start.part(end + 1..<second) : start.part(0..<end)
    }

    /// Whether there is a dash between spaces, and a user after it.
    private static func hasIdentity(_ fields: Bytes) -> Bool {
        var position = 0
        while let dash = fields.firstIndex(of: ASCII.dash, in: position..<fields.count) {
            if fields.holds(" - ", at: dash - 1), dash + 2 < fields.count { return true }
            position = dash + 1
        }
        return false
    }

    /// The next quotation mark that isn't after a backslash, as Apache writes one in a text.
    private static func closingQuote(_ line: Bytes, _ start: Int) -> Int? {
        var position = start
        while position < line.count, let quote = line.firstIndex(of: ASCII.quote, in: position..<line.count) {
            var backslashes = 0
            while quote - backslashes > start, line[quote - backslashes - 1] == ASCII.backslash { backslashes += 1 }
            if backslashes.isMultiple(of: 2) { return quote }
            position = quote + 1
        }
        return nil
    }

    /// The time of `01/Oct/2026:09:30:00 +0000`.
    private mutating func time(_ line: Bytes, _ position: Int) -> Int? {
        guard let second = LogText.number(line, position + 18, 2), second <= 60 else { return nil }
        let isSame =
            minute.withUnsafeBufferPointer { line.holds($0, at: position) }
            && zone.withUnsafeBufferPointer { line.holds($0, at: position + 20) }
        if !isSame {
            start = Self.minute(line, position)
            guard start != nil else {
                minute[0] = 0
                return nil
            }
            for index in minute.indices { minute[index] = line[position + index] }
            for index in zone.indices { zone[index] = line[position + 20 + index] }
        }
        guard line[position + 17] == ASCII.colon else { return nil }
        return start.map { $0 + min(second, 59) }
    }

    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func minute(_ line: Bytes, _ position: Int) -> Int? {
        guard let day = LogText.number(line, position, 2), line[position + 2] == ASCII.slash,
            let month = months.firstIndex(where: { line.holds($0, at: position + 3) }),
            line[position + 6] == ASCII.slash, let year = LogText.number(line, position + 7, 4),
            line[position + 11] == ASCII.colon, let hour = LogText.number(line, position + 12, 2),
            line[position + 14] == ASCII.colon, let minute = LogText.number(line, position + 15, 2),
            line[position + 20] == ASCII.space, let zone = LogText.zone(line.part(position + 21..<position + 26))
        else { return nil }
        return LogText.time(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: 0, zone: zone)
    }
}
