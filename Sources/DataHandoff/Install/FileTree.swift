import ReferralFoundation

/// A folder whose files have relative paths. A symbolic link in a file's path is an error, since it leads out of the
/// folder.
struct FileTree: Sendable {
    private let root: URL
    /// The path from the root to the folder. It isn't trusted either.
    private let path: String

    var folder: URL { path.isEmpty ? root : root.appending(path) }

    init(_ root: URL, _ path: String = "") {
        self.root = root
        self.path = path
    }

    /// The tree of a folder in this folder.
    func tree(_ name: String) -> FileTree { FileTree(root, prefixed(name)) }

    private func prefixed(_ name: String) -> String { path.isEmpty ? name : path + "/" + name }

    /// The location of a file.
    func url(_ name: String) -> URL { root.appending(prefixed(name)) }

    /// The kind of item at a path; `nil` if nothing is there.
    func kind(of name: String) throws(HandoffError) -> FileSystem.Kind? {
        if let obstacle = try obstacle(to: name) { throw .fileFailed(path: obstacle, reason: "it isn't a folder") }
        return try FileSystem.kind(of: url(name))
    }

    /// The part of a file's path that isn't a folder; `nil` if there is none.
    func obstacle(to name: String) throws(HandoffError) -> String? {
        for outer in FileNames.folders(of: prefixed(name)) {
            switch try FileSystem.kind(of: root.appending(outer)) {
            case nil: return nil
            case .folder: continue
            default: return outer
            }
        }
        return nil
    }

    /// Creates the parent folders of a file.
    func makeFolders(for name: String) throws(HandoffError) {
        _ = try kind(of: name)
        try FileSystem.makeFolder(url(name).deletingLastPathComponent())
    }
}
