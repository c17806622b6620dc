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

    /// A value. The first one counts, but a number that isn't a time, such as how long a request took.
    subscript(member: Member) -> Bytes? {
        get { texts[member.rawValue] }
        set {
            let old = texts[member.rawValue]
            if old == nil || member == .purpose || member == .time && old.flatMap(LogTime.any) == nil {
                texts[member.rawValue] = newValue
            }
        }
    }

    func time(_ buffer: TextBuffer) -> LogTime? {
        guard let time = self[.time] else { return nil }
        if let date = self[.date], date.count == 10 {
            return LogTime.read(buffer.copy(Array(date) + [ASCII.space] + Array(time)))
        }
        return LogTime.any(time)
    }

    /// The request, if there is enough for one.
    func request(_ buffer: TextBuffer) -> LogRequest? {
        guard let status = self[.status].flatMap({ Int(String(decoding: $0, as: UTF8.self)) }), 0...999 ~= status
        else { return nil }
        var request = LogRequest(status: status, time: time(buffer))
        if let line = self[.request], line.contains(ASCII.space) {
            request.setLine(line)
        } else if let target = self[.target] ?? self[.path] ?? self[.request], let method = self[.method] {
            request.setTarget(target)
            request.method = method
        } else {
            return nil
        }
        if request.query == nil, let query = self[.query], !query.isEmpty, !query.isEqual(to: "-") {
            request.query = query.first == ASCII.questionMark ? query.part(1..<query.count) : query
        }
        let client = self[.proxied] ?? self[.client] ?? request.client
        request.setClient(ClientAddress.address(in: client) ?? client, lists: [self[.forwarded]].compactMap(\.self))
        request.setAgent(self[.agent])
        let purpose = String(decoding: self[.purpose] ?? request.client.part(0..<0), as: UTF8.self).lowercased()
        request.isPrefetch = purpose.hasPrefix("prefetch") || purpose.hasPrefix("preview")
        return request
    }

    /// Which members of an object count.
    private enum Scope {
        case all, headers, none

        func scope(of name: Bytes, _ member: Member?) -> Scope {
            self == .none || member == nil ? .none : self == .headers || name.hasSuffix("eaders") ? .headers : .all
        }

        func member(named name: Bytes) -> Member? {
            let member = self == .none ? nil : LogMembers.member(named: name)
            return self == .all || member == .agent || member == .forwarded || member == .purpose ? member : nil
        }
    }

    /// Reads an object in JSON that a server writes, also with bytes that aren't UTF-8 and with the escape `\xHH`, and the objects
    /// in it that are about the request.
    mutating func read(_ json: Bytes, _ buffer: TextBuffer) {
        var (scopes, name) = ([Scope.all], json.part(0..<0))
        var member: Member?
        var position = 1
        while position < json.count, let scope = scopes.last {
            let start = position
            position += 1
            switch json[start] {
            case ASCII.openBrace: scopes.append(scope.scope(of: name, member))
            case ASCII.closeBrace: scopes.removeLast()
            case ASCII.openBracket where member == .line:
                // The journal writes a text with control characters as a list of its bytes.
                let list = json.part(position..<json.count).prefix { $0 != ASCII.closeBracket }
                let codes = list.split { !ASCII.isDigit($0) }.map { UInt8(String(decoding: $0, as: UTF8.self)) ?? 0 }
                if !codes.isEmpty { self[.line] = buffer.copy(codes) }
                position += list.count
            case ASCII.openBracket, ASCII.closeBracket, ASCII.comma: break
            case ASCII.quote:
                guard let end = json.endOfString(position) else { return }
                let text = json.part(position..<end)
                position = end + 1
                while position < json.count, ASCII.isWhiteSpace(json[position]) { position += 1 }
                if position < json.count, json[position] == ASCII.colon {
                    (name, member) = (text, scope.member(named: text))
                    position += 1
                } else if let member {
                    self[member] = buffer.unescaped(text)
                }
            case let byte where ASCII.isWhiteSpace(byte): break
            default:
                while position < json.count, !ASCII.isWhiteSpace(json[position]),
                    ![ASCII.comma, ASCII.closeBrace, ASCII.closeBracket].contains(json[position])
                {
                    position += 1
                }
                let value = json.part(start..<position)
                if let member, !value.isEqual(to: "null") { self[member] = value }
            }
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
            values[member] = member == .agent ? buffer.decoded(cell) : cell
        }
        guard var request = values.request(buffer), request.time != nil else { return nil }
        // Such lines are in UTC.
        request.time?.hasZone = true
        return request
    }
}
