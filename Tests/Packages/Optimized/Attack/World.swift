import Calls
import Glibc

/// The folders of two apps, and of everything around them, in memory.
///
///     Documents      where the receiver's data is, and packages are installed
///     Support        the receiver's own storage
///     Lite           the sender's data; LiteSupport is its storage
///     Group          what both share; the packages are in Handoff
///     Inbox          a package in a file
///     Library, …     what nobody may touch
@MainActor
struct World {
    let root: String
    /// What is on disk.
    private(set) var current = Tree()

    init(at folder: String) {
        root = folder
        umask(0o022)
        // A run that was ended may have left something.
        Tree().write(to: root, insteadOf: Tree(at: root))
        mkdir(root, 0o755)
    }

    /// Makes the disk hold a tree.
    mutating func load(_ tree: Tree) {
        // While there is another volume, no file can have names on both.
        calls_set_volume(nil)
        tree.write(to: root, insteadOf: current)
        current = tree
    }

    /// Looks at the disk.
    @discardableResult
    mutating func look() -> Tree {
        current = Tree(at: root)
        return current
    }

    func remove() {
        Tree().write(to: root, insteadOf: Tree(at: root))
        rmdir(root)
    }
}

extension World {
    /// What is on the disks at first.
    nonisolated static let beginning: Tree = {
        var tree = Tree()
        func file(_ path: String, _ text: String, mode: mode_t = 0o644) {
            tree.addFolders(of: path)
            tree.nodes[path] = .file([UInt8](text), mode: mode)
        }
        file("Library/Preferences/app.plist", "preferences", mode: 0o600)
        file("Library/keys.db", "keys")
        file("Outside/secret.txt", "secret")
        file("neighbor.txt", "neighbor")
        for (name, text) in mine { file("Documents/" + name, text, mode: name == "boards.sqlite" ? 0o640 : 0o644) }
        tree.nodes["Documents/elsewhere"] = .link("../Outside")
        for (name, text) in sent { file("Lite/" + name, text) }
        file("Group/other.txt", "of another part of the apps")
        for folder in ["Support", "LiteSupport", "Inbox"] { tree.nodes[folder] = .folder(mode: 0o755) }
        return tree
    }()

    /// The person's files before anything arrives.
    nonisolated static let mine = [
        "boards.sqlite": database + "old boards", "boards.sqlite-wal": "old log", "boards.sqlite-shm": "old index",
        "notes.txt": "old notes", "kept/mine.txt": "mine", "trip": "not a database", "trip-journal/day.txt": "day",
        "work": "not a database either", "work-wal": "work on the wall", "pictures/1.jpg": "one",
    ]

    /// The files that the other app sends.
    nonisolated static let sent = [
        "boards.sqlite": database + "new boards", "notes.txt": "new notes", "pictures/2.jpg": "two",
        "new/deep/file.txt": "deep",
    ]

    nonisolated static let database = "SQLite format 3\0"
}

extension Tree {
    /// Adds the folders that a path is in.
    mutating func addFolders(of path: String) {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += folder.isEmpty ? String(part) : "/" + part
            if nodes[folder] == nil { nodes[folder] = .folder(mode: 0o755) }
        }
    }
}
