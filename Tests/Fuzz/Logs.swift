import ReferralFoundation

private let scopes: [ReportScope] = {
    var page = ReportScope()
    (page.pages, page.countPath, page.item) = ([Array("/get".utf8)], Array("/count".utf8), "from")
    page.from = Day("2026-10-01")
    return [ReportScope(), page]
}()

/// Reads any bytes as a log and as the other sources of a report. Each line is counted once.
@_cdecl("LLVMFuzzerTestOneInput")
public func reportOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // What a pipe holds.
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: min(count, 60_000)))
    for scope in scopes {
        var tally = Tally()
        tally.scope = scope
        let lines = bytes.count { $0 == ASCII.lineFeed } + (bytes.last.map { $0 == ASCII.lineFeed ? 0 : 1 } ?? 0)
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0 && write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        defer { close(ends[0]) }
        guard let source = try? ReportSource(ByteStream(descriptor: ends[0], name: "log")),
            (try? LogCounter.count(source, in: &tally)) != nil
        else { continue }
        _ = tally.notes
        let count = tally.lines.reduce(0, +)
        precondition(count == lines, "\(lines) lines, and \(count) are counted")
    }
    var tally = Tally()
    var counts = AppCounts(app: nil)
    try? counts.count(bytes, "counts", in: &tally)
    try? LinksTable.count(bytes, "links", in: &tally)
    return 0
}
