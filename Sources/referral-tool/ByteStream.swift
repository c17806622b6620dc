#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file, or standard input, output or error, as the system has it: Foundation's `FileHandle` would make the static
/// command three times as large.
struct ByteStream {
    static let input = ByteStream(descriptor: STDIN_FILENO, name: "standard input")
    static let output = ByteStream(descriptor: STDOUT_FILENO, name: "standard output")
    static let error = ByteStream(descriptor: STDERR_FILENO, name: "standard error")

    let name: String
    let descriptor: Int32

    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Opens a file to be read.
    init(reading path: String) throws(ToolError) {
        self.init(descriptor: open(path, O_RDONLY | O_CLOEXEC), name: path)
        guard descriptor >= 0 else {
            throw ToolError(status: .noInput, message: "cannot read \(ToolError.quoted(path)): \(Self.reason)")
        }
        guard !kind.isDirectory else {
            throw ToolError(status: .noInput, message: "cannot read \(ToolError.quoted(path)): it is a directory")
        }
    }

    /// Opens a file to be written, and makes it where there is none. What is in it stays until ``empty()``.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - others: Streams that are open already and must not be the same file.
    /// - Throws: What kept it from being opened.
    init(writing path: String, apartFrom others: [ByteStream]) throws(ToolError) {
        self.init(descriptor: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666), name: path)
        guard descriptor >= 0 else {
            throw ToolError(status: .inputOutput, message: "cannot write \(ToolError.quoted(path)): \(Self.reason)")
        }
        try check(apartFrom: others)
    }

    /// Throws where this is the same file as another one that is open already.
    func check(apartFrom others: [ByteStream]) throws(ToolError) {
        for other in others where isSameFile(as: other) {
            throw .usage("\(ToolError.quoted(name)) is \(other.name) too; name another file")
        }
    }

    /// Empties a regular file.
    func empty() {
        if kind.isRegular { ftruncate(descriptor, 0) }
    }

    /// Gives the file back; of use where there are many.
    func close() { _ = systemClose(descriptor) }

    // MARK: Reading and writing

    /// Makes an error of what else would be a signal, and the end without a word: a pipe without a reader, and a file that
    /// may not grow any further.
    static func makeSignalsErrors() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Keeps files and pipes from taking the descriptor of a standard stream that is closed: they would be read and written
    /// in its place.
    ///
    /// The descriptor fails as it did before, with "Bad file descriptor": standard input can't be read, and the other two
    /// can't be written to.
    static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor, and those below are taken by now.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Reads as much as is there, up to the buffer's size; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ToolError) -> Int {
        while true {
            let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if !canTryAgain(after: errno, POLLIN) {
                throw ToolError(status: .inputOutput, message: "cannot read \(name): \(Self.reason)")
            }
        }
    }

    /// Reads to the end; `nil` where that is more than a number of bytes.
    func readAll(atMost limit: Int) throws(ToolError) -> [UInt8]? {
        var bytes: [UInt8] = []
        if let size, size <= limit { bytes.reserveCapacity(size) }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 1)
        defer { room.deallocate() }
        while bytes.count <= limit {
            let count = try read(into: room)
            guard count > 0 else { return bytes }
            bytes += room[..<count]
        }
        return nil
    }

    /// Writes the whole text.
    ///
    /// - Throws: An error without a message where a pipe's reader went away, else one that says why.
    func write(_ text: String) throws(ToolError) {
        try write(Array(text.utf8))
    }

    /// Writes all the bytes, or throws as ``write(_:)-(String)`` does.
    func write(_ bytes: [UInt8]) throws(ToolError) {
        let outcome = bytes.withUnsafeBytes { bytes in
            Result<Void, ToolError> { () throws(ToolError) in try write(bytes) }
        }
        try outcome.get()
    }

    /// Writes all the bytes, or throws as ``write(_:)-(String)`` does. A regular file is then as long as it was before, so
    /// that it ends where the bytes before these ended.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ToolError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = systemWrite(descriptor, piece.baseAddress, piece.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if !canTryAgain(after: errno, POLLOUT) {
                let message = errno == EPIPE ? nil : "cannot write to \(name): \(Self.reason)"
                takeBack(bytes.count - rest.count)
                throw ToolError(status: .inputOutput, message: message)
            }
        }
    }

    /// Shortens a regular file by the bytes that were written to it last.
    func takeBack(_ count: Int) {
        let kind = kind
        guard count > 0, kind.isRegular, lseek(descriptor, 0, SEEK_CUR) == kind.size else { return }
        ftruncate(descriptor, off_t(kind.size - count))
        lseek(descriptor, off_t(kind.size - count), SEEK_SET)
    }

    /// Whether the call was interrupted, or the stream is one that does not block and is ready now.
    private func canTryAgain(after code: Int32, _ event: Int32) -> Bool {
        guard code == EAGAIN else { return code == EINTR }
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&request, 1, -1) >= 0 || errno == EINTR
    }

    /// Waits for something to read, or for the end.
    ///
    /// - Parameters:
    ///   - waker: A descriptor that becomes readable when there is no sense in waiting any longer.
    ///   - patiently: Whether to wait at all.
    /// - Returns: Whether there is something to read, or the end.
    func hasInput(orWokenBy waker: Int32, patiently: Bool) -> Bool {
        var requests = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&requests, 2, patiently ? -1 : 0) < 0, errno == EINTR {}
        return requests[0].revents != 0
    }

    // MARK: What it is

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// How many bytes there are to read, where that is known: of a regular file.
    var size: Int? { kind.isRegular ? kind.size : nil }

    /// Whether both are one and the same regular file.
    func isSameFile(as other: ByteStream) -> Bool {
        let (kind, otherKind) = (kind, other.kind)
        return kind.isRegular && kind.device == otherKind.device && kind.number == otherKind.number
    }

    private struct Kind {
        var isRegular = false
        var isDirectory = false
        var size = 0
        var device: UInt64 = 0
        var number: UInt64 = 0
    }

    private var kind: Kind {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return Kind() }
        let format = mode_t(status.st_mode) & S_IFMT
        return Kind(
            isRegular: format == S_IFREG,
            isDirectory: format == S_IFDIR,
            size: Int(status.st_size),
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino)
        )
    }

    /// What went wrong in the call before.
    static var reason: String { String(cString: strerror(errno)) }
}

/// A C string's bytes, whatever they are.
func bytes(ofCString string: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: string, count: strlen(string)))
}

// Inside of the type these names are its own.
private let systemWrite = write
private let systemRead = read
private let systemClose = close

func exit(_ status: ExitStatus) -> Never { exit(status.rawValue) }
