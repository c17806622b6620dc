/// A request in a log. Its texts are views of the line, or of texts that were decoded from it.
struct LogRequest {
    /// The client's address without its port; empty if the log names nobody.
    var client = Bytes(start: nil, count: 0)
    /// Empty if the log or the client has none.
    var agent = Bytes(start: nil, count: 0)
    var method = Bytes(start: nil, count: 0)
    var path = Bytes(start: nil, count: 0)
    /// The text after the question mark, still encoded.
    var query: Bytes?
    var status = 0
    var time: LogTime?
    /// Whether a header says that the browser fetched it ahead of a tap. Most logs don't contain headers.
    var isPrefetch = false
    /// Where the client and the agent are in a line of text, until ``LogLine/addVisitor(to:)`` reads them.
    var text: Text?

    struct Text {
        let line: Bytes
        let time: Int
        let request: Int
        let rest: Int
    }

    /// Sets the path and the query from a target such as `/get?ref=anna` or `https://example.com/get?ref=anna`.
    mutating func setTarget(_ target: Bytes) {
        let question = target.firstIndex(of: ASCII.questionMark, in: target.indices)
        path = target.part(0..<(question ?? target.count))
        query = question.map { target.part($0 + 1..<target.count) }
        guard path.first != ASCII.slash, let colon = path.firstIndex(of: ASCII.colon, in: path.indices),
            path.holds("://", at: colon)
        else { return }
        let start = path.firstIndex(of: ASCII.slash, in: min(colon + 3, path.count)..<path.count)
        path = path.part((start ?? path.count)..<path.count)
    }

    /// Sets the method and the target from a line such as `GET /get?ref=anna HTTP/1.1`. The protocol may be missing, or a number.
    mutating func setLine(_ text: Bytes) {
        guard let space = text.firstIndex(of: ASCII.space, in: text.indices), space > 0 else { return }
        method = text.part(0..<space)
        var end: Int?
        var position = space + 1
        while let next = text.firstIndex(of: ASCII.space, in: position..<text.count) {
            if text.holds("HTTP/", at: next + 1) {
                end = next
                break
            }
            if end == nil, next + 1 < text.count, ASCII.isDigit(text[next + 1]) { end = next }
            position = next + 1
        }
        setTarget(text.part(space + 1..<(end ?? text.count)))
    }

    /// What the paths of a page have in common: `/get`, `/get/`, `/get.html`, `/get/index.html` and `/%67et` are one page.
    static func page(_ path: Bytes) -> [UInt8] {
        let texts = TextBuffer()
        return withExtendedLifetime(texts) { Array(page(path, texts)) }
    }

    static func page(_ path: Bytes, _ texts: TextBuffer) -> Bytes {
        var page = path
        if path.firstIndex(of: ASCII.percent, in: path.indices) != nil {
            page = texts.copy(PercentEncoding.decode(path).utf8)
        }
        if page.hasSuffix("/index.html") { page = page.part(0..<page.count - 10) }
        if page.hasSuffix(".html") { page = page.part(0..<page.count - 5) }
        return page.last == ASCII.slash ? page.part(0..<page.count - 1) : page
    }
}

extension Bytes {
    func hasSuffix(_ text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && holds(text, at: count - text.utf8CodeUnitCount)
    }

    /// The position of a text.
    func firstIndex(of text: StaticString, from start: Int = 0) -> Int? {
        var position = start
        while let found = firstIndex(of: text.utf8[0], in: Swift.min(position, count)..<count) {
            if holds(text, at: found) { return found }
            position = found + 1
        }
        return nil
    }
}

/// The decoded texts of some lines, until they are removed.
final class TextBuffer {
    /// Only the thread that reads the line uses it.
    @exclusivity(unchecked) private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit { removeAll() }

    func removeAll() {
        for block in blocks { block.deallocate() }
        blocks.removeAll(keepingCapacity: true)
    }

    func copy(_ bytes: some Collection<UInt8>) -> Bytes {
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = block.initialize(from: bytes)
        blocks.append(block)
        return Bytes(block)
    }

    /// Undoes the escapes of quoted text: `\xHH`, `\uHHHH`, `\"`, `\\`, `\t` and the like. Other backslashes stay.
    func unescaped(_ text: Bytes) -> Bytes {
        guard text.firstIndex(of: ASCII.backslash, in: text.indices) != nil else { return text }
        var plain: [UInt8] = []
        var position = 0
        func code(_ start: StaticString, _ length: Int) -> UInt16? {
            guard text.holds(start, at: position), position + 2 + length <= text.count else { return nil }
            let digits = String(decoding: text.part(position + 2..<position + 2 + length), as: UTF8.self)
            guard let code = UInt16(digits, radix: 16) else { return nil }
            position += 2 + length
            return code
        }
        while position < text.count {
            if let byte = code("\\x", 2) {
                plain.append(UInt8(byte))
            } else if let unit = code("\\u", 4) {
                let units = [unit] + (UTF16.isLeadSurrogate(unit) ? code("\\u", 4).map { [$0] } ?? [] : [])
                plain += String(decoding: units, as: UTF16.self).utf8
            } else if text[position] == ASCII.backslash, position + 1 < text.count,
                let byte = Self.escapes[text[position + 1]]
            {
                plain.append(byte)
                position += 2
            } else {
                plain.append(text[position])
                position += 1
            }
        }
        return copy(plain)
    }

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x74: 0x09, 0x6E: 0x0A, 0x72: 0x0D,
    ]
}
