#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension ByteStream {
    /// Writes a file whole, in place of the one that is there: under another name beside it first, so that a failure leaves
    /// the old file as it was.
    ///
    /// The file keeps its permissions and its owner, and a symbolic link to it stays one. What can't be replaced is written
    /// to as it is: a device, a pipe, a file that the caller has open, such as `/dev/stdout`, and a file in a folder in which
    /// no other may be made.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - content: What is to be in it.
    ///   - others: Streams that are open already and must not be the same file.
    /// - Throws: What kept it from being written.
    static func replaceFile(_ path: String, with content: String, apartFrom others: [ByteStream]) throws(ToolError) {
        var old = stat()
        let isNew = lstat(path, &old) != 0 && errno == ENOENT
        if isNew {
            if try Replacement(of: path, as: nil, name: path)?.install(content) == true { return }
        } else if stat(path, &old) == 0, mode_t(old.st_mode) & S_IFMT == S_IFREG {
            // A file that may not be written to must not be replaced either.
            let file = try ByteStream(writing: path, apartFrom: others)
            defer { file.close() }
            if !file.isInherited, let target = realpath(path, nil) {
                defer { free(target) }
                let replacement = try Replacement(of: String(cString: target), as: old, name: path)
                if try replacement?.install(content) == true { return }
            }
        }
        let stream = try ByteStream(writing: path, apartFrom: others)
        defer { stream.close() }
        stream.empty()
        try stream.write(content)
    }

    /// Whether the process was started with the file open. A shell can name the descriptors up to 9, and its own end at 255.
    private var isInherited: Bool {
        (0...255).contains { $0 != descriptor && isSameFile(as: ByteStream(descriptor: $0, name: "")) }
    }
}

/// A new file beside the one that it is to replace.
private struct Replacement {
    private let path: String
    private let temporaryPath: String
    private let stream: ByteStream

    /// Makes the file; `nil` where none may be made there, or none with the old one's owner.
    ///
    /// - Parameters:
    ///   - path: What it is to replace.
    ///   - old: Whose permissions and owner it gets; `nil` where there is nothing to replace.
    ///   - name: What a person calls the file.
    /// - Throws: An error where there is no room left.
    init?(of path: String, as old: stat?, name: String) throws(ToolError) {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        self.path = path
        temporaryPath = "\(folder).referral-tool-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
        stream = ByteStream(
            descriptor: open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666),
            name: name
        )
        guard stream.descriptor >= 0 else {
            guard errno == ENOSPC || errno == EDQUOT else { return nil }
            throw ToolError(
                status: .inputOutput,
                message: "cannot write \(ToolError.quoted(name)): \(ByteStream.reason)"
            )
        }
        if let old, !takeOver(old) {
            remove()
            return nil
        }
    }

    private func takeOver(_ old: stat) -> Bool {
        var new = stat()
        guard fstat(stream.descriptor, &new) == 0 else { return false }
        if new.st_uid != old.st_uid || new.st_gid != old.st_gid {
            guard fchown(stream.descriptor, old.st_uid, old.st_gid) == 0 else { return false }
        }
        return fchmod(stream.descriptor, mode_t(old.st_mode) & 0o7777) == 0
    }

    /// Writes the content and puts the file in its place; `false`, and nothing done, where that isn't allowed.
    func install(_ content: String) throws(ToolError) -> Bool {
        do throws(ToolError) {
            try stream.write(content)
            // Some systems say only now that there was no room.
            guard fsync(stream.descriptor) == 0 || ![EIO, ENOSPC, EDQUOT].contains(errno) else {
                throw ToolError(
                    status: .inputOutput,
                    message: "cannot write to \(stream.name): \(ByteStream.reason)"
                )
            }
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
