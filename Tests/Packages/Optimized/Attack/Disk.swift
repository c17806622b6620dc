import Glibc

/// A disk as a file system keeps it: numbered files and folders, and what was done to them.
///
/// What is done to a folder reaches the disk in order, and so does what is done to a file's contents. Between two of them there is no
/// order, until one is flushed.
struct Disk {
    typealias Number = UInt

    enum Content {
        case file([UInt8])
        case folder([String: Number])
        case other(Tree.Node)
    }

    struct File {
        var content: Content
        var mode: mode_t
    }

    enum Change {
        /// A new file, or a new folder, in a folder.
        case made(Number, name: String, Number, isFolder: Bool, mode: mode_t)
        case linked(Number, name: String, Number)
        case unlinked(Number, name: String)
        case renamed(Number, name: String, to: Number, newName: String, Number)
        case written(Number, at: Int, [UInt8])
        case truncated(Number, length: Int)
        case permitted(Number, mode: mode_t)
        case flushed(Number)

        /// The folders whose names change.
        var folders: [Number] {
            switch self {
            case .made(let folder, _, _, _, _), .linked(let folder, _, _), .unlinked(let folder, _): [folder]
            case .renamed(let from, _, let to, _, _): from == to ? [from] : [from, to]
            case .written, .truncated, .permitted, .flushed: []
            }
        }

        /// The file whose contents change.
        var file: Number? {
            switch self {
            case .written(let file, _, _), .truncated(let file, _), .permitted(let file, _): file
            case .made, .linked, .unlinked, .renamed, .flushed: nil
            }
        }
    }

    var root: Number = 0
    var files: [Number: File] = [:]

    mutating func apply(_ change: Change) {
        switch change {
        case .made(let folder, let name, let file, let isFolder, let mode):
            files[file] = File(content: isFolder ? .folder([:]) : .file([]), mode: mode)
            files[folder]?.names[name] = file
        case .linked(let folder, let name, let file): files[folder]?.names[name] = file
        case .unlinked(let folder, let name): files[folder]?.names[name] = nil
        case .renamed(let from, let name, let to, let newName, let file):
            files[from]?.names[name] = nil
            files[to]?.names[newName] = file
        case .written(let file, let place, let bytes): files[file]?.write(bytes, at: place)
        case .truncated(let file, let length): files[file]?.write([], at: length, isEnd: true)
        case .permitted(let file, let mode): files[file]?.mode = mode
        case .flushed: break
        }
    }

    /// What can be reached from the root.
    var tree: Tree {
        var tree = Tree()
        var names: [Number: [String]] = [:]
        func add(_ number: Number, _ path: String, depth: Int) {
            guard let file = files[number], depth < 50 else { return }
            switch file.content {
            case .file(let bytes):
                tree.nodes[path] = .file(bytes, mode: file.mode)
                names[number, default: []].append(path)
            case .other(let node): tree.nodes[path] = node
            case .folder(let names):
                if !path.isEmpty { tree.nodes[path] = .folder(mode: file.mode) }
                for (name, inner) in names { add(inner, path.isEmpty ? name : path + "/" + name, depth: depth + 1) }
            }
        }
        add(root, "", depth: 0)
        tree.link(names.values)
        return tree
    }
}

extension Disk.File {
    var names: [String: Disk.Number] {
        get { if case .folder(let names) = content { names } else { [:] } }
        set { content = .folder(newValue) }
    }

    mutating func write(_ bytes: [UInt8], at place: Int, isEnd: Bool = false) {
        guard case .file(var old) = content else { return }
        let end = place + bytes.count
        if old.count < end { old += [UInt8](repeating: 0, count: end - old.count) }
        old.replaceSubrange(place..<end, with: bytes)
        if isEnd { old.removeLast(old.count - end) }
        content = .file(old)
    }
}

// MARK: - After a loss of power

extension Disk {
    /// What may be on the disk when power is lost after some changes.
    ///
    /// - Parameters:
    ///   - changes: What was done until then.
    ///   - keeps: How many of a folder's changes, or of a file's, that weren't flushed reach the disk, of how many.
    ///   - tears: How much of a file's last change that does reaches it, of how many bytes.
    /// - Returns: The disk.
    func afterLoss(_ changes: [Change], keeps: (Number, Int) -> Int, tears: (Int) -> Int) -> Disk {
        let isForced = Self.forced(changes)
        var kept = Self.kept(changes, isForced, keeps)
        // What depends on a change of another folder goes with it.
        var isMissing: Set<Number> = []
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            isMissing = []
            for (index, change) in changes.enumerated() where !change.folders.isEmpty {
                if !kept[index] || change.folders.contains(where: isMissing.contains) && !isForced[index] {
                    isMissing.formUnion(change.folders)
                    if kept[index] { (kept[index], hasChanged) = (false, true) }
                }
            }
        }
        var disk = self
        // A file exists on the disk once anything leads to it.
        for case .made(_, _, let file, let isFolder, let mode) in changes {
            disk.files[file] = File(content: isFolder ? .folder([:]) : .file([]), mode: mode)
        }
        let last = Dictionary(
            changes.indices.filter { kept[$0] }.compactMap { index in changes[index].file.map { ($0, index) } }
        ) { $1 }
        for (index, change) in changes.enumerated() where kept[index] {
            switch change {
            case .made(let folder, let name, let file, _, _): disk.apply(.linked(folder, name: name, file))
            case .written(let file, let place, let bytes) where last[file] == index && !isForced[index]:
                disk.apply(.written(file, at: place, Array(bytes.prefix(tears(bytes.count)))))
            default: disk.apply(change)
            }
        }
        return disk
    }

    /// Which changes are on the disk for certain, since they, or later ones of the same folder, were flushed.
    private static func forced(_ changes: [Change]) -> [Bool] {
        var isForced = [Bool](repeating: false, count: changes.count)
        var flushed: Set<Number> = []
        for (index, change) in changes.enumerated().reversed() {
            if case .flushed(let number) = change { flushed.insert(number) }
            let numbers = change.folders + (change.file.map { [$0] } ?? [])
            guard numbers.contains(where: flushed.contains) else { continue }
            isForced[index] = true
            // What comes before it in its folders is on the disk too.
            flushed.formUnion(change.folders)
        }
        return isForced
    }

    private static func kept(_ changes: [Change], _ isForced: [Bool], _ keeps: (Number, Int) -> Int) -> [Bool] {
        var open: [Number: [Int]] = [:]
        for (index, change) in changes.enumerated() where !isForced[index] {
            for number in change.folders + (change.file.map { [$0] } ?? []) { open[number, default: []].append(index) }
        }
        var kept = changes.map { !$0.folders.isEmpty || $0.file != nil }
        for (number, indices) in open.sorted(by: { $0.key < $1.key }) {
            for index in indices.dropFirst(keeps(number, indices.count)) { kept[index] = false }
        }
        return kept
    }
}
