#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Which pages files and folders come down to, by path.
struct SiteFiles {
    struct File {
        let path: String
        /// The folder that was asked for, which an address with a `/` in front goes by; `nil` of a file that was named.
        let root: String?
    }

    /// Something that was asked for and could not be looked at.
    struct Failure {
        let path: String
        let problem: String
        let status: ExitStatus
    }

    private(set) var files: [File] = []
    private(set) var failures: [Failure] = []

    /// Where they really are, so that each is looked at once, whatever links lead to it.
    private var known: Set<String> = []

    init(_ paths: [String]) {
        for path in paths {
            guard let kind = FileKind(path) else {
                failures.append(Failure(path: path, problem: ByteStream.reason, status: .noInput))
                continue
            }
            if kind == .folder {
                walk(path)
            } else {
                add(path, root: nil)
            }
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private mutating func add(_ path: String, root: String?) {
        guard known.insert(realPath(path) ?? path).inserted else { return }
        files.append(File(path: path, root: root))
    }

    /// Adds the pages below a folder. Folders that a link leads to come last, so that a page goes by its own path.
    private mutating func walk(_ root: String) {
        // Or something else that is told of.
        var hasPages = false
        var folders = [root]
        var linked: [String] = []
        while let folder = folders.popLast() ?? linked.popLast() {
            guard known.insert(realPath(folder) ?? folder).inserted else {
                hasPages = hasPages || folder == root
                continue
            }
            guard let entries = Self.entries(of: folder) else {
                failures.append(Failure(path: folder, problem: ByteStream.reason, status: .noInput))
                hasPages = true
                continue
            }
            for entry in entries where !entry.name.hasPrefix(".") && entry.name != "node_modules" {
                let path = folder.hasSuffix("/") ? folder + entry.name : folder + "/" + entry.name
                let isPage = Self.isPage(entry.name)
                hasPages = hasPages || isPage
                guard entry.hasTextName else {
                    guard isPage || entry.mayBeFolder else { continue }
                    let problem = "its name is not UTF-8; give it another one"
                    failures.append(Failure(path: path, problem: problem, status: .noInput))
                    hasPages = true
                    continue
                }
                switch FileKind(path) {
                case .folder?:
                    if FileKind.isLink(path) { linked.append(path) } else { folders.append(path) }
                case .other? where isPage:
                    failures.append(
                        Failure(path: path, problem: "it is no file but a device, a pipe or a socket", status: .badData)
                    )
                case nil where isPage || entry.mayBeFolder && errno != ENOENT && errno != ELOOP:
                    // A link to nothing is no folder. Of all else nobody knows what pages it holds.
                    failures.append(Failure(path: path, problem: ByteStream.reason, status: .noInput))
                    hasPages = true
                case .file? where isPage:
                    add(path, root: root)
                default: break
                }
            }
        }
        if !hasPages {
            let problem = "there is no page in it, no file that ends in .html, .htm or .xhtml"
            failures.append(Failure(path: root, problem: problem, status: .noInput))
        }
    }

    static func isPage(_ name: String) -> Bool {
        let name = name.asciiLowercased
        return [".html", ".htm", ".xhtml"].contains { name.hasSuffix($0) }
    }

    /// Something in a folder.
    private struct Entry {
        let name: String
        /// Whether the name is the real one: one that is not UTF-8 cannot be passed on.
        let hasTextName: Bool
        /// Whether it is a folder, or a link to one, as far as the folder that holds it tells.
        let mayBeFolder: Bool
    }

    /// What a folder holds, sorted by name; `nil` where it cannot be read.
    private static func entries(of folder: String) -> [Entry]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var entries: [Entry] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let text = String(decoding: name, as: UTF8.self)
            let mayBeFolder = [DT_DIR, DT_LNK, DT_UNKNOWN].contains { Int(entry.pointee.d_type) == Int($0) }
            entries.append(Entry(name: text, hasTextName: name.elementsEqual(text.utf8), mayBeFolder: mayBeFolder))
            errno = 0
        }
        return errno == 0 ? entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } : nil
    }

    private func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

/// What stands at a path, links followed.
enum FileKind {
    case file, folder, other

    /// `nil` where there is nothing, or nothing that may be looked at.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch mode_t(status.st_mode) & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .other
        }
    }

    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && mode_t(status.st_mode) & S_IFMT == S_IFLNK
    }
}
