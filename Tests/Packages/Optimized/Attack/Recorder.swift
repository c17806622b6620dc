import Calls
import Glibc

/// Records what a step does to the disk.
final class Recorder {
    /// Everything runs on one thread.
    nonisolated(unsafe) static let shared = Recorder()

    private(set) var changes: [Disk.Change] = []
    private var existed = false

    /// The disk as it is, all of it flushed.
    static func disk(at root: String) -> Disk {
        var disk = Disk()
        func add(_ path: String, _ node: Tree.Node?) -> Disk.Number {
            let (number, mode) = number(at: path)
            switch node {
            case .file(let bytes, let mode): disk.files[number] = Disk.File(content: .file(bytes), mode: mode)
            case .link, .pipe: disk.files[number] = node.map { Disk.File(content: .other($0), mode: 0) }
            case .folder, nil: disk.files[number] = Disk.File(content: .folder([:]), mode: mode)
            }
            return number
        }
        disk.root = add(root, nil)
        for (path, node) in Tree(at: root).nodes.sorted(by: { $0.key < $1.key }) {
            let place = root + "/" + Tree.place(path)
            let file = add(place, node)
            disk.files[number(at: folder(of: place)).number]?.names[
                path.split(separator: "/").last.map(String.init) ?? ""
            ] = file
        }
        return disk
    }

    /// Begins to record what happens below a folder.
    func start(_ root: String) {
        changes = []
        calls_observe(observe)
        calls_start(root)
    }

    func stop() {
        calls_stop()
        calls_observe(nil)
    }

    fileprivate func hear(_ call: call) {
        calls_pause(1)
        defer { calls_pause(0) }
        let path = call.path.map { String(cString: $0) } ?? ""
        guard call.is_done != 0 else {
            var status = stat()
            existed = lstat(path, &status) == 0
            return
        }
        let (folder, name) = (Self.folder(of: path), Self.name(of: path))
        switch call.kind {
        case call_open:
            let (number, mode) = Self.number(of: call.file)
            if call.flags & O_CREAT != 0, !existed {
                changes.append(.made(Self.number(at: folder).number, name: name, number, isFolder: false, mode: mode))
            } else if call.flags & O_TRUNC != 0 {
                changes.append(.truncated(number, length: 0))
            }
        case call_write:
            let bytes = [UInt8](UnsafeRawBufferPointer(start: call.bytes, count: call.length))
            let end = Int(lseek(call.file, 0, SEEK_CUR))
            changes.append(.written(Self.number(of: call.file).number, at: end - bytes.count, bytes))
        case call_mkdir:
            let (number, mode) = Self.number(at: path)
            changes.append(.made(Self.number(at: folder).number, name: name, number, isFolder: true, mode: mode))
        case call_link, call_rename:
            let to = call.to.map { String(cString: $0) } ?? ""
            let (place, file) = (Self.number(at: Self.folder(of: to)).number, Self.number(at: to).number)
            if call.kind == call_link {
                changes.append(.linked(place, name: Self.name(of: to), file))
            } else {
                let from = Self.number(at: folder).number
                changes.append(.renamed(from, name: name, to: place, newName: Self.name(of: to), file))
            }
        case call_unlink, call_rmdir: changes.append(.unlinked(Self.number(at: folder).number, name: name))
        case call_chmod:
            let (number, mode) = path.isEmpty ? Self.number(of: call.file) : Self.number(at: path)
            changes.append(.permitted(number, mode: mode))
        case call_truncate: changes.append(.truncated(Self.number(of: call.file).number, length: call.length))
        case call_flush: changes.append(.flushed(Self.number(of: call.file).number))
        default: break
        }
    }

    // MARK: Numbers

    private static func number(at path: String) -> (number: Disk.Number, mode: mode_t) {
        var status = stat()
        lstat(path, &status)
        return (status.st_ino, status.st_mode & 0o7777)
    }

    private static func number(of file: Int32) -> (number: Disk.Number, mode: mode_t) {
        var status = stat()
        fstat(file, &status)
        return (status.st_ino, status.st_mode & 0o7777)
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
}

private func observe(_ call: UnsafePointer<call>) { Recorder.shared.hear(call.pointee) }
