import ReferralFoundation

/// A file or a standard stream, by its descriptor. Foundation's `FileHandle` would make the static command three times as
/// large.
struct ByteStream {
    static let input = ByteStream(descriptor: STDIN_FILENO, name: "standard input")
    static let output = ByteStream(descriptor: STDOUT_FILENO, name: "standard output")
    static let error = ByteStream(descriptor: STDERR_FILENO, name: "standard error")

    let name: String
    let descriptor: Int32

    init(descriptor: Int32, name: String) {
        (self.descriptor, self.name) = (descriptor, name)
    }

    /// Opens a file for reading.
    init(reading path: String) throws(ToolError) {
        self.init(descriptor: open(path, O_RDONLY | O_CLOEXEC), name: path)
        guard descriptor >= 0 else {
            throw ToolError(status: .noInput, message: "can't read \(quoted: path): \(reason: Self.reason)")
        }
        guard status?.isKind(S_IFDIR) != true else {
            throw ToolError(status: .noInput, message: "can't read \(quoted: path): it is a directory")
        }
    }

    /// Flushes a regular file to the disk. Some systems only then report that there is no space.
    func flush() throws(ToolError) {
        guard fsync(descriptor) == 0 || ![EIO, ENOSPC, EDQUOT].contains(errno) else {
            throw .inputOutput("can't write to \(whole: name): \(reason: Self.reason)")
        }
    }

    /// Empties a regular file.
    func empty() {
        if size != nil { ftruncate(descriptor, 0) }
    }

    func close() { _ = systemClose(descriptor) }

    // MARK: Reading and writing

    /// Makes a failure to read or write an error of that call: a pipe without a reader and a file that has reached its size limit send
    /// no signal, and files and pipes don't get the descriptors of closed standard streams ("Bad file descriptor").
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Reads what is available, up to the buffer's size. Returns 0 at the end.
    func read(into buffer: Slice<UnsafeMutableBufferPointer<UInt8>>) throws(ToolError) -> Int {
        let room = UnsafeMutableBufferPointer(rebasing: buffer)
        while true {
            let count = systemRead(descriptor, room.baseAddress, room.count)
            if count >= 0 { return count }
            if !canTryAgain(after: errno, POLLIN) {
                throw .inputOutput("can't read \(whole: name): \(reason: Self.reason)")
            }
        }
    }

    /// Reads to the end; `nil` if there are more bytes than the limit.
    func readAll(atMost limit: Int) throws(ToolError) -> [UInt8]? {
        var bytes: [UInt8] = []
        if let size, size <= limit { bytes.reserveCapacity(size) }
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 << 10)
        defer { room.deallocate() }
        while bytes.count <= limit {
            let count = try read(into: room[...])
            guard count > 0 else { return bytes }
            bytes += room[..<count]
        }
        return nil
    }

    /// Writes a text. If the reader of a pipe is gone, the error has no message.
    func write(_ text: String) throws(ToolError) {
        try text.withUTF8Bytes { bytes throws(ToolError) in try write(bytes) }
    }

    /// Writes all bytes. On an error, a regular file is truncated to its previous length.
    func write(_ bytes: Bytes) throws(ToolError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Bytes(rebasing: rest)
            let count = systemWrite(descriptor, piece.baseAddress, piece.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if !canTryAgain(after: errno, POLLOUT) {
                let message: Sentence? = errno == EPIPE ? nil : "can't write to \(whole: name): \(reason: Self.reason)"
                let written = bytes.count - rest.count
                if written > 0, let size, lseek(descriptor, 0, SEEK_CUR) == size {
                    ftruncate(descriptor, off_t(size - written))
                    lseek(descriptor, off_t(size - written), SEEK_SET)
                }
                throw .inputOutput(message)
            }
        }
    }

    /// Whether the call was interrupted. Waits until a non-blocking stream is ready.
    private func canTryAgain(after code: Int32, _ event: Int32) -> Bool {
        guard code == EAGAIN else { return code == EINTR }
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&request, 1, -1) >= 0 || errno == EINTR
    }

    /// Whether reading wouldn't wait.
    var hasInput: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) != 0
    }

    // MARK: The file

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The size of a regular file.
    var size: Int? { status.flatMap { $0.isKind(S_IFREG) ? Int($0.st_size) : nil } }

    var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// The reason why the previous system call failed.
    static var reason: String { String(cString: strerror(errno)) }
}

extension stat {
    func isKind(_ format: mode_t) -> Bool { mode_t(st_mode) & S_IFMT == format }
}

// Inside the type, these names are its methods.
private let systemWrite = write
private let systemRead = read
private let systemClose = close

func exit(_ status: ExitStatus) -> Never { exit(status.rawValue) }
