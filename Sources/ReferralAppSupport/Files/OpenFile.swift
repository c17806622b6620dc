package import ReferralFoundation

/// An open file or folder, with the errors of the library that opens it. Signals don't interrupt its calls.
package final class OpenFile<Failure: FileFailure> {
    /// Where it is now.
    package private(set) var url: URL
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - flags: How to open it, as for `open`.
    ///   - mode: The permissions of a new file.
    /// - Throws: The library's error.
    package init(_ url: URL, _ flags: Int32, mode: mode_t = 0o600) throws(Failure) {
        self.url = url
        descriptor = retrying { open(url.path, flags | O_CLOEXEC, mode) }
        try check(descriptor >= 0)
    }

    /// Opens a regular file to read it. Anything else is an error, even if it takes the place of a file meanwhile.
    package convenience init(reading url: URL, followsLink: Bool = true) throws(Failure) {
        // Opening a pipe would wait for its other end.
        try self.init(url, O_RDONLY | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
        guard try mode_t(status().st_mode) & S_IFMT == S_IFREG else { throw Failure(.notAFile, at: url) }
    }

    /// Opens a folder.
    package convenience init(folder: URL) throws(Failure) {
        try self.init(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    private func check(_ isDone: Bool) throws(Failure) {
        guard isDone else { throw Failure(.system(errno), at: url) }
    }

    private func status() throws(Failure) -> stat {
        var status = stat()
        try check(fstat(descriptor, &status) == 0)
        return status
    }

    /// The number of bytes in the file.
    package func length() throws(Failure) -> Int { Int(try status().st_size) }

    // MARK: Names

    /// Gives the file another name. A file that has it is replaced.
    package func rename(to new: URL) throws(Failure) {
        try check(retrying { systemRename(url.path, new.path) } == 0)
        url = new
    }

    /// Writes a file as a whole or not at all: first under a name with the extension `new`. Once it returns, the file is
    /// on the disk.
    package static func replace(_ url: URL, with bytes: [UInt8]) throws(Failure) {
        let file = try OpenFile(url.appendingPathExtension("new"), O_RDWR | O_CREAT | O_TRUNC)
        try file.write(bytes)
        try file.flush()
        try file.rename(to: url)
        try OpenFile(folder: url.deletingLastPathComponent()).flush()
    }

    // MARK: Locks

    /// Locks the file, unless another descriptor has locked it. Closing it unlocks it.
    ///
    /// - Returns: Whether it is locked now.
    package func tryLock() -> Bool { retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0 }

    /// Waits until this is the only locked descriptor of the file. Closing it unlocks it.
    package func lock() throws(Failure) { try check(retrying { flock(descriptor, LOCK_EX) } == 0) }

    // MARK: Reading

    /// Reads 64 KiB at a time, to the end or until nobody wants more. With a MiB, several threads would need memory that the
    /// system's allocator keeps.
    package func readAll(_ use: (UnsafeRawBufferPointer) throws(Failure) -> Bool) throws(Failure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = retrying { read(descriptor, buffer.baseAddress, buffer.count) }
            try check(count >= 0)
            if count == 0 { return }
            if try !use(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return }
        }
    }

    /// Reads the rest of the file.
    package func contents() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        try readAll { part throws(Failure) in
            bytes += part
            return true
        }
        return bytes
    }

    // MARK: Writing

    /// Writes at the present position.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = retrying { systemWrite(descriptor, part.baseAddress, part.count) }
            try check(count > 0)
            rest = rest.dropFirst(count)
        }
    }

    /// Writes at the present position.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        let result = bytes.withUnsafeBytes { bytes in Result { () throws(Failure) in try write(bytes) } }
        try result.get()
    }

    package func truncate(to length: Int) throws(Failure) {
        try check(retrying { ftruncate(descriptor, off_t(length)) } == 0)
    }

    /// Returns once everything is on the disk.
    package func flush() throws(Failure) {
        #if !os(Linux)
        // `fsync` leaves the data in the drive's own memory.
        if retrying({ fcntl(descriptor, F_FULLFSYNC) }) == 0 { return }
        #endif
        // Some file systems can't flush a folder.
        try check(retrying { fsync(descriptor) } == 0 || errno == EINVAL || errno == ENOTSUP)
    }
}

/// Makes a system call again as long as a signal interrupts it.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

// Inside the type, these names are its methods.
private let systemRename = rename
private let systemWrite = write
