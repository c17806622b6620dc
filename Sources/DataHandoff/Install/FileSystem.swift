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

/// The system calls that a handoff needs, with its errors. Foundation's own replace a file in one step, but don't flush the
/// folder, and on Linux `replaceItemAt` has lost the destination.
enum FileSystem {
    enum Kind {
        case file(length: Int)
        case folder
        case other
    }

    /// What is at a path, without following a symbolic link; `nil` if nothing is.
    ///
    /// - Throws: ``HandoffError/fileFailed(path:reason:)`` if the system can't tell. A file that can't be looked at isn't missing.
    static func kind(of url: URL) throws(HandoffError) -> Kind? {
        var status = stat()
        guard lstat(url.path, &status) == 0 else {
            guard isMissing(errno) else { throw failure(url) }
            return nil
        }
        switch mode_t(status.st_mode) & S_IFMT {
        case S_IFREG: return .file(length: Int(status.st_size))
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The names in a folder, sorted; none if it isn't there.
    ///
    /// - Throws: ``HandoffError/fileFailed(path:reason:)`` if it can't be read to its end.
    static func names(in folder: URL) throws(HandoffError) -> [String] {
        guard let directory = opendir(folder.path) else {
            guard isMissing(errno) else { throw failure(folder) }
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        // At the end of a folder, `readdir` leaves `errno` as it is.
        try check(errno == 0, folder)
        return names.sorted()
    }

    /// Creates a folder, and those that it is in.
    static func makeFolder(_ url: URL) throws(HandoffError) {
        if case .folder = try kind(of: url) { return }
        if mkdir(url.path, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, url.path != "/" else { throw failure(url) }
        try makeFolder(url.deletingLastPathComponent())
        try check(mkdir(url.path, 0o777) == 0 || errno == EEXIST, url)
    }

    static func rename(_ from: URL, to: URL) throws(HandoffError) {
        try check(systemRename(from.path, to.path) == 0, from)
    }

    /// Gives a file a second name; `false` if the file system can't, or the place is on another one.
    static func link(_ from: URL, to: URL) throws(HandoffError) -> Bool {
        if systemLink(from.path, to.path) == 0 { return true }
        guard [EXDEV, EPERM, ENOTSUP, EMLINK].contains(errno) else { throw failure(to) }
        return false
    }

    /// Removes a file, or a folder with all that is in it. A symbolic link isn't followed.
    static func remove(_ url: URL) throws(HandoffError) {
        switch try kind(of: url) {
        case nil: return
        case .folder:
            for name in try names(in: url) { try remove(url.appending(name)) }
            try check(rmdir(url.path) == 0, url)
        default: try check(unlink(url.path) == 0, url)
        }
    }

    /// Removes a folder if it is empty.
    static func removeIfEmpty(_ folder: URL) { rmdir(folder.path) }

    /// Creates an empty file where nothing is.
    static func create(_ url: URL) throws(HandoffError) {
        _ = try Descriptor(url, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    }

    /// Writes a file and flushes it. Unless it may be replaced, an existing one is an error: two names may be one to a file system.
    static func write(
        _ contents: some Collection<UInt8>,
        to url: URL,
        replacing: Bool = false
    ) throws(HandoffError) {
        let output = try Descriptor(url, O_WRONLY | O_CREAT | (replacing ? O_TRUNC : O_EXCL) | O_CLOEXEC)
        let written = Array(contents).withUnsafeBytes { bytes in
            Result<Void, HandoffError> { () throws(HandoffError) in try output.write(bytes) }
        }
        try written.get()
        try output.flush()
    }

    /// Copies a file into a new one and flushes it.
    ///
    /// - Returns: The number of bytes and their SHA-256, of what was read.
    static func copy(_ from: URL, to: URL?, atMost limit: Int) throws(HandoffError) -> (length: Int, sha256: String) {
        let input = try Descriptor(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        let output = try to.map { url throws(HandoffError) in
            try Descriptor(url, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
        }
        var (length, hash) = (0, SHA256())
        try input.readAll { part throws(HandoffError) in
            hash.update(part)
            try output?.write(part)
            length += part.count
            return length <= limit
        }
        try output?.flush()
        return (length, hash.finish().hexadecimal)
    }

    /// Flushes a folder, so that the names in it are on the disk.
    static func flush(_ folder: URL) throws(HandoffError) { try Descriptor(folder, O_RDONLY | O_CLOEXEC).flush() }

    /// Flushes a folder and those in it.
    static func flushAll(_ folder: URL) throws(HandoffError) {
        for name in try names(in: folder) {
            if case .folder = try kind(of: folder.appending(name)) { try flushAll(folder.appending(name)) }
        }
        try flush(folder)
    }

    /// Reads a whole file.
    static func contents(of url: URL) throws(HandoffError) -> Data {
        let input = try Descriptor(url, O_RDONLY | O_CLOEXEC)
        var contents = Data()
        try input.readAll { part in
            contents.append(contentsOf: part)
            return true
        }
        return contents
    }

    /// Reads what ``save(_:as:in:)`` has written; `nil` if there is none, or it is damaged.
    static func load<Value: Decodable>(
        _ type: Value.Type,
        _ name: String,
        in folder: URL
    ) throws(HandoffError) -> Value? {
        let file = folder.appending(name + ".json")
        guard try kind(of: file) != nil else { return nil }
        let json = try contents(of: file)
        return try? JSONDecoder().decode(type, from: json)
    }

    /// Replaces a file with JSON, all of it or nothing.
    static func save(_ value: some Encodable, as name: String, in folder: URL) throws(HandoffError) {
        guard let json = try? JSONEncoder().encode(value) else { throw .invalidManifest }
        try write(json, to: folder.appending(name + ".new"), replacing: true)
        try rename(folder.appending(name + ".new"), to: folder.appending(name + ".json"))
        try flush(folder)
    }

    /// Does something while nobody else in this or another process does it with the same folder.
    static func locking<Value>(
        _ folder: URL,
        _ operation: () throws(HandoffError) -> Value
    ) throws(HandoffError) -> Value {
        let descriptor = try Descriptor(folder, O_RDONLY | O_CLOEXEC)
        try descriptor.lock()
        defer { withExtendedLifetime(descriptor) {} }
        return try operation()
    }

    /// Throws if a file is a database with changes that are only in its write-ahead log.
    static func checkDatabase(at url: URL, named name: String) throws(HandoffError) {
        if case .file(1...) = try kind(of: URL(fileURLWithPath: url.path + "-wal")) { throw .openDatabase(name) }
    }

    // MARK: Errors

    /// Whether an error says that nothing is there.
    private static func isMissing(_ code: Int32) -> Bool { code == ENOENT || code == ENOTDIR }

    static func check(_ isDone: Bool, _ url: URL) throws(HandoffError) {
        guard isDone else { throw failure(url) }
    }

    fileprivate static func failure(_ url: URL) -> HandoffError {
        let code = errno
        if code == ENOSPC || code == EDQUOT { return .noSpace }
        return .fileFailed(path: url.lastPathComponent, reason: String(cString: strerror(code)))
    }
}

/// An open file or folder.
private final class Descriptor {
    private let url: URL
    private let descriptor: Int32

    init(_ url: URL, _ flags: Int32) throws(HandoffError) {
        self.url = url
        descriptor = open(url.path, flags, 0o666)
        try FileSystem.check(descriptor >= 0, url)
    }

    deinit { close(descriptor) }

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
        // Some file systems can't flush a folder.
        try FileSystem.check(fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP, url)
    }
}

extension URL {
    /// A path in this folder.
    func appending(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }
}

// Inside the types, these names are their methods.
private let systemRename = rename
private let systemLink = link
private let systemRead = read
private let systemWrite = write
