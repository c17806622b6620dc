#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The pages at a list of files and folders, sorted by path.
package struct SiteFiles {
    package struct File {
        package let path: String
        /// The folder in the list, which is the root for addresses that begin with `/`; `nil` for a file in the list.
        let root: String?
    }

    package private(set) var files: [File] = []

    /// The files and folders that can't be checked.
    package private(set) var failures: [SiteFailure] = []

    /// The resolved paths, so that each file is checked once, whatever links lead to it.
    private var known: Set<String> = []

    package init(_ paths: [String]) {
        for path in paths {
            switch FileKind(path) {
            case nil: fail(path, SiteFailure.systemReason)
            case .folder: addPages(in: path)
            case .file, .other: add(path, root: nil)
            }
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private mutating func add(_ path: String, root: String?) {
        if known.insert(Self.resolved(path)).inserted { files.append(File(path: path, root: root)) }
    }

    private mutating func fail(_ path: String, _ problem: String, _ kind: SiteFailure.Kind = .missing) {
        failures.append(SiteFailure(path: path, problem: problem, kind: kind))
    }

    /// Adds the pages below a folder. Folders that are symbolic links come last, so that a page gets its own path.
    private mutating func addPages(in root: String) {
        // True also when a failure was recorded.
        var hasPages = false
        var folders = [root]
        var linkedFolders: [String] = []
        while let folder = folders.popLast() ?? linkedFolders.popLast() {
            guard known.insert(Self.resolved(folder)).inserted else {
                hasPages = hasPages || folder == root
                continue
            }
            guard let entries = Self.entries(of: folder) else {
                fail(folder, SiteFailure.systemReason)
                hasPages = true
                continue
            }
            for entry in entries where !entry.name.hasPrefix(".") && entry.name != "node_modules" {
                let path = folder.hasSuffix("/") ? folder + entry.name : folder + "/" + entry.name
                let isPage = Self.isPage(entry.name)
                hasPages = hasPages || isPage
                guard entry.hasValidName else {
                    guard isPage || entry.mayBeFolder else { continue }
                    fail(path, "the file name is not UTF-8; rename the file")
                    hasPages = true
                    continue
                }
                switch FileKind(path) {
                case .folder?:
                    if FileKind.isLink(path) { linkedFolders.append(path) } else { folders.append(path) }
                case .other? where isPage:
                    fail(path, "this is not a file but a device, a pipe or a socket", .notAPage)
                case nil where isPage || entry.mayBeFolder && errno != ENOENT && errno != ELOOP:
                    // A broken link isn't a folder. Any other unreadable entry may hold pages.
                    fail(path, SiteFailure.systemReason)
                    hasPages = true
                case .file? where isPage:
                    add(path, root: root)
                default: break
                }
            }
        }
        if !hasPages { fail(root, "the folder contains no page, that is no .html, .htm or .xhtml file") }
    }

    private static func isPage(_ name: String) -> Bool {
        let name = name.asciiLowercased
        return [".html", ".htm", ".xhtml"].contains { name.hasSuffix($0) }
    }

    /// A name, whether it is UTF-8 (any other name is repaired and can't be opened), and whether the entry is a folder or a link,
    /// as far as the directory says.
    private typealias Entry = (name: String, hasValidName: Bool, mayBeFolder: Bool)

    /// The entries of a folder, sorted by name; `nil` if it can't be read.
    private static func entries(of folder: String) -> [Entry]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var entries: [Entry] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let text = String(decoding: name, as: UTF8.self)
            let mayBeFolder = [DT_DIR, DT_LNK, DT_UNKNOWN].contains { Int(entry.pointee.d_type) == Int($0) }
            entries.append((text, name.elementsEqual(text.utf8), mayBeFolder))
            errno = 0
        }
        return errno == 0 ? entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } : nil
    }

    /// A path without symbolic links, or the path itself if it can't be resolved.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// The kind of file at a path. Links are followed.
enum FileKind {
    case file, folder, other

    /// Returns `nil` if `stat` fails.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch mode_t(status.st_mode) & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .other
        }
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && mode_t(status.st_mode) & S_IFMT == S_IFLNK
    }
}
