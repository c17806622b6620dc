import ReferralFoundation

/// A file of a report, decompressed, and its beginning.
struct ReportInput {
    /// Enough to recognize a file.
    private static let beginningSize = 64 << 10

    /// The name for messages.
    let name: String
    let stream: ByteStream
    let beginning: [UInt8]
    private let gzip: ChildProcess?

    /// Opens a file, or standard input if the path is `-`. It must not be one of the outputs. The beginning of a pipe can be
    /// read only once.
    init(_ path: String, otherThan outputs: [ByteStream], readsPipes mayRead: Bool = true) throws(ToolError) {
        name = path == "-" ? "standard input" : path
        let file = path == "-" ? ByteStream.input : try ByteStream(reading: path)
        for output in outputs where output.isSameFile(as: file) {
            throw .usage("\(quoted: path) is both read and written; name another file")
        }
        isFile = file.size != nil
        guard isFile || path == "-" || mayRead else {
            (stream, gzip, beginning) = (file, nil, [])
            return
        }
        var beginning = try Self.read(file)
        guard beginning.starts(with: [0x1F, 0x8B]) else {
            (stream, gzip, self.beginning) = (file, nil, beginning)
            return
        }
        guard file.size != nil, lseek(file.descriptor, 0, SEEK_SET) == 0 else {
            throw .badData("\(whole: name) is compressed; pipe it through gzip -dc")
        }
        let process = try ChildProcess(
            "gzip",
            ["-dc"],
            for: name,
            input: file.descriptor,
            messages: .dropped,
            hint: "install gzip"
        )
        file.close()
        beginning = try Self.read(process.output)
        (stream, gzip, self.beginning) = (process.output, process, beginning)
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

    /// Reads all of it.
    func readAll(atMost limit: Int) throws(ToolError) -> [UInt8] {
        guard let rest = try stream.readAll(atMost: limit) else {
            throw .badData("\(whole: name) is longer than \(limit >> 20) MiB")
        }
        try close()
        return beginning + rest
    }

    /// Whether it is a file, which can be opened again.
    let isFile: Bool

    /// Whether it is a file that can be read at any place: it isn't compressed, and nobody else has read of it.
    var isPlainFile: Bool { isFile && gzip == nil && stream.descriptor != STDIN_FILENO }

    /// Closes the file before its end.
    func abandon() {
        if stream.descriptor != STDIN_FILENO { stream.close() }
        _ = gzip?.wait()
    }

    /// Closes the file. Throws if it couldn't be decompressed.
    func close() throws(ToolError) {
        if stream.descriptor != STDIN_FILENO { stream.close() }
        guard let gzip else { return }
        let status = gzip.wait()
        // With another status than 2, a warning, something is missing.
        guard status == 0 || status == 2 else {
            throw .badData("\(whole: name) is damaged or cut off: gzip can't decompress it to its end")
        }
    }
}
