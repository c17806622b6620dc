import Glibc

/// Everything below a folder: names, kinds, permissions, contents, and where symbolic links lead.
struct Tree: Hashable {
    enum Node: Hashable {
        case file([UInt8], mode: mode_t)
        case folder(mode: mode_t)
        case link(String)
        case pipe
    }

    /// By their paths below the folder.
    var nodes: [String: Node] = [:]
    /// For each further name of a file its first name.
    private(set) var links: [String: String] = [:]

    /// Reads what is in a folder.
    init(at root: String) {
        let folder = open(root, O_RDONLY | O_DIRECTORY)
        var files: [ino_t: [String]] = [:]
        if folder >= 0 { read(folder, "", &files) }
        link(files.values)
    }

    init() {}

    /// Notes which names belong to one file.
    mutating func link(_ files: some Sequence<[String]>) {
        for names in files {
            let sorted = names.sorted()
            for name in sorted.dropFirst() { links[name] = sorted[0] }
        }
    }

    /// Reads a folder, and closes it.
    private mutating func read(_ descriptor: Int32, _ prefix: String, _ files: inout [ino_t: [String]]) {
        guard let folder = fdopendir(descriptor) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: UInt8.self, capacity: 256) { name in
                    name[0] == 0x2E && (name[1] == 0 || name[1] == 0x2E && name[2] == 0)
                        ? nil : Self.key(UnsafeBufferPointer(start: name, count: strlen(name)))
                }
            }
            guard let name else { continue }
            let path = prefix + name
            let (node, file) = Self.node(in: descriptor, Self.place(name))
            nodes[path] = node
            if let file { files[file, default: []].append(path) }
            guard case .folder = node else { continue }
            let inner = openat(descriptor, Self.place(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            if inner >= 0 { read(inner, path + "/", &files) }
        }
    }

    /// What a name stands for, and the number of the file if it has other names too.
    private static func node(in folder: Int32, _ name: String) -> (Node?, ino_t?) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return (nil, nil) }
        let mode = status.st_mode & 0o7777
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let file = openat(folder, name, O_RDONLY | O_NOFOLLOW)
            guard file >= 0 else { return (nil, nil) }
            defer { close(file) }
            let length = Int(status.st_size)
            let bytes = [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
                count = max(0, Glibc.read(file, bytes.baseAddress, length))
            }
            return (.file(bytes, mode: mode), status.st_nlink > 1 ? status.st_ino : nil)
        case S_IFDIR: return (.folder(mode: mode), nil)
        case S_IFLNK:
            var target = [CChar](repeating: 0, count: 4096)
            let length = readlinkat(folder, name, &target, target.count)
            let bytes = target.prefix(max(0, length)).map(UInt8.init(bitPattern:))
            return (.link(String(decoding: bytes, as: UTF8.self)), nil)
        default: return (.pipe, nil)
        }
    }

    /// A name as a key. Two names that Swift takes for equal may be two files.
    static func key(_ name: some Collection<UInt8>) -> String {
        if name.allSatisfy({ $0 < 0x80 && $0 != 0x25 }) { return String(decoding: name, as: UTF8.self) }
        var key = ""
        for byte in name {
            if byte < 0x80, byte != 0x25 {
                key.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                key += "%" + String(byte, radix: 16)
            }
        }
        return key
    }

    /// The path that a key stands for.
    static func place(_ key: String) -> String {
        guard key.utf8.contains(0x25) else { return key }
        let parts = key.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array(parts[0].utf8)
        for part in parts.dropFirst() {
            bytes.append(UInt8(part.prefix(2), radix: 16) ?? 0)
            bytes += part.dropFirst(2).utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is below a folder, with paths below that folder.
    func below(_ folder: String) -> Tree {
        var tree = Tree()
        for (path, node) in nodes where path.hasPrefix(folder + "/") {
            tree.nodes[String(path.dropFirst(folder.utf8.count + 1))] = node
        }
        return tree
    }

    /// The contents of a file; `nil` if there isn't one.
    func file(_ path: String) -> [UInt8]? { if case .file(let bytes, _) = nodes[path] { bytes } else { nil } }

    func isFolder(_ path: String) -> Bool { if case .folder = nodes[path] { true } else { false } }

    /// The paths whose nodes differ.
    func changes(to other: Tree) -> [String] {
        var changes: [String] = []
        for (path, node) in nodes where other.nodes[path] != node { changes.append(path) }
        for path in other.nodes.keys where nodes[path] == nil { changes.append(path) }
        return changes.sorted()
    }
}

// MARK: - Writing

extension Tree {
    /// Makes a folder hold this, and nothing else.
    ///
    /// - Parameters:
    ///   - root: The folder.
    ///   - found: What it holds now.
    func write(to root: String, insteadOf found: Tree) {
        var changes = Set(found.changes(to: self))
        for path in nodes.keys where found.nodes[path] != nil {
            if links[path] != found.links[path] || links[path].map(changes.contains) ?? false { changes.insert(path) }
        }
        // What is in a folder goes before the folder, and comes after it.
        for path in changes.sorted(by: >) where found.nodes[path] != nil {
            if case .folder = found.nodes[path], case .folder = nodes[path] { continue }
            let place = Self.place(root + "/" + path)
            if case .folder = found.nodes[path] { rmdir(place) } else { unlink(place) }
        }
        for path in changes.sorted() {
            guard let node = nodes[path] else { continue }
            let place = Self.place(root + "/" + path)
            if let first = links[path], nodes[first] == node {
                Glibc.link(Self.place(root + "/" + first), place)
            } else {
                Self.write(node, to: place)
            }
        }
    }

    static func write(_ node: Node, to place: String) {
        switch node {
        case .file(let bytes, let mode):
            let file = open(place, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
            precondition(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count, place)
            fchmod(file, mode)
            // A file that is loaded again keeps its time, by which an installation recognizes it.
            futimens(file, [timespec(), timespec()])
            close(file)
        case .folder(let mode):
            mkdir(place, 0o700)
            chmod(place, mode)
        case .link(let target): symlink(target, place)
        case .pipe: mkfifo(place, 0o600)
        }
    }
}

extension [UInt8] {
    init(_ text: String) { self.init(text.utf8) }

    var text: String { String(decoding: self, as: UTF8.self) }
}
