import ReferralFoundation

extension ByteStream {
    /// Replaces a file atomically: it writes a temporary file beside it and renames that, so an error leaves the old
    /// file unchanged.
    ///
    /// The file keeps its permissions and its owner, and a symbolic link to it stays a link. A file that can't be replaced is
    /// overwritten: a device, a pipe, a file that the caller has open, such as `/dev/stdout`, and a file in a folder that
    /// allows no new files. The file must not be one of the other streams.
    static func replaceFile(_ path: String, with content: String, otherThan others: [ByteStream]) throws(ToolError) {
        var old = stat()
        let isNew = lstat(path, &old) != 0 && errno == ENOENT
        if isNew {
            if try Replacement(of: path, as: nil, name: path)?.install(content) == true { return }
        } else if stat(path, &old) == 0, old.isKind(S_IFREG) {
            // Without permission to write, the file isn't replaced either.
            let file = try ByteStream(writing: path, otherThan: others)
            defer { file.close() }
            if !file.isInherited, let target = realpath(path, nil) {
                defer { free(target) }
                let replacement = try Replacement(of: String(cString: target), as: old, name: path)
                if try replacement?.install(content) == true { return }
            }
        }
        let stream = try ByteStream(writing: path, otherThan: others)
        defer { stream.close() }
        stream.empty()
        try stream.write(content)
    }

    /// Whether the caller has the file open. Shell scripts use descriptors up to 9, and shells themselves up to 255.
    private var isInherited: Bool {
        (0...255).contains { $0 != descriptor && isSameFile(as: ByteStream(descriptor: $0, name: "")) }
    }
}

/// A temporary file that replaces another one.
private struct Replacement {
    private let path: String
    private let temporaryPath: String
    private let stream: ByteStream

    /// Creates the temporary file, with the old file's permissions and owner if there is one. Returns `nil` if that isn't
    /// permitted, and throws if there is no space. The name is that of the file in errors.
    init?(of path: String, as old: stat?, name: String) throws(ToolError) {
        let folder = path.utf8.lastIndex(of: ASCII.slash).map { String(path[...$0]) } ?? ""
        self.path = path
        temporaryPath = "\(folder).referral-tool-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
        stream = ByteStream(
            descriptor: open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666),
            name: name
        )
        guard stream.descriptor >= 0 else {
            guard errno == ENOSPC || errno == EDQUOT else { return nil }
            throw .inputOutput("can't write \(quoted: name): \(reason: ByteStream.reason)")
        }
        if let old, !copyPermissions(of: old) {
            remove()
            return nil
        }
    }

    private func copyPermissions(of old: stat) -> Bool {
        var new = stat()
        guard fstat(stream.descriptor, &new) == 0 else { return false }
        if new.st_uid != old.st_uid || new.st_gid != old.st_gid {
            guard fchown(stream.descriptor, old.st_uid, old.st_gid) == 0 else { return false }
        }
        return fchmod(stream.descriptor, mode_t(old.st_mode) & 0o7777) == 0
    }

    /// Writes the content and renames the file; `false`, without effect, if that isn't permitted.
    func install(_ content: String) throws(ToolError) -> Bool {
        do throws(ToolError) {
            try stream.write(content)
            try stream.flush()
        } catch {
            remove()
            throw error
        }
        guard rename(temporaryPath, path) == 0 else {
            remove()
            return false
        }
        stream.close()
        return true
    }

    private func remove() {
        unlink(temporaryPath)
        stream.close()
    }
}
