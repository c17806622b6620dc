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
final class OpenFile {
    /// Its name, which changes when it is renamed.
    var url: URL
    private let number: Int32

    init(_ url: URL, _ flags: Int32) throws(UnlocksError) {
        self.url = url
        number = Self.retrying { open(url.path, flags | O_CLOEXEC, 0o600) }
        guard number >= 0 else { throw Self.error(url) }
    }

    deinit { close(number) }

    static func error(_ url: URL) -> UnlocksError { .storage("\(url.path): \(String(cString: strerror(errno)))") }

    /// A system call that a signal may interrupt.
    static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }

    /// Whether nobody else has the file locked. It is locked until this object is gone.
    func lock() -> Bool { Self.retrying { flock(number, LOCK_EX | LOCK_NB) } == 0 }

    /// Whether the file is the one that has its name now.
    func hasName() -> Bool {
        var (here, there) = (stat(), stat())
        return fstat(number, &here) == 0 && Self.retrying { stat(url.path, &there) } == 0
            && here.st_ino == there.st_ino && here.st_dev == there.st_dev
    }

    func contents() throws(UnlocksError) -> [UInt8] {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Self.error(url) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                return Self.retrying { pread(number, rest.baseAddress, rest.count, off_t(count)) }
            }
            guard part >= 0 else { throw Self.error(url) }
            guard part > 0 else { break }
            count += part
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    func write(_ bytes: [UInt8], at position: Int) throws(UnlocksError) {
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[count...])
                return Self.retrying { pwrite(number, rest.baseAddress, rest.count, off_t(position + count)) }
            }
            guard part > 0 else { throw Self.error(url) }
            count += part
        }
    }

    func truncate(to length: Int) throws(UnlocksError) {
        guard Self.retrying({ ftruncate(number, off_t(length)) }) == 0 else { throw Self.error(url) }
    }

    /// Returns once it is on the disk.
    func flush() throws(UnlocksError) {
        #if canImport(Darwin)
        // `fsync` leaves it in the cache of the drive.
        if Self.retrying({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
        #endif
        // Some file systems can't flush a folder.
        guard Self.retrying({ fsync(number) }) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw Self.error(url)
        }
    }
}
