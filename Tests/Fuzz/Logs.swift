private let scopes: [ReportScope] = {
    var page = ReportScope()
    (page.pages, page.countPath, page.item) = ([Array("/get".utf8)], Array("/count".utf8), "from")
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
        var counter = LogCounter(tally)
        var lines = bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines { line.withUnsafeBufferPointer { counter.count($0, isWhole: true, in: &tally) } }
        _ = tally.notes
        let count = tally.lines.reduce(0, +)
        precondition(count == lines.count, "\(lines.count) lines, and \(count) are counted")
    }
    var tally = Tally()
    var counts = AppCounts(app: nil)
    try? counts.count(bytes, "counts", in: &tally)
    try? LinksTable.count(bytes, "links", in: &tally)
    return 0
}
