package import ReferralFoundation

/// The system calls that a handoff needs, with ``HandoffError``. Foundation's methods replace a file in one step, but
/// don't flush the folder, and on Linux `replaceItemAt` has lost the destination.
package enum FileSystem {
    /// The largest record that is read, in bytes. A sender's record contains up to 32 lists of files of 4 MiB.
    static let maximumRecordLength = 256 << 20

    package enum Kind {
        case file(length: Int)
        case folder
        case other
    }

    /// The kind of item at a path, without following a symbolic link; `nil` if nothing is there.
    ///
    /// - Throws: ``HandoffError/fileFailed(path:reason:)`` if this can't be determined. An unreadable file isn't
    ///   missing.
    package static func kind(of url: URL) throws(HandoffError) -> Kind? {
        guard let status = try status(url) else { return nil }
        switch mode_t(status.st_mode) & S_IFMT {
        case S_IFREG: return .file(length: Int(status.st_size))
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The status of a path, without following a symbolic link; `nil` if nothing is there.
    static func status(_ url: URL) throws(HandoffError) -> stat? {
        var status = stat()
        if lstat(url.path, &status) == 0 { return status }
        guard isMissing(errno) else { throw failure(url) }
        return nil
    }

    /// The length of a file, and the time of its last change.
    struct Version: Codable, Equatable, Sendable {
        let length: Int
        /// The time, since 1970. The nanoseconds are apart, since JSON's numbers may be read as `Double`, which is less exact.
        let (seconds, nanoseconds): (Int, Int)
    }

    /// The version of a file; `nil` if nothing is there.
    static func version(of url: URL) throws(HandoffError) -> Version? {
        guard let status = try status(url) else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Version(length: Int(status.st_size), seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }

    static func rename(_ from: URL, to: URL) throws(HandoffError) {
        try check(systemRename(from.path, to.path) == 0, from)
    }

    /// Gives a file a second name. If the file system doesn't support this, or the new name is on another volume,
    /// copies and flushes the file.
    static func duplicate(_ from: URL, to: URL) throws(HandoffError) {
        if systemLink(from.path, to.path) == 0 { return }
        guard [EXDEV, EPERM, ENOTSUP, EMLINK].contains(errno) else { throw failure(to) }
        try read(from, copyingTo: to) { _ in true }
        try copyAttributes(from: from, to: to)
    }

    /// Whether two paths lead to the same file, without following symbolic links.
    static func isSame(_ first: URL, _ second: URL) throws(HandoffError) -> Bool {
        guard let first = try status(first), let second = try status(second) else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Removes a file, or a folder with its contents, without following a symbolic link.
    package static func remove(_ url: URL) throws(HandoffError) {
        switch try kind(of: url) {
        case nil: return
        case .folder:
            for name in try names(in: url) { try remove(url.appending(name)) }
            try check(rmdir(url.path) == 0, url)
        default: try check(unlink(url.path) == 0, url)
        }
    }

    /// Writes a file and flushes it. On an error, nothing remains.
    ///
    /// An existing file is an error unless `replacing` is true, since a file system may consider two names equal.
    package static func write(
        _ contents: some Collection<UInt8>,
        to url: URL,
        replacing: Bool = false
    ) throws(HandoffError) {
        // An existing file may have other names, or be a symbolic link.
        if replacing { try removeUnlessFolder(url) }
        let output = try OpenFile<HandoffError>(url, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        do throws(HandoffError) {
            try output.write(Array(contents))
            try output.flush()
        } catch {
            unlink(url.path)
            throw error
        }
    }

    /// Copies a file and flushes the copy. On an error, nothing remains. Without a destination, the file is only read.
    ///
    /// - Returns: The number of bytes that were read, and their SHA-256.
    static func copy(_ from: URL, to: URL?, atMost limit: Int) throws(HandoffError) -> (length: Int, sha256: String) {
        var (length, hash) = (0, SHA256())
        try read(from, copyingTo: to) { part in
            hash.update(part)
            length += part.count
            return length <= limit
        }
        return (length, hash.finish().hexadecimal)
    }

    private static func read(
        _ from: URL,
        copyingTo to: URL?,
        _ use: (UnsafeRawBufferPointer) -> Bool
    ) throws(HandoffError) {
        let input = try OpenFile<HandoffError>(reading: from, followsLink: false)
        let output = try to.map { url throws(HandoffError) in
            try OpenFile<HandoffError>(url, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        }
        do throws(HandoffError) {
            try input.readAll { part throws(HandoffError) in
                try output?.write(part)
                return use(part)
            }
            try output?.flush()
        } catch {
            if let to { unlink(to.path) }
            throw error
        }
    }

    /// Reads a whole file.
    ///
    /// - Throws: ``HandoffError``. ``HandoffError/tooLarge`` if it is longer than the limit, even if it grows meanwhile; the rest isn't
    ///   read then.
    static func contents(of url: URL, atMost limit: Int = .max) throws(HandoffError) -> Data {
        let input = try OpenFile<HandoffError>(reading: url)
        guard try input.length() <= limit else { throw .tooLarge }
        var contents = Data()
        try input.readAll { part throws(HandoffError) in
            guard part.count <= limit - contents.count else { throw .tooLarge }
            contents.append(contentsOf: part)
            return true
        }
        return contents
    }

    /// Reads the first bytes of a file, without following a symbolic link.
    static func start(of url: URL, _ count: Int) throws(HandoffError) -> Data {
        var start = Data()
        try OpenFile<HandoffError>(reading: url, followsLink: false).readAll { part in
            start.append(contentsOf: part.prefix(count - start.count))
            return start.count < count
        }
        return start
    }

    /// Reads a file that ``save(_:as:in:)`` has written; `nil` if it is missing or damaged.
    static func load<Value: Decodable>(
        _ type: Value.Type,
        _ name: String,
        in folder: URL
    ) throws(HandoffError) -> Value? {
        let file = folder.appending(name + ".json")
        switch try kind(of: file) {
        case nil, .file((maximumRecordLength + 1)...): return nil
        default: return decode(type, from: try contents(of: file))
        }
    }

    /// Decodes JSON that may be a stranger's; `nil` if it is damaged.
    ///
    /// The decoder hashes the names of all members, which may take hours, since Swift sorts the marks in a long one. So a
    /// name may be only as long as a file's.
    static func decode<Value: Decodable>(_ type: Value.Type, from json: Data) -> Value? {
        // In an array, the value may be of any kind, with white space around it.
        let list = [UInt8(ascii: "[")] + json + [UInt8(ascii: "]")]
        let checked: Void? = list.withUnsafeBufferPointer { try? checkNames(in: $0, $0.indices) }
        return checked == nil ? nil : try? JSONDecoder().decode(type, from: json)
    }

    private static func checkNames(in bytes: Bytes, _ range: Range<Int>) throws(JSONError) {
        var reader = JSONReader(bytes, range)
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "{"):
            try reader.readObject { name, value throws(JSONError) in
                guard FileNames.hasValidLengths(name.content) else { throw .invalid }
                try checkNames(in: bytes, value.range)
            }
        case UInt8(ascii: "["):
            try reader.readArray { value throws(JSONError) in try checkNames(in: bytes, value.range) }
        default: break
        }
    }

    /// Replaces a file with JSON, as a whole or not at all.
    static func save(_ value: some Encodable, as name: String, in folder: URL) throws(HandoffError) {
        guard let json = try? JSONEncoder().encode(value) else { throw .invalidManifest }
        try write(json, to: folder.appending(name + ".new"), replacing: true)
        try rename(folder.appending(name + ".new"), to: folder.appending(name + ".json"))
        try flush(folder)
    }

    /// Runs a closure while nobody else, in this or another process, has locked the same folder.
    static func locking<Value>(
        _ folder: URL,
        _ operation: () throws(HandoffError) -> Value
    ) throws(HandoffError) -> Value {
        let descriptor = try OpenFile<HandoffError>(folder: folder)
        try descriptor.lock()
        defer { withExtendedLifetime(descriptor) {} }
        return try operation()
    }

    // MARK: Errors

    /// Whether an error means that nothing is there.
    static func isMissing(_ code: Int32) -> Bool { code == ENOENT || code == ENOTDIR }

    static func check(_ isDone: Bool, _ url: URL) throws(HandoffError) {
        guard isDone else { throw failure(url) }
    }

    static func failure(_ url: URL) -> HandoffError { HandoffError(.system(errno), at: url) }
}

extension HandoffError: FileFailure {
    package init(_ problem: FileProblem, at url: URL) {
        self = problem.isNoSpace ? .noSpace : .fileFailed(path: url.lastPathComponent, reason: "\(problem)")
    }
}

extension URL {
    /// A path in this folder.
    package func appending(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name, isDirectory: false) }
}

// Inside the type, these names are its methods.
private let systemRename = rename
private let systemLink = link
