import ReferralFoundation

/// The pages at a list of files and folders, sorted by path.
package struct SiteFiles {
    package struct File {
        package let path: String
        /// The folder that is the root for addresses that begin with `/`; `nil` for a file in the list.
        let root: String?
    }

    package private(set) var files: [File] = []

    /// The folders in the list.
    private(set) var folders: [SiteFolder] = []

    /// The files and folders that can't be checked.
    package private(set) var failures: [SiteFailure] = []

    /// The files and folders so far, so that each is checked once, whatever links lead to it.
    private var known: Set<FileStatus.Identity> = []

    package init(_ paths: [String]) {
        for path in paths {
            // Standard input has no folder.
            guard path != "-" else {
                if !files.contains(where: { $0.path == path }) { files.append(File(path: path, root: nil)) }
                continue
            }
            guard let status = FileStatus(path) else {
                fail(path, SiteFailure.systemReason)
                continue
            }
            if status.kind == .folder { addPages(in: path) } else { add(path, status, root: nil) }
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private mutating func add(_ path: String, _ status: FileStatus, root: String?) {
        if known.insert(status.identity).inserted { files.append(File(path: path, root: root)) }
    }

    private mutating func fail(_ path: String, _ problem: Sentence, _ kind: SiteFailure.Kind = .missing) {
        failures.append(SiteFailure(path: path, problem: problem, kind: kind))
    }

    /// Adds the pages below a folder. Folders that are symbolic links come last, so that a page gets its own path.
    private mutating func addPages(in root: String) {
        if let status = FileStatus(root), !known.contains(status.identity) { folders.append(SiteFolder(root)) }
        // Also true if a failure was recorded, or if there is something else to check.
        let site = folders.last?.path == root ? folders.last : nil
        var hasPages = site?.association != nil
        var folders = [root]
        var linkedFolders: [String] = []
        while let folder = folders.popLast() ?? linkedFolders.popLast() {
            // The folder is looked up only once. Resolving its links needs a call per component, and the time of each
            // call depends on the number of components.
            let status = FileStatus(folder)
            if let status, !known.insert(status.identity).inserted {
                hasPages = hasPages || folder == root
                continue
            }
            guard status != nil, let entries = Self.entries(of: folder) else {
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
                guard isPage || entry.mayBeFolder else { continue }
                guard let status = FileStatus(path) else {
                    // A broken link isn't a folder. Any other unreadable entry may contain pages.
                    guard isPage || errno != ENOENT && errno != ELOOP else { continue }
                    fail(path, SiteFailure.systemReason)
                    hasPages = true
                    continue
                }
                switch status.kind {
                case .folder:
                    if FileStatus.isLink(path) { linkedFolders.append(path) } else { folders.append(path) }
                case .other where isPage:
                    fail(path, "this is not a file but a device, a pipe or a socket", .notAPage)
                case .file where isPage:
                    add(path, status, root: site?.roots.first { path.hasPrefix($0 + "/") } ?? root)
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

    /// An entry of a folder.
    struct Entry {
        let name: String
        /// Whether the name is UTF-8. Any other name is repaired and can't be opened.
        let hasValidName: Bool
        /// Whether the directory lists it as a folder or a link.
        let mayBeFolder: Bool
    }

    /// The entries of a folder, sorted by name; `nil` if it can't be read.
    static func entries(of folder: String) -> [Entry]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var entries: [Entry] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let text = String(decoding: name, as: UTF8.self)
            let mayBeFolder = [DT_DIR, DT_LNK, DT_UNKNOWN].contains { Int(entry.pointee.d_type) == Int($0) }
            entries.append(
                Entry(name: text, hasValidName: name.elementsEqual(text.utf8), mayBeFolder: mayBeFolder)
            )
            errno = 0
        }
        return errno == 0 ? entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } : nil
    }
}

/// A folder with a site, and its association file.
struct SiteFolder {
    private static let name = "apple-app-site-association"

    /// Most build tools copy the contents of these folders to the root of the site.
    private static let sources = ["public", "static"]

    let path: String

    /// The path of the association file. Systems look for it in both places.
    let association: String?

    /// The path of a file that is called like the association file, but has an extension.
    let misnamed: String?

    /// The folder in this one that has the association file, if it isn't this folder itself: `public` or `static`.
    let source: String?

    /// The roots of pages in this folder.
    var roots: [String] { (source.map { [(path.hasSuffix("/") ? path : path + "/") + $0] } ?? []) + [path] }

    init(_ path: String) {
        self.path = path
        let root = path.hasSuffix("/") ? path : path + "/"
        func places(_ folder: String) -> [String] { [folder + ".well-known/", folder] }
        func file(in folder: String) -> String? {
            places(folder).map { $0 + Self.name }.first { FileStatus($0)?.kind == .file }
        }
        let own = file(in: root)
        source = own == nil ? Self.sources.first { file(in: root + $0 + "/") != nil } : nil
        association = own ?? source.flatMap { file(in: root + $0 + "/") }
        let misnamed = places(root).flatMap { place in
            (SiteFiles.entries(of: place) ?? []).filter { $0.hasValidName && $0.name.hasPrefix(Self.name + ".") }
                .map { place + $0.name }
        }
        self.misnamed = association == nil ? misnamed.first { FileStatus($0)?.kind == .file } : nil
    }

    /// An association file that was named itself.
    init(association path: String) {
        self.path = ""
        association = path
        misnamed = nil
        source = nil
    }

    /// Whether a file is called like the association file, with or without an extension.
    static func isAssociation(_ path: String) -> Bool {
        name(of: path) == name || name(of: path).hasPrefix(name + ".")
    }

    private static func name(of path: String) -> String {
        path.utf8.split(separator: ASCII.slash).last.map { String(Substring($0)) } ?? ""
    }
}

/// The status of the file at a path. Links are followed.
struct FileStatus {
    enum Kind {
        case file, folder, other
    }

    /// Equal for two paths to the same file or folder.
    struct Identity: Hashable {
        private let device: UInt64
        private let number: UInt64
        /// The path, if the file has several names, since addresses in a page are relative to its name.
        private let path: String?

        fileprivate init(_ status: stat, _ kind: Kind, _ path: String) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
            self.path = kind != .folder && status.st_nlink > 1 ? path : nil
        }
    }

    let kind: Kind
    let identity: Identity

    /// Returns `nil` if `stat` fails.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        kind =
            switch mode_t(status.st_mode) & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        identity = Identity(status, kind, path)
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && mode_t(status.st_mode) & S_IFMT == S_IFLNK
    }
}
