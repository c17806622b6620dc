/// What a line says under names: the members of a line in JSON, or the cells under `#Fields:`.
struct LogMembers {
    enum Member {
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
    private static let members = Dictionary(
        names.flatMap { member, names -> [(UInt64, Member)] in
            names.split(separator: " ").map { (String($0).withUTF8Bytes { key(of: $0) }, member) }
        },
        uniquingKeysWith: { first, _ in first }
    )

    /// A hash of a name's letters and digits.
    private static func key(of name: Bytes) -> UInt64 {
        name.reduce(0xCBF2_9CE4_8422_2325) { key, byte in
            let letter = ASCII.isLetter(byte) ? byte | 0x20 : byte
            return ASCII.isLetter(byte) || ASCII.isDigit(byte) ? (key ^ UInt64(letter)) &* 0x100_0000_01B3 : key
        }
    }

    static func member(named name: Bytes) -> Member? { members[key(of: name)] }

    private(set) var values: [Member: Bytes] = [:]

    /// Adds a value. The first one counts, but a number that isn't a time, such as how long a request took.
    private mutating func add(_ value: Bytes, _ member: Member) {
        let isKept = values[member].map { member != .time || LogTime($0) != nil } ?? false
        if !isKept { values[member] = value }
    }

    func time(_ texts: TextBuffer) -> LogTime? {
        let date = values[.date].flatMap { $0.count == 10 ? $0.string + " " : nil } ?? ""
        return values[.time].flatMap { LogTime(date.isEmpty ? $0 : texts.copy((date + $0.string).utf8)) }
    }

    /// Reads the request, and returns whether there is enough for one.
    func read(_ request: inout LogRequest, _ texts: TextBuffer) -> Bool {
        guard let status = values[.status].flatMap({ $0.number($0.indices) }), status < 1_000 else { return false }
        request = LogRequest(status: status, time: time(texts))
        if let line = values[.request], line.contains(ASCII.space) {
            request.setLine(line)
        } else if let target = values[.target] ?? values[.path] ?? values[.request], let method = values[.method] {
            request.setTarget(target)
            request.method = method
        } else {
            return false
        }
        if request.query == nil, let query = values[.query], !query.isEqual(to: "-") {
            request.query = query.first == ASCII.questionMark ? query.part(1..<query.count) : query
        }
        let client = values[.proxied] ?? values[.client] ?? .empty
        request.setClient(ClientAddress.address(in: client) ?? client, lists: [values[.forwarded] ?? .empty])
        request.setAgent(values[.agent])
        let purpose = values[.purpose]?.string.lowercased() ?? ""
        request.isPrefetch = purpose.hasPrefix("prefetch") || purpose.hasPrefix("preview")
        return true
    }

    /// Reads the cells of a line, separated by tabs or else by spaces, as CloudFront and IIS write them. Cells at the end that aren't
    /// needed may be missing; `nil` if others are.
    init?(_ line: Bytes, _ fields: [Member?], _ texts: TextBuffer) {
        let separator = line.firstIndex(of: ASCII.tab, in: line.indices) == nil ? ASCII.space : ASCII.tab
        let cells = line.split(separator: separator, omittingEmptySubsequences: separator == ASCII.space)
        guard cells.count > fields.lastIndex(where: { $0 != nil }) ?? .max else { return nil }
        for (member, cell) in zip(fields, cells.map(Bytes.init(rebasing:))) {
            if let member { add(member == .agent ? texts.decoded(cell) : cell, member) }
        }
    }

    /// Reads an object in JSON, and the objects in it that are about the request. Of headers, which a client writes, only some count.
    init?(json: Bytes, _ texts: TextBuffer) {
        let end = json.lastIndex(of: ASCII.closeBrace).map { $0 + 1 } ?? json.count
        var reader = JSONReader(json.part(0..<end))
        do throws(JSONError) {
            try reader.readObject { name, value throws(JSONError) in try read(name, value, texts) }
        } catch { return nil }
    }

    private mutating func read(
        _ name: JSONValue,
        _ value: JSONValue,
        _ texts: TextBuffer,
        isHeader: Bool = false
    ) throws(JSONError) {
        guard let member = name.withContent(Self.member), !value.isNull else { return }
        if value.isObject {
            let isHeader = isHeader || name.withContent { $0.suffix(6).elementsEqual("eaders".utf8) }
            return try value.readObject { name, value throws(JSONError) in
                try read(name, value, texts, isHeader: isHeader)
            }
        }
        if isHeader, ![.agent, .forwarded, .purpose].contains(member) { return }
        let value = value.array?.first ?? value
        add(value.isString ? value.withContent(texts.copy) : texts.copy(value.text.utf8), member)
    }
}
