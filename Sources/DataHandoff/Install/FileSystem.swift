package import DurableFiles
import WireText

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
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
        guard let status = try status(url) else { return nil }
        switch mode_t(status.st_mode) & S_IFMT {
        case S_IFREG: return .file(length: Int(status.st_size))
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// What the system knows of a path, without following a symbolic link; `nil` if nothing is there.
    static func status(_ url: URL) throws(HandoffError) -> stat? {
        var status = stat()
        if lstat(url.path, &status) == 0 { return status }
        guard isMissing(errno) else { throw failure(url) }
        return nil
    }

    static func rename(_ from: URL, to: URL) throws(HandoffError) {
        try check(systemRename(from.path, to.path) == 0, from)
    }

    /// Gives a file a second name. If the file system can't, or the place is on another one, it is copied and flushed.
    static func duplicate(_ from: URL, to: URL) throws(HandoffError) {
        if systemLink(from.path, to.path) == 0 { return }
        guard [EXDEV, EPERM, ENOTSUP, EMLINK].contains(errno) else { throw failure(to) }
        try copy(from, to: to, atMost: .max)
        try copyAttributes(from: from, to: to)
    }

    /// Whether two paths lead to one file. Symbolic links aren't followed.
    static func isSame(_ first: URL, _ second: URL) throws(HandoffError) -> Bool {
        guard let first = try status(first), let second = try status(second) else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Whether two paths lead to one file, or to two with the same contents.
    static func isEqual(_ first: URL, _ second: URL) throws(HandoffError) -> Bool {
        guard case .file(let length) = try kind(of: first), case .file(length) = try kind(of: second) else {
            return false
        }
        if try isSame(first, second) { return true }
        return try copy(first, to: nil, atMost: length) == copy(second, to: nil, atMost: length)
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

    /// Writes a file and flushes it. On an error nothing is left.
    ///
    /// Unless it may be replaced, an existing one is an error: two names may be one to a file system.
    static func write(
        _ contents: some Collection<UInt8>,
        to url: URL,
        replacing: Bool = false
    ) throws(HandoffError) {
        // An existing file may have other names, or be a symbolic link.
        if replacing { try removeUnlessFolder(url) }
        let output = try OpenFile<HandoffError>(url, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        let written = Array(contents).withUnsafeBytes { bytes in
            Result<Void, HandoffError> { () throws(HandoffError) in
                try output.write(bytes)
                try output.flush()
            }
        }
        if case .failure = written { unlink(url.path) }
        try written.get()
    }

    /// Copies a file into a new one and flushes it. On an error nothing is left. Without a new one, it is only read.
    ///
    /// - Returns: The number of bytes and their SHA-256, of what was read.
    @discardableResult
    static func copy(_ from: URL, to: URL?, atMost limit: Int) throws(HandoffError) -> (length: Int, sha256: String) {
        let input = try OpenFile<HandoffError>(reading: from, followsLink: false)
        let output = try to.map { url throws(HandoffError) in
            try OpenFile<HandoffError>(url, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        }
        var (length, hash) = (0, SHA256())
        do throws(HandoffError) {
            try input.readAll { part throws(HandoffError) in
                hash.update(part)
                try output?.write(part)
                length += part.count
                return length <= limit
            }
            try output?.flush()
        } catch {
            if let to { unlink(to.path) }
            throw error
        }
        return (length, hash.finish().hexadecimal)
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - limit: The largest length.
    ///   - start: How much of the file tells how long it may be.
    ///   - promise: The largest length of a file with this start.
    /// - Returns: The contents.
    /// - Throws: ``HandoffError/tooLarge`` if it is longer than the limit, even if it grows meanwhile, or
    ///   ``HandoffError/trailingBytes`` if it is longer than its start promises. Then no more of it is read.
    static func contents(
        of url: URL,
        atMost limit: Int = .max,
        start: Int = .max,
        promise: (_ start: Data) throws(HandoffError) -> Int = { _ in .max }
    ) throws(HandoffError) -> Data {
        let input = try OpenFile<HandoffError>(reading: url)
        guard try input.length() <= limit else { throw .tooLarge }
        var (contents, promised) = (Data(), Int?.none)
        try input.readAll { part throws(HandoffError) in
            guard part.count <= limit - contents.count else { throw .tooLarge }
            contents.append(contentsOf: part)
            if promised == nil, contents.count >= start { promised = try promise(contents) }
            if let promised, try max(contents.count, input.length()) > promised { throw .trailingBytes }
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
        let descriptor = try OpenFile<HandoffError>(folder: folder)
        try descriptor.lock()
        defer { withExtendedLifetime(descriptor) {} }
        return try operation()
    }

    // MARK: Errors

    /// Whether an error says that nothing is there.
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
    func appending(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name, isDirectory: false) }
}

// Inside the type, these names are its methods.
private let systemRename = rename
private let systemLink = link
