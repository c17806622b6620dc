/// Reads CloudFront's standard logs: W3C's extended format, with tabs.
///
///     #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) …
struct ExtendedLog: Equatable {
    private static let prefix: StaticString = "#Fields:"

    /// Where the fields are. Before the first line with names, in the order that CloudFront documents.
    private struct Fields: Equatable {
        var date: Int? = 0
        var time: Int? = 1
        var client: Int? = 4
        var method: Int? = 5
        var path: Int? = 7
        var status: Int? = 8
        var agent: Int? = 10
        var query: Int? = 11
        var purpose: Int?

        /// The least number of cells: those up to the last one that is read.
        var count = 12

        init() {}

        init(_ names: [String]) {
            date = names.firstIndex(of: "date")
            time = names.firstIndex(of: "time")
            client = names.firstIndex(of: "c-ip")
            method = names.firstIndex(of: "cs-method")
            path = names.firstIndex(of: "cs-uri-stem")
            status = names.firstIndex(of: "sc-status")
            agent = names.firstIndex(of: "cs(User-Agent)")
            query = names.firstIndex(of: "cs-uri-query")
            purpose = names.firstIndex(of: "cs(Sec-Purpose)") ?? names.firstIndex(of: "cs(Purpose)")
            count = ([date, time, client, method, path, status, agent, query].compactMap(\.self).max() ?? 0) + 1
        }
    }

    private var fields = Fields()

    /// Reads a line that begins with `#`: one of the format's, such as `#Version: 1.0`.
    mutating func readDirective(_ line: Bytes) -> Bool {
        guard line.holds(Self.prefix, at: 0) else {
            return ["#Version:", "#Software:", "#Date:", "#Start-Date:", "#End-Date:", "#Remark:"].contains {
                line.starts(with: $0.utf8)
            }
        }
        let text = String(decoding: line.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
        let names = text.split { $0 == " " || $0 == "\t" }.map(String.init)
        fields = Fields(names)
        return true
    }

    /// The fields after the lines with `#` at the beginning of a log.
    func readingDirectives(at beginning: [UInt8]) -> ExtendedLog {
        var log = self
        beginning.withUnsafeBufferPointer { bytes in
            for line in bytes.split(separator: ASCII.lineFeed) {
                let line = Bytes(rebasing: line)
                guard line.first == ASCII.hash else { return }
                _ = log.readDirective(line.last == ASCII.carriageReturn ? line.part(0..<line.count - 1) : line)
            }
        }
        return log
    }

    /// Reads the beginning of a line that is too long. If it names the fields, the lines after it can't be read.
    mutating func readLong(_ line: Bytes) {
        if line.holds(Self.prefix, at: 0) { fields = Fields([]) }
    }

    /// Returns `nil` if the line isn't of this format. The request's texts are views of the line, or in the buffer.
    func request(_ line: Bytes, _ texts: TextBuffer) -> LogRequest? {
        guard fields.date != 0 || line.count > 20 && line[4] == ASCII.dash && ASCII.isDigit(line[0]) else { return nil }
        let cells = line.split(separator: ASCII.tab, omittingEmptySubsequences: false)
        guard cells.count >= fields.count else { return nil }
        func cell(_ index: Int?) -> Bytes? {
            guard let index, index < cells.count else { return nil }
            return Bytes(rebasing: cells[index])
        }
        guard let date = cell(fields.date), let clock = cell(fields.time), let method = cell(fields.method),
            let path = cell(fields.path), let statusText = cell(fields.status), date.count == 10, clock.count == 8,
            let time = LogText.time(texts.copy(Array(date) + [ASCII.space] + Array(clock)))
        else { return nil }
        // 000 is a client that left before the answer.
        guard statusText.count == 3, let status = LogText.number(statusText, 0, 3) else { return nil }
        var query = cell(fields.query)
        if query?.elementsEqual("-".utf8) == true { query = nil }
        let agent = cell(fields.agent).map { texts.bytes(of: FormText.decode($0, plusIsSpace: false)) }
        let purpose = cell(fields.purpose).map { FormText.decode($0) } ?? ""
        return LogRequest(
            client: cell(fields.client) ?? Bytes(start: nil, count: 0),
            agent: agent,
            method: method,
            path: path,
            query: query,
            status: status,
            time: time,
            isPrefetch: LogRequest.isPrefetch(purpose: purpose)
        )
    }
}
