private let scopes: [ReportScope] = {
    var page = ReportScope()
    (page.pages, page.countPath, page.item) = ([.init("/get")], .init("/count"), "from")
    page.from = Day("2026-10-01")
    return [ReportScope(), page]
}()

/// Reads any bytes as a log and as the other sources of a report. Each line is counted once.
@_cdecl("LLVMFuzzerTestOneInput")
public func reportOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
    for scope in scopes {
        var tally = Tally()
        tally.scope = scope
        var reader = RequestReader(scope, hasFields: bytes.first == ASCII.hash)
        bytes.withUnsafeBufferPointer { tally.add(reader.read(LogChunks.Chunk(lines: $0, isLong: false))) }
        let lines = bytes.count { $0 == ASCII.lineFeed } + (bytes.last.map { $0 == ASCII.lineFeed ? 0 : 1 } ?? 0)
        try? tally.endLog("log", firstLine: bytes[...])
        tally.finish()
        precondition(tally.lineCount == lines, "\(lines) lines, and \(tally.lineCount) are counted")
    }
    var tally = Tally()
    var counts = AppCounts(app: nil)
    try? counts.count(bytes, name: "counts", in: &tally)
    var links = LinksTable(referrerColumn: nil, label: nil, item: "ref")
    try? links.read(bytes, name: "links")
    return 0
}
