/// What a line says under names: the members of a line in JSON, or the cells under `#Fields:`.
struct LogMembers {
    enum Member: Int, CaseIterable {
        case time, date, client, proxied, forwarded, line, request, target, path, query, method, status, agent, purpose
        /// An object whose members are read too.
        case nested
    }

    /// The names that servers and services use, in small letters and without punctuation.
    private static let names: [(Member, String)] = [
        (.time, "ts time timestamp timelocal timeiso8601 msec edgestarttimestamp startutc starttime datetime"),
        (.time, "requesttime realtimetimestamp eventtime reqtimesec"), (.date, "date"),
        (.client, "remoteip remoteaddr remoteaddress remotehost clienthost clientaddr cip ip cliip"),
        (.client, "downstreamremoteaddress"), (.proxied, "clientip"),
        (.forwarded, "xforwardedfor httpxforwardedfor requestxforwardedfor forwardedfor"), (.line, "message log"),
        (.request, "request requestline"),
        (.method, "method requestmethod clientrequestmethod csmethod httpmethod reqmethod"),
        (.target, "requesturi requesturl requestpath clientrequesturi originalurl csuri"),
        (.path, "uri url path csuristem reqpath"), (.query, "args query querystring csuriquery querystr"),
        (.status, "status statuscode scstatus edgeresponsestatus downstreamstatus responsecode responsestatus"),
        (.status, "httpstatus httpstatuscode"), (.agent, "useragent agent httpuseragent clientrequestuseragent"),
        (.agent, "requestuseragent csuseragent ua original"), (.purpose, "purpose secpurpose xpurpose xmoz"),
        (.nested, "httprequest requestheaders headers properties req res http response source jsonpayload proxy"),
    ]
    private static let members: [UInt64: Member] = {
        let pairs = names.flatMap { member, names in
            names.split(separator: " ").map { (String($0).withUTF8Bytes { key(of: $0) }, member) }
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// A hash of a name's letters and digits.
    private static func key(of name: Bytes) -> UInt64 {
        name.reduce(0xCBF2_9CE4_8422_2325) { key, byte in
            ASCII.isLetter(byte)
                ? (key ^ UInt64(byte | 0x20)) &* 0x100_0000_01B3
                : ASCII.isDigit(byte) ? (key ^ UInt64(byte)) &* 0x100_0000_01B3 : key
        }
    }

    static func member(named name: Bytes) -> Member? { members[key(of: name)] }

    private var texts = [Bytes?](repeating: nil, count: Member.allCases.count)

    func text(_ member: Member) -> Bytes? { texts[member.rawValue] }

    /// Sets a value. The first one counts, but a number that isn't a time, such as how long a request took.
    mutating func set(_ member: Member, _ value: Bytes) {
        let old = texts[member.rawValue]
        if old == nil || member == .purpose || member == .time && old.flatMap(LogTime.any) == nil {
            texts[member.rawValue] = value
        }
    }

    func time(_ buffer: TextBuffer) -> LogTime? {
        guard let time = text(.time) else { return nil }
        if let date = text(.date), date.count == 10 {
            return LogTime.read(buffer.copy(Array(date) + [ASCII.space] + Array(time)))
        }
        return LogTime.any(time)
    }

    /// The request, if there is enough for one.
    func request(_ buffer: TextBuffer) -> LogRequest? {
        var request = LogRequest()
        guard let text = text(.status), let status = Int(String(decoding: text, as: UTF8.self)), 0...999 ~= status
        else { return nil }
        request.status = status
        if let line = self.text(.request), line.firstIndex(of: ASCII.space, in: line.indices) != nil {
            request.setLine(line)
        } else if let target = self.text(.target) ?? self.text(.path) ?? self.text(.request),
            let method = self.text(.method)
        {
            request.setTarget(target)
            request.method = method
        } else {
            return nil
        }
        if request.query == nil, let query = self.text(.query), !query.isEmpty, !query.isEqual(to: "-") {
            request.query = query.first == ASCII.questionMark ? query.part(1..<query.count) : query
        }
        let client = self.text(.proxied) ?? self.text(.client) ?? request.client
        request.client = ClientAddress.address(in: client) ?? client
        if ClientAddress.isNobody(request.client) || ClientAddress.isPrivate(request.client),
            let first = self.text(.forwarded).flatMap(ClientAddress.first(ofList:))
        {
            request.client = first
        }
        request.agent = self.text(.agent) ?? request.agent
        request.time = time(buffer)
        let purpose = String(decoding: self.text(.purpose) ?? request.client.part(0..<0), as: UTF8.self).lowercased()
        request.isPrefetch = purpose.hasPrefix("prefetch") || purpose.hasPrefix("preview")
        return request
    }

    // MARK: JSON

    /// Reads an object, and the objects in it that are about the request. Stops at the first byte that isn't JSON.
    mutating func read(_ object: Bytes, _ buffer: TextBuffer, isHeaders: Bool = false) {
        var reader = Reader(bytes: object, position: 1)
        while let name = reader.string() {
            guard reader.skip(ASCII.colon) else { return }
            let start = reader.position
            let member = Self.member(named: name)
            let text = reader.value()
            guard let text else { return }
            let value = object.part(start..<reader.position)
            if let member, !isHeaders || [.agent, .forwarded, .purpose].contains(member) {
                switch value.first {
                case ASCII.openBrace: read(value, buffer, isHeaders: name.hasSuffix("eaders"))
                case ASCII.openBracket where member == .line: set(member, Self.bytes(of: value, buffer))
                case ASCII.openBracket:
                    var list = Reader(bytes: value, position: 1)
                    if let first = list.string() { set(member, buffer.unescaped(first)) }
                default: set(member, buffer.unescaped(text))
                }
            }
            guard reader.skip(ASCII.comma) else { return }
        }
    }

    /// The journal writes a text with control characters as a list of its bytes.
    private static func bytes(of list: Bytes, _ buffer: TextBuffer) -> Bytes {
        buffer.copy(
            list.split { !ASCII.isDigit($0) }.map {
                UInt8(truncatingIfNeeded: $0.reduce(0) { $0 &* 10 &+ Int($1 - 0x30) })
            }
        )
    }

    /// Reads JSON that servers write, also with bytes that aren't UTF-8 and with the escape `\xHH`.
    private struct Reader {
        let bytes: Bytes
        var position: Int

        private mutating func skipSpace() {
            while position < bytes.count, ASCII.isWhiteSpace(bytes[position]) { position += 1 }
        }

        mutating func skip(_ byte: UInt8) -> Bool {
            skipSpace()
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            skipSpace()
            return true
        }

        /// The content of a string, with its escapes.
        mutating func string() -> Bytes? {
            skipSpace()
            guard position < bytes.count, bytes[position] == ASCII.quote else { return nil }
            let start = position + 1
            position = start
            while let quote = bytes.firstIndex(of: ASCII.quote, in: position..<bytes.count) {
                var backslashes = 0
                while quote - backslashes > start, bytes[quote - backslashes - 1] == ASCII.backslash {
                    backslashes += 1
                }
                position = quote + 1
                if backslashes.isMultiple(of: 2) { return bytes.part(start..<quote) }
            }
            return nil
        }

        /// Any value: the content of a string, or the bytes of another one.
        mutating func value() -> Bytes? {
            guard position < bytes.count else { return nil }
            if bytes[position] == ASCII.quote { return string() }
            let start = position
            var depth = 0
            while position < bytes.count {
                switch bytes[position] {
                case ASCII.quote:
                    guard string() != nil else { return nil }
                    continue
                case ASCII.openBrace, ASCII.openBracket: depth += 1
                case ASCII.closeBrace where depth == 0, ASCII.closeBracket where depth == 0,
                    ASCII.comma where depth == 0:
                    return bytes.part(start..<position)
                case ASCII.closeBrace, ASCII.closeBracket:
                    depth -= 1
                    if depth == 0 {
                        position += 1
                        return bytes.part(start..<position)
                    }
                default: break
                }
                position += 1
            }
            return nil
        }
    }
}

/// The names of the cells of lines under `#Fields:`, as CloudFront and IIS write them.
struct LogFields {
    private let members: [LogMembers.Member?]

    /// Reads a line such as `#Fields: date time c-ip cs-method`; `nil` for other comments.
    init?(_ line: Bytes) {
        guard line.holds("#Fields:", at: 0) else { return nil }
        members = line.dropFirst(8).split { ASCII.isWhiteSpace($0) }.map {
            LogMembers.member(named: Bytes(rebasing: $0))
        }
    }

    /// Reads the cells of a line, separated by tabs or else by spaces. Cells at the end that aren't needed may be missing.
    func request(_ line: Bytes, _ buffer: TextBuffer) -> LogRequest? {
        let separator = line.firstIndex(of: ASCII.tab, in: line.indices) == nil ? ASCII.space : ASCII.tab
        let cells = line.split(separator: separator, omittingEmptySubsequences: separator == ASCII.space)
        guard cells.count > members.lastIndex(where: { $0 != nil }) ?? .max else { return nil }
        var values = LogMembers()
        for (member, cell) in zip(members, cells) {
            guard let member else { continue }
            let cell = Bytes(rebasing: cell)
            values.set(
                member,
                member == .agent && !cell.isEqual(to: "-") ? buffer.copy(PercentEncoding.decodeForm(cell).utf8) : cell
            )
        }
        guard var request = values.request(buffer), request.time != nil else { return nil }
        // Such lines are in UTC.
        request.time?.hasZone = true
        return request
    }
}
