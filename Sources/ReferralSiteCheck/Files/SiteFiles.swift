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

    /// The links to pages and folders outside of the folders in the list. They aren't followed.
    private(set) var linksOutside: [String] = []

    let boundary: SiteBoundary

    /// The files and folders so far, so that each is checked once, whatever links lead to it.
    private var known: Set<String> = []

    package init(_ paths: [String]) {
        boundary = SiteBoundary(paths)
        for path in paths {
            // Standard input has no folder.
            if path == "-" {
                add(path, path, root: nil)
            } else if let status = FileStatus(path) {
                if status.kind == .folder { addPages(in: path, status) } else { add(path, status.identity, root: nil) }
            } else {
                fail(path, SiteFailure.systemReason)
            }
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private mutating func add(_ path: String, _ identity: String, root: String?) {
        if known.insert(identity).inserted { files.append(File(path: path, root: root)) }
    }

    private mutating func fail(_ path: String, _ problem: Sentence, _ kind: SiteFailure.Kind = .missing) {
        failures.append(SiteFailure(path: path, problem: problem, kind: kind))
    }

    /// Adds the pages below a folder. Folders that are symbolic links come last, so that a page gets its own path.
    private mutating func addPages(in root: String, _ status: FileStatus) {
        guard !known.contains(status.identity) else { return }
        let site = SiteFolder(root, boundary)
        folders.append(site)
        linksOutside += [site.associationOutside].compactMap(\.self)
        // Also true if a failure was recorded, or if there is something else to check.
        var hasPages = site.association != nil
        var folders = [root]
        var linkedFolders: [String] = []
        while let folder = folders.popLast() ?? linkedFolders.popLast() {
            // The folder is looked up only once. Resolving its links needs a call per component, and the time of each
            // call depends on the number of components.
            let status = FileStatus(folder)
            if let status, !known.insert(status.identity).inserted { continue }
            guard status != nil, let entries = FileNames.entries(of: folder) else {
                fail(folder, SiteFailure.systemReason)
                hasPages = true
                continue
            }
            for (name, type) in entries where !name.hasPrefix(".") && name != "node_modules" {
                let path = folder.withLastSlash + name
                let isPage = Self.isPage(name)
                let mayBeLink = type == Int(DT_LNK) || type == Int(DT_UNKNOWN)
                guard isPage || mayBeLink || type == Int(DT_DIR) else { continue }
                hasPages = hasPages || isPage
                guard let status = FileStatus(path) else {
                    // A broken link isn't a folder. Any other unreadable entry may contain pages.
                    let isBrokenLink = errno == ENOENT || errno == ELOOP
                    let reason = SiteFailure.systemReason
                    let hasInvalidName = name.unicodeScalars.contains("\u{FFFD}")
                    guard isPage || hasInvalidName || !isBrokenLink else { continue }
                    fail(path, hasInvalidName ? "the file name is not UTF-8; rename the file" : reason)
                    hasPages = true
                    continue
                }
                guard !mayBeLink || !isPage && status.kind != .folder || boundary.contains(path) else {
                    linksOutside.append(path)
                    continue
                }
                switch status.kind {
                case .folder: if mayBeLink { linkedFolders.append(path) } else { folders.append(path) }
                case .file where isPage:
                    add(path, status.identity, root: root)
                case .other where isPage:
                    fail(path, "this is not a file but a device, a pipe or a socket", .notAPage)
                default: break
                }
            }
        }
        if !hasPages { fail(root, "the folder contains no page, that is no .html, .htm or .xhtml file") }
    }

    private static func isPage(_ name: String) -> Bool {
        [".html", ".htm", ".xhtml"].contains { name.asciiLowercased.hasSuffix($0) }
    }
}

extension String {
    /// The path of a folder, with a slash at its end.
    var withLastSlash: String { hasSuffix("/") ? self : self + "/" }
}
