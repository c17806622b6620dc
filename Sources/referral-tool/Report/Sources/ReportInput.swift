import ReferralFoundation

/// A file of a report, decompressed, and its beginning.
struct ReportInput {
    /// Enough to recognize a file.
    private static let beginningSize = 64 << 10
    /// A line that is longer isn't read.
    private static let maximumLine = 256 << 10
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let path: String
    /// The name for messages.
    let name: String
    let beginning: [UInt8]
    /// Whether it is a file, which can be opened again. The beginning of a pipe can be read only once.
    private let isFile: Bool
    private let stream: ByteStream
    private let gzip: ChildProcess?

    init(_ path: String, _ file: ByteStream) throws(ToolError) {
        (self.path, name) = (path, file.name)
        isFile = file.size != nil && path != "-"
        let beginning = try Self.beginning(of: file)
        guard beginning.starts(with: [0x1F, 0x8B]) else {
            (stream, gzip, self.beginning) = (file, nil, beginning)
            return
        }
        guard file.size != nil, lseek(file.descriptor, 0, SEEK_SET) == 0 else {
            throw .badData("\(whole: name) is compressed; pipe it through gzip -dc")
        }
        let process = try ChildProcess("gzip", ["-dc"], for: name, input: file.descriptor, hint: "install gzip")
        file.close()
        (stream, gzip, self.beginning) = (process.output, process, try Self.beginning(of: process.output))
    }

    /// The beginning, without the mark that some programs write first.
    private static func beginning(of stream: ByteStream) throws(ToolError) -> [UInt8] {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: beginningSize, alignment: 1)
        defer { room.deallocate() }
        var count = 0
        while count < room.count {
            let read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            guard read > 0 else { break }
            count += read
        }
        return Array(room[..<count].dropFirst(room[..<count].starts(with: byteOrderMark) ? 3 : 0))
    }

    /// The file from its beginning, also if it was closed.
    func reopened() throws(ToolError) -> ReportInput {
        isFile ? try ReportInput(path, ByteStream(reading: path)) : self
    }

    /// The error for a file that is none of these.
    func error(isNot kinds: Sentence) -> ToolError {
        let line = LogLine.shown(beginning.prefix { $0 != ASCII.lineFeed })
        return .badData("\(whole: name) isn't \(kinds): its first line is \(quoted: line)")
    }

    /// Reads all of it.
    func readAll() throws(ToolError) -> [UInt8] {
        guard let rest = try stream.readAll(atMost: 512 << 20) else {
            throw .badData("\(whole: name) is longer than 512 MiB")
        }
        try close()
        return beginning + rest
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
        try close()
    }

    /// Closes a file that can be opened again.
    func suspend() {
        guard isFile else { return }
        stream.close()
        _ = gzip?.wait()
    }

    /// Closes the file. Throws if it couldn't be decompressed.
    func close() throws(ToolError) {
        if path != "-" { stream.close() }
        // With another status than 2, a warning, something is missing.
        guard let gzip, ![0, 2].contains(gzip.wait()) else { return }
        throw .badData("\(whole: name) is damaged or cut off: gzip can't decompress it to its end")
    }
}
