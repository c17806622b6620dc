import Hashing

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

/// A folder with the journal and the content.
///
///     journal
///     journal.damaged-1
///     content/purchase-2000000123/…
///     content/purchase-2000000123.json
@MainActor
final class DiskStorage: UnlocksStorage {
    private let folder: URL
    private var journal: Descriptor?
    private var length = 0

    private var journalURL: URL { folder.appendingPathComponent("journal") }
    private var content: URL { folder.appendingPathComponent("content") }

    init(_ folder: URL) { self.folder = folder }

    func readJournal() throws(UnlocksError) -> [UInt8] {
        guard !Self.isShared(folder) else { throw .folderIsShared }
        try Self.makeFolder(content)
        Self.excludeFromBackup(content)
        let journal = try Descriptor(journalURL, O_RDWR | O_CREAT | O_CLOEXEC)
        guard flock(journal.number, LOCK_EX | LOCK_NB) == 0 else { throw .folderInUse }
        let bytes = try journal.contents()
        (self.journal, length) = (journal, bytes.count)
        return bytes
    }

    func appendToJournal(_ line: [UInt8]) throws(UnlocksError) {
        guard let journal else { throw .storage("The journal is not open.") }
        do {
            try journal.write(line, at: length)
            try journal.truncate(to: length + line.count)
            try journal.flush()
        } catch {
            // What was written of it must not count at the next launch.
            try? journal.truncate(to: length)
            throw error
        }
        length += line.count
    }

    func replaceJournal(_ bytes: [UInt8]) throws(UnlocksError) {
        let temporary = folder.appendingPathComponent("journal.new")
        let new = try Descriptor(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC)
        // Whoever opens the journal once it has its name finds it in use.
        guard flock(new.number, LOCK_EX | LOCK_NB) == 0 else { throw .folderInUse }
        try new.write(bytes, at: 0)
        try new.flush()
        guard rename(temporary.path, journalURL.path) == 0 else { throw Descriptor.error(journalURL) }
        try Descriptor(folder, O_RDONLY | O_CLOEXEC).flush()
        (journal, length) = (new, bytes.count)
    }

    func keepAside(_ bytes: [UInt8]) throws(UnlocksError) {
        for number in 1...100 {
            let copy = folder.appendingPathComponent("journal.damaged-\(number)")
            let isLast = number == 100
            guard isLast || !FileManager.default.fileExists(atPath: copy.path) else { continue }
            let file = try Descriptor(copy, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC)
            try file.write(bytes, at: 0)
            return try file.flush()
        }
    }

    func makeFolder(_ name: String, for description: String) throws(UnlocksError) -> URL {
        let folder = content.appendingPathComponent(name)
        let file = try Descriptor(content.appendingPathComponent(name + ".json"), O_RDWR | O_CREAT | O_CLOEXEC)
        let bytes = Array((description + "\n").utf8)
        try file.write(bytes, at: 0)
        try file.truncate(to: bytes.count)
        try Self.makeFolder(folder)
        return folder
    }

    func folderNames() throws(UnlocksError) -> Set<String> {
        do {
            return Set(try FileManager.default.contentsOfDirectory(atPath: content.path))
        } catch {
            throw .storage("The folder \(content.path) can't be read: \(error)")
        }
    }

    func removeFolder(_ name: String) throws(UnlocksError) {
        for path in [name, name + ".json"].map({ content.appendingPathComponent($0).path })
        where FileManager.default.fileExists(atPath: path) {
            do { try FileManager.default.removeItem(atPath: path) } catch { throw .storage("\(error)") }
        }
    }

    /// Whether a folder is in an app group's container: in `Shared/AppGroup` on iOS, in `Group Containers` on a Mac.
    private static func isShared(_ url: URL) -> Bool {
        let components = url.resolvingSymlinksInPath().pathComponents
        return components.contains("Group Containers")
            || zip(components, components.dropFirst()).contains { $0 == "Shared" && $1 == "AppGroup" }
    }

    /// What the app has downloaded it downloads again after a restore from a backup. The journal is in the backup.
    private static func excludeFromBackup(_ url: URL) {
        #if canImport(Darwin)
        var (url, values) = (url, URLResourceValues())
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
        #endif
    }

    private static func makeFolder(_ url: URL) throws(UnlocksError) {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw .storage("The folder \(url.path) can't be made: \(error)")
        }
    }
}

/// An open file.
private final class Descriptor {
    let number: Int32
    private let url: URL

    init(_ url: URL, _ flags: Int32) throws(UnlocksError) {
        number = open(url.path, flags, 0o600)
        self.url = url
        guard number >= 0 else { throw Self.error(url) }
    }

    deinit { close(number) }

    static func error(_ url: URL) -> UnlocksError {
        .storage("\(url.path): \(String(cString: strerror(errno)))")
    }

    func contents() throws(UnlocksError) -> [UInt8] {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Self.error(url) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                return pread(number, rest.baseAddress, rest.count, off_t(count))
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw Self.error(url) }
            guard part > 0 else { break }
            count += part
        }
        return Array(bytes[..<count])
    }

    func write(_ bytes: [UInt8], at position: Int) throws(UnlocksError) {
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[count...])
                return pwrite(number, rest.baseAddress, rest.count, off_t(position + count))
            }
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { throw Self.error(url) }
            count += part
        }
    }

    func truncate(to length: Int) throws(UnlocksError) {
        guard ftruncate(number, off_t(length)) == 0 else { throw Self.error(url) }
    }

    /// Returns once it is on the disk.
    func flush() throws(UnlocksError) {
        #if canImport(Darwin)
        // `fsync` leaves it in the cache of the drive.
        if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        // Some file systems can't flush a folder.
        guard fsync(number) == 0 || errno == EINVAL || errno == ENOTSUP else { throw Self.error(url) }
    }
}
