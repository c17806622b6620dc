import ReferralFoundation

/// A file of a report, decompressed, and its beginning.
struct ReportInput {
    /// Enough to recognize a file.
    private static let beginningSize = 64 << 10

    let path: String
    /// The name for messages.
    let name: String
    let stream: ByteStream
    let beginning: [UInt8]
    /// Whether it is a file, which can be opened again. The beginning of a pipe can be read only once.
    let isFile: Bool
    private let gzip: ChildProcess?

    init(_ path: String, _ file: ByteStream) throws(ToolError) {
        (self.path, name) = (path, file.name)
        isFile = file.size != nil && file.descriptor != STDIN_FILENO
        let beginning = try Self.read(file)
        guard beginning.starts(with: [0x1F, 0x8B]) else {
            (stream, gzip, self.beginning) = (file, nil, beginning)
            return
        }
        guard file.size != nil, lseek(file.descriptor, 0, SEEK_SET) == 0 else {
            throw .badData("\(whole: name) is compressed; pipe it through gzip -dc")
        }
        let process = try ChildProcess("gzip", ["-dc"], for: name, input: file.descriptor, hint: "install gzip")
        file.close()
        (stream, gzip, self.beginning) = (process.output, process, try Self.read(process.output))
    }

    /// The file from its beginning, also if it was closed.
    func reopened() throws(ToolError) -> ReportInput {
        isFile ? try ReportInput(path, ByteStream(reading: path)) : self
    }

    private static func read(_ stream: ByteStream) throws(ToolError) -> [UInt8] {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: beginningSize, alignment: 1)
        defer { room.deallocate() }
        var count = 0
        while count < room.count {
            let read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            guard read > 0 else { break }
            count += read
        }
        return Array(room[..<count])
    }

    /// Reads all of it, without the mark that some programs write first.
    func readAll(atMost limit: Int) throws(ToolError) -> [UInt8] {
        guard let rest = try stream.readAll(atMost: limit) else {
            throw .badData("\(whole: name) is longer than \(limit >> 20) MiB")
        }
        try close()
        return (beginning.starts(with: RowInput.byteOrderMark) ? beginning.dropFirst(3) : beginning[...]) + rest
    }

    /// Whether another file has the same bytes, compressed or not.
    func isSame(as other: ReportInput) throws(ToolError) -> Bool {
        guard isFile, other.isFile, beginning == other.beginning else { return false }
        let inputs = [try reopened(), try other.reopened()]
        defer { for input in inputs { input.abandon() } }
        var pieces = inputs.map(\.beginning)
        while pieces[0] == pieces[1], !pieces[0].isEmpty {
            pieces = [try Self.read(inputs[0].stream), try Self.read(inputs[1].stream)]
        }
        return pieces[0] == pieces[1]
    }

    /// Closes the file before its end.
    func abandon() {
        stream.close()
        _ = gzip?.wait()
    }

    /// Closes the file. Throws if it couldn't be decompressed.
    func close() throws(ToolError) {
        if stream.descriptor != STDIN_FILENO { stream.close() }
        // With another status than 2, a warning, something is missing.
        guard let gzip, ![0, 2].contains(gzip.wait()) else { return }
        throw .badData("\(whole: name) is damaged or cut off: gzip can't decompress it to its end")
    }
}
