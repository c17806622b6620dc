/// Reads lines of logs in JSON: Caddy's, and Cloudflare's by Logpush.
enum JSONLog {
    /// Returns `nil` if the line isn't of such a log. The request's texts are in the buffer.
    static func request(_ line: Bytes, _ texts: TextBuffer) -> (SourceKind, LogRequest)? {
        var values = Values()
        var reader = JSONReader(line)
        do {
            try reader.readObject { name, value throws(JSONError) in try values.add(name, value) }
        } catch { return nil }
        return values.request(texts)
    }

    private struct Values {
        var kind: SourceKind?
        var client: JSONValue?
        /// `nil` in a log without headers, and empty if the client sent none.
        var agent: String?
        var method: JSONValue?
        var target: JSONValue?
        var status: JSONValue?
        var time: JSONValue?
        var isPrefetch = false

        /// Adds a member. Of a repeated one, the last one counts.
        mutating func add(_ name: JSONValue, _ value: JSONValue) throws(JSONError) {
            if name.isEqual(to: "request") {
                guard value.isObject else { return }
                var values = self
                values.kind = .caddy
                try value.readObject { name, value throws(JSONError) in try values.addOfRequest(name, value) }
                self = values
            } else if name.isEqual(to: "status") || name.isEqual(to: "EdgeResponseStatus") {
                status = value
            } else if name.isEqual(to: "ts") || name.isEqual(to: "EdgeStartTimestamp") {
                time = value
            } else if name.isEqual(to: "ClientRequestURI") {
                (kind, target) = (.cloudflare, value)
            } else if name.isEqual(to: "ClientIP") {
                client = value
            } else if name.isEqual(to: "ClientRequestMethod") {
                method = value
            } else if name.isEqual(to: "ClientRequestUserAgent") {
                agent = value.string ?? ""
            } else if name.isEqual(to: "RequestHeaders"), value.isObject {
                try addHeaders(value)
            }
        }

        private mutating func addOfRequest(_ name: JSONValue, _ value: JSONValue) throws(JSONError) {
            if name.isEqual(to: "method") {
                method = value
            } else if name.isEqual(to: "uri") {
                target = value
            } else if name.isEqual(to: "client_ip") || name.isEqual(to: "remote_ip") && client == nil {
                client = value
            } else if name.isEqual(to: "headers"), value.isObject {
                agent = agent ?? ""
                try addHeaders(value)
            }
        }

        private mutating func addHeaders(_ headers: JSONValue) throws(JSONError) {
            var values = self
            try headers.readObject { name, value throws(JSONError) in values.addHeader(name, value) }
            self = values
        }

        /// Caddy has a list of values for each header, and Cloudflare a text.
        private mutating func addHeader(_ name: JSONValue, _ value: JSONValue) {
            guard let name = name.string?.lowercased() else { return }
            let first = value.array?.first ?? value
            switch name {
            case "user-agent": agent = first.string ?? ""
            case "purpose", "sec-purpose", "x-purpose", "x-moz":
                isPrefetch = isPrefetch || LogRequest.isPrefetch(purpose: first.string ?? "")
            default: break
            }
        }

        func request(_ texts: TextBuffer) -> (SourceKind, LogRequest)? {
            guard let kind, let target = target?.string, let method = method?.string,
                let status = status?.wholeNumber(in: 0...999), let time = seconds
            else { return nil }
            let (path, query) = LogRequest.split(texts.bytes(of: target))
            let request = LogRequest(
                client: texts.bytes(of: client?.string ?? ""),
                agent: agent.map { texts.bytes(of: $0) },
                method: texts.bytes(of: method),
                path: path,
                query: query,
                status: status,
                time: time,
                isPrefetch: isPrefetch
            )
            return (kind, request)
        }

        /// Seconds with a fraction, as Caddy writes them, nanoseconds, or text.
        private var seconds: Int? {
            // Cloudflare's may be a number in quotation marks.
            let text = time?.string
            if let text, !text.utf8.allSatisfy(ASCII.isDigit) {
                let bytes = Array(text.replacing("/", with: "-").utf8)
                return bytes.withUnsafeBufferPointer { LogText.time($0) }
            }
            guard let number = text.flatMap(Double.init) ?? time?.number, number >= 0, number < 1e20 else { return nil }
            let seconds = Int(number > 1e14 ? number / 1e9 : number)
            return Day.possible.contains(Day(ofSecond: seconds)) ? seconds : nil
        }
    }
}
