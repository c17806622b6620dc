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
