import ReferralFoundation

/// A file of a report, and its beginning.
struct ReportInput {
    /// Enough to recognize a file.
    private static let beginningSize = 64 << 10
    /// A line that is longer isn't read.
    private static let maximumLine = 256 << 10
    /// The size of a document that is read at once.
    private static let maximumSize = 512 << 20

    let stream: ByteStream
    let beginning: [UInt8]

    init(_ stream: ByteStream) throws(ToolError) {
        self.stream = stream
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.beginningSize, alignment: 1)
        defer { room.deallocate() }
        var (count, read) = (0, 1)
        while read > 0, count < room.count {
            read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            count += read
        }
        // Some programs write this mark first.
        let hasMark = room[..<count].starts(with: RowInput.byteOrderMark)
        beginning = Array(room[(hasMark ? 3 : 0)..<count])
        if beginning.starts(with: [0x1F, 0x8B]) {
            throw .badData(
                "\(whole: stream.name) is compressed: zcat -f $(ls -tr access.log*) | referral-tool report --log -"
            )
        }
    }

    /// The error for a file that is none of these.
    func error(isNot kinds: Sentence) -> ToolError {
        let line = LogLine.shown(beginning.prefix { $0 != ASCII.lineFeed })
        return .badData("\(whole: stream.name) isn't \(kinds): its first line is \(quoted: line)")
    }

    /// Reads all of it.
    func readAll() throws(ToolError) -> [UInt8] {
        if let rest = try stream.readAll(atMost: Self.maximumSize) { return beginning + rest }
        throw .badData("\(whole: stream.name) is longer than 512 MiB")
    }

    /// Passes each line to a function, and whether it is whole: of a line that is too long, it gets the beginning.
    func forEachLine(_ body: (Bytes, _ isWhole: Bool) -> Void) throws(ToolError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.maximumLine, alignment: 8)
        defer { room.deallocate() }
        room.copyBytes(from: beginning)
        var (count, read, isSkipped) = (beginning.count, 1, false)
        while read > 0 {
            read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            count += read
            let bytes = Bytes(room.bindMemory(to: UInt8.self)).part(0..<count)
            var start = 0
            while start < count {
                let lineFeed = bytes.firstIndex(of: ASCII.lineFeed, in: start..<count)
                guard let end = lineFeed ?? (read == 0 ? count : nil) else { break }
                var line = bytes.part(start..<end)
                while line.last == ASCII.carriageReturn { line = line.part(0..<line.count - 1) }
                if !isSkipped { body(line, true) }
                (start, isSkipped) = (end + 1, false)
            }
            if start == 0, count == room.count {
                if !isSkipped { body(bytes, false) }
                (start, isSkipped) = (count, true)
            }
            count = max(0, count - start)
            if count > 0 { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[start..<start + count])) }
        }
    }
}
