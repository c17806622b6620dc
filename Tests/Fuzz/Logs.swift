private let scopes: [ReportScope] = {
    var page = ReportScope()
    (page.pages, page.countPath, page.item) = (["/get"], "/count", "from")
    (page.from, page.comparison) = (Day("2026-10-01"), Day("2026-10-02"))
    return [ReportScope(), page]
}()

/// Reads any bytes as a log, as the app's counts and as the other sources of a report. Each line is counted once, and the report can be
/// read again. A log without lines that name its fields is cut at the line feed in the middle: the sum of both parts is the whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func reportOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
    for scope in scopes {
        let whole = report(bytes, scope)
        let lines = bytes.count { $0 == ASCII.lineFeed } + (bytes.last.map { $0 == ASCII.lineFeed ? 0 : 1 } ?? 0)
        precondition(whole.lineCount == lines, "\(lines) lines, and \(whole.lineCount) are counted")
        let text = json(whole)
        precondition(json(sum([text], scope)) == text, "a report changes when it is read")

        let middle = bytes[(bytes.count / 2)...].firstIndex(of: ASCII.lineFeed)
        if let middle, !bytes.contains(ASCII.hash) {
            let parts = [bytes[...middle], bytes[(middle + 1)...]].map { json(report(Array($0), scope)) }
            precondition(json(sum(parts, scope)) == text, "the sum of two parts isn't the whole")
        }
    }
    readSources(bytes)
    return 0
}

private func report(_ bytes: [UInt8], _ scope: ReportScope) -> Tally {
    var tally = Tally(scope: scope)
    var reader = LogReader(scope)
    bytes.withUnsafeBufferPointer { reader.count($0, in: &tally) }
    for (kind, count) in reader.counts { tally.sources[kind, default: 0] += count }
    tally.finish()
    return tally
}

private func json(_ tally: Tally) -> [UInt8] { Array(PartialReport.json(tally).utf8) }

private func sum(_ parts: [[UInt8]], _ scope: ReportScope) -> Tally {
    var tally = Tally(scope: scope)
    for part in parts {
        guard (try? PartialReport.scope(of: part, name: "part")) == scope,
            (try? PartialReport.add(part, name: "part", to: &tally)) != nil
        else { preconditionFailure("a report can't be read: \(String(decoding: part, as: UTF8.self))") }
    }
    tally.finish()
    return tally
}

/// What is read of the bytes as another source can be written and read again too.
private func readSources(_ bytes: [UInt8]) {
    var tally = Tally(scope: scopes[0])
    _ = Recognition.source(of: bytes, scopes[0])
    precondition(!Recognition.appearance(of: bytes).isEmpty)
    try? AppCounts.count(bytes, name: "counts", in: &tally)
    try? GuestbookFile.count(bytes, name: "guestbook", in: &tally)
    StoreTable(bytes)?.count(in: &tally, referrers: [:])
    var known = LinksTable.Known()
    try? LinksTable.read(bytes, label: nil, name: "links", into: &known)
    try? PartialReport.add(bytes, name: "part", to: &tally)
    tally.finish()
    let text = json(tally)
    precondition(json(sum([text], tally.scope)) == text, "a report changes when it is read")
}
