#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open file or folder.
final class Descriptor: Sendable {
    private let url: URL
    private let descriptor: Int32

    init(_ url: URL, _ flags: Int32) throws(HandoffError) {
        self.url = url
        var descriptor: Int32
        repeat { descriptor = open(url.path, flags, 0o666) } while descriptor < 0 && errno == EINTR
        self.descriptor = descriptor
        try FileSystem.check(descriptor >= 0, url)
    }

    /// Opens a regular file to read it. Anything else is an error, even if it takes the place of a file meanwhile.
    convenience init(reading url: URL, followsLink: Bool = true) throws(HandoffError) {
        // Opening a pipe would wait for its other end.
        try self.init(url, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
        guard try mode_t(status().st_mode) & S_IFMT == S_IFREG else {
            throw .fileFailed(path: url.lastPathComponent, reason: "it isn't a file")
        }
    }

    /// Opens a folder.
    convenience init(folder: URL) throws(HandoffError) {
        try self.init(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit { close(descriptor) }

    private func status() throws(HandoffError) -> stat {
        var status = stat()
        try FileSystem.check(fstat(descriptor, &status) == 0, url)
        return status
    }

    /// The number of bytes in the file.
    func length() throws(HandoffError) -> Int { Int(try status().st_size) }

    /// Reads a MiB at a time, to the end or until nobody wants more.
    func readAll(_ take: (UnsafeRawBufferPointer) throws(HandoffError) -> Bool) throws(HandoffError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            try FileSystem.check(count >= 0 || errno == EINTR, url)
            if count == 0 { return }
            if count > 0, try !take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(HandoffError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            try FileSystem.check(count >= 0 || errno == EINTR, url)
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Waits until this is the only locked descriptor of the folder. Closing it unlocks it.
    func lock() throws(HandoffError) {
        while flock(descriptor, LOCK_EX) != 0 { try FileSystem.check(errno == EINTR, url) }
    }

    func flush() throws(HandoffError) {
        #if canImport(Darwin)
        // `fsync` leaves the data in the drive's own memory.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            // Some file systems can't flush a folder.
            if errno == EINVAL || errno == ENOTSUP { return }
            try FileSystem.check(errno == EINTR, url)
        }
    }
}

// Inside the type, these names are its methods.
private let systemRead = read
private let systemWrite = write
