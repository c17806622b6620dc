import ReferralFoundation

/// The status of the file at a path. Links are followed.
struct FileStatus {
    enum Kind {
        case file, folder, other
    }

    let kind: Kind
    /// Equal for two paths to the same file or folder.
    let identity: String

    /// Returns `nil` if `stat` fails.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let type = mode_t(status.st_mode) & S_IFMT
        kind = type == S_IFREG ? .file : type == S_IFDIR ? .folder : .other
        identity = "\(status.st_dev) \(status.st_ino)"
    }
}

/// The folders that were named. Links in them that lead elsewhere aren't followed.
package struct SiteBoundary {
    /// The folders without links in their paths, with slashes at their ends.
    private let folders: [String]

    package init(_ paths: [String]) {
        folders = paths.filter { FileStatus($0)?.kind == .folder }.compactMap(Self.resolved).map(\.withLastSlash)
    }

    /// Whether a file or a folder is in one of the folders, or is one of them.
    package func contains(_ path: String) -> Bool {
        guard let path = Self.resolved(path)?.withLastSlash else { return false }
        return folders.contains { path.utf8.starts(with: $0.utf8) }
    }

    /// The path without links.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
