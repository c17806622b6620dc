import ReferralFoundation

private let scopes: [ReportScope] = {
    var page = ReportScope()
    (page.pages, page.countPath, page.item) = ([Array("/get".utf8)], Array("/count".utf8), Array("from".utf8))
    page.from = Day("2026-10-01")
    return [ReportScope(), page]
}()

/// Passes a pipe with bytes to a function.
@discardableResult
private func read<Value>(_ bytes: [UInt8], _ body: (ByteStream) throws -> Value?) -> Value? {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0 && write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    defer { close(ends[0]) }
    return try? body(ByteStream(descriptor: ends[0], name: "bytes"))
}

/// Reads any bytes as a log and as the other sources of a report. Each line is counted once.
@_cdecl("LLVMFuzzerTestOneInput")
public func reportOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // What a pipe holds.
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: min(count, 60_000)))
    for scope in scopes {
        let tally = Tally()
        tally.scope = scope
        let lines = bytes.count { $0 == ASCII.lineFeed } + (bytes.last.map { $0 == ASCII.lineFeed ? 0 : 1 } ?? 0)
        let counted: Void? = read(bytes) { stream in try LogFile(stream).map { try $0.count(in: tally) } }
        guard counted != nil else { continue }
        _ = tally.notes
        let count = tally.lines.reduce(0, +)
        precondition(count == lines, "\(lines) lines, and \(count) are counted")
    }
    let tally = Tally()
    var counts = AppCounts(chosen: nil)
    read(bytes) { try counts.count($0, in: tally) }
    read(bytes) { try LinksTable.count($0, in: tally) }
    return 0
}
