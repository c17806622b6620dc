package import ReferralFoundation

extension FileSystem {
    /// A byte, since for Swift a slash and a mark after it are one character.
    private static let slash = UInt8(ascii: "/")

    /// The names in a folder, sorted; none if it doesn't exist.
    ///
    /// - Throws: ``HandoffError/fileFailed(path:reason:)`` if it can't be read completely.
    package static func names(in folder: URL) throws(HandoffError) -> [String] {
        if let entries = FileNames.entries(of: folder.path) { return entries.map(\.name) }
        try check(isMissing(errno), folder)
        return []
    }

    /// Creates a folder and its parent folders. On an error, nothing remains.
    ///
    /// - Parameters:
    ///   - url: The folder.
    ///   - flushing: Whether the name of each new folder is flushed, the outermost first.
    /// - Returns: The new folders, the outermost first.
    /// - Throws: ``HandoffError``.
    @discardableResult
    package static func makeFolder(_ url: URL, flushing: Bool = false) throws(HandoffError) -> [URL] {
        // The paths get shorter, so this loop ends, even if a path contains `..`.
        var (missing, path): ([String], Substring) = ([], url.path[...])
        while !path.isEmpty {
            if let target = try target(of: String(path)) {
                guard mode_t(target.st_mode) & S_IFMT == S_IFDIR else {
                    throw HandoffError(.notAFolder, at: url)
                }
                break
            }
            missing.append(String(path))
            path = path[..<(path.utf8.lastIndex(of: slash) ?? path.startIndex)]
        }
        var made: [URL] = []
        do throws(HandoffError) {
            for path in missing.reversed() {
                let folder = URL(fileURLWithPath: path)
                if mkdir(path, 0o777) == 0 {
                    made.append(folder)
                } else {
                    try check(errno == EEXIST, folder)
                }
                if flushing { try flush(folder.deletingLastPathComponent()) }
            }
        } catch {
            for folder in made.reversed() { removeIfEmpty(folder) }
            throw error
        }
        return made
    }

    /// Creates a folder of this library, and removes anything else in its place.
    static func makeOwnFolder(_ url: URL) throws(HandoffError) {
        try removeUnlessFolder(url)
        try makeFolder(url, flushing: true)
    }

    /// Removes anything that isn't a folder, such as a symbolic link, from the place of a folder of this library.
    static func removeUnlessFolder(_ url: URL) throws(HandoffError) {
        switch try kind(of: url) {
        case nil, .folder: break
        default: try check(unlink(url.path) == 0, url)
        }
    }

    /// The status of a path's target, following symbolic links; `nil` if nothing is there, or if the path is too long
    /// or a circle of links. With `allowsRefusal`, also `nil` if this process may not look there.
    private static func target(of path: String, allowsRefusal: Bool = false) throws(HandoffError) -> stat? {
        var status = stat()
        if stat(path, &status) == 0 { return status }
        let isRefused = errno == EACCES || errno == EPERM
        guard isMissing(errno) || errno == ENAMETOOLONG || errno == ELOOP || isRefused && allowsRefusal else {
            throw failure(URL(fileURLWithPath: path))
        }
        return nil
    }

    /// Removes a folder if it is empty.
    package static func removeIfEmpty(_ folder: URL) { rmdir(folder.path) }

    /// Flushes a folder, so that the names in it are on the disk.
    static func flush(_ folder: URL) throws(HandoffError) { try OpenFile<HandoffError>(folder: folder).flush() }

    /// Flushes a folder and then those in it.
    static func flushAll(_ folder: URL) throws(HandoffError) {
        try flush(folder)
        for name in try names(in: folder) {
            if case .folder = try kind(of: folder.appending(name)) { try flushAll(folder.appending(name)) }
        }
    }

    /// The path of an existing file or folder, without symbolic links.
    static func realPath(_ url: URL) throws(HandoffError) -> String {
        guard let path = realpath(url.path, nil) else { throw failure(url) }
        defer { free(path) }
        return String(cString: path)
    }

    /// The path of a file or folder that may not exist yet. Its existing part has no symbolic links.
    static func realPath(ofPlanned url: URL) throws(HandoffError) -> String {
        var (path, missing): (Substring, Substring) = (url.path[...], "")
        while let end = path.utf8.lastIndex(of: slash), try target(of: String(path)) == nil {
            (path, missing) = (path[..<end], path[end...] + missing)
        }
        return try realPath(URL(fileURLWithPath: path.isEmpty ? "/" : String(path))) + missing
    }

    /// Whether a path leads to a folder, following symbolic links. A path where this process may not look leads to
    /// another folder.
    static func isPath(_ path: String, to folder: URL) throws(HandoffError) -> Bool {
        guard let folder = try target(of: folder.path), let found = try target(of: path, allowsRefusal: true) else {
            return false
        }
        return found.st_dev == folder.st_dev && found.st_ino == folder.st_ino
    }

    /// Whether two folders are on the same volume.
    static func areOnOneVolume(_ first: URL, _ second: URL) throws(HandoffError) -> Bool {
        try target(of: first.path)?.st_dev == target(of: second.path)?.st_dev
    }
}
