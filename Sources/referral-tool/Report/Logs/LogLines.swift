/// The lines of a block, without their ends.
struct LogLines: Sequence, IteratorProtocol {
    private var rest: Bytes

    init(_ bytes: Bytes) { rest = bytes }

    mutating func next() -> Bytes? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: ASCII.lineFeed, in: rest.indices) ?? rest.count
        var line = rest.part(0..<end)
        while line.last == ASCII.carriageReturn { line = line.part(0..<line.count - 1) }
        rest = rest.part(Swift.min(end + 1, rest.count)..<rest.count)
        return line
    }
}
