import DataHandoff
import Glibc
import ReferralBridge

/// Says whether what has changed on the disk may have changed.
struct Judge {
    /// What a package may change in the person's folder.
    struct Changes {
        var files: [String: HandoffManifest.File] = [:]
        var replacing = false
        /// Whether the app was told that it is installed.
        var isInstalled = false

        init() {}

        init(_ manifest: HandoffManifest, replacing: Bool, isInstalled: Bool) {
            // User defaults aren't a file of the person's.
            for file in manifest.files where !file.isDefaults { files[Tree.key(Array(file.name.utf8))] = file }
            self.replacing = replacing
            self.isInstalled = isInstalled
        }
    }

    let before: Tree
    var ignored = ""

    func check(_ after: Tree, _ changes: Changes) throws {
        var arrived = 0
        for path in before.changes(to: after) where path != ignored {
            if ["Support/DataHandoff", "LiteSupport/DataHandoff", "Group/Handoff"].contains(where: path.hasPrefix) {
                // What the apps store.
                continue
            }
            guard path.hasPrefix("Documents/") else { throw Broken("outside, \(path) changed") }
            let name = String(path.dropFirst("Documents/".utf8.count))
            let (old, new) = (before.nodes[path], after.nodes[path])
            if let file = changes.files[name] {
                guard case .file(let bytes, let mode) = new, SHA256.digest(bytes).hexadecimal == file.sha256 else {
                    throw Broken("\(name) is neither as before nor as in the package")
                }
                if case .file(_, let oldMode) = old {
                    guard changes.replacing else { throw Broken("\(name) was replaced") }
                    guard mode == oldMode else { throw Broken("\(name) has other permissions") }
                } else if old != nil {
                    throw Broken("\(name) wasn't a file, and was replaced")
                }
                arrived += 1
            } else if name == ".handoff" || name.hasPrefix(".handoff/") {
                // Where the library keeps files if the person's are on another volume.
                continue
            } else if old == nil {
                guard case .folder = new, changes.files.keys.contains(where: { $0.hasPrefix(name + "/") }) else {
                    throw Broken("\(name) appeared")
                }
            } else {
                guard new == nil, isCompanion(name, of: changes) else { throw Broken("the person's \(name) changed") }
            }
        }
        let unchanged = changes.files.filter { name, file in
            guard case .file(let bytes, _) = before.nodes["Documents/" + name] else { return false }
            return after.nodes["Documents/" + name] == before.nodes["Documents/" + name]
                && SHA256.digest(bytes).hexadecimal == file.sha256
        }
        if changes.isInstalled {
            guard arrived + unchanged.count == changes.files.count else {
                throw Broken("only \(arrived) files arrived")
            }
        } else {
            guard arrived == 0 else { throw Broken("\(arrived) files arrived, though it failed") }
        }
    }

    /// Whether a file is what SQLite keeps beside a database that was replaced.
    private func isCompanion(_ name: String, of changes: Changes) -> Bool {
        guard changes.replacing, case .file = before.nodes["Documents/" + name] else { return false }
        return ["-wal", "-shm", "-journal"].contains { suffix in
            guard name.hasSuffix(suffix) else { return false }
            let main = String(name.dropLast(suffix.utf8.count))
            guard changes.files[main] != nil, case .file(let bytes, _) = before.nodes["Documents/" + main] else {
                return false
            }
            return bytes.starts(with: World.database.utf8)
        }
    }

    /// No copy of data is left in the storage or beside the person's files.
    func checkNothingLeft(_ after: Tree, _ changes: Changes) throws {
        let left = after.nodes.filter { path, node in
            guard before.nodes[path] == nil, case .file = node,
                changes.files[String(path.dropFirst("Documents/".utf8.count))] == nil
            else { return false }
            return path.hasPrefix("Documents/.")
                || path.hasPrefix("Support/DataHandoff/")
                    && path.dropFirst("Support/DataHandoff/".utf8.count).utf8.contains(0x2F)
        }
        guard left.isEmpty else { throw Broken("left behind: \(left.keys.sorted())") }
    }

    /// No file of a package may be in one of our folders, on any file system.
    static func checkNames(_ manifest: HandoffManifest) throws {
        for file in manifest.files where !file.isDefaults {
            let first = file.name.split(separator: "/").first.map(String.init) ?? ""
            guard first.lowercased().uppercased().lowercased() != ".handoff" else {
                throw Broken("\(file.name) was accepted as a name")
            }
        }
    }
}

extension Tree {
    /// Writes into a file, as code of an app might by mistake.
    static func spoil(_ path: String) {
        guard let file = fopen(path, "a") else { return }
        fputs("spoiled", file)
        fclose(file)
    }
}
