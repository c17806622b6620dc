import ReferralFoundation

/// The folder with the files of a catalog's items: `--files`.
final class ItemFileFolder {
    /// The length of a file, and its SHA-256 in hexadecimal digits.
    typealias Contents = (length: Int, digest: String)

    /// A sentence about a file that can't be read.
    struct Problem: Error {
        let message: Sentence
    }

    let name: String
    /// The path without links, with a slash at its end.
    private let root: String
    /// The files whose digests are known, since several items may have the same file.
    private var known: [String: Contents] = [:]

    init(_ path: String) throws(ToolError) {
        var status = stat()
        guard stat(path, &status) == 0, let root = Self.resolved(path) else {
            throw ToolError(status: .noInput, message: "can't read \(quoted: path): \(reason: ByteStream.reason)")
        }
        guard status.isKind(S_IFDIR) else {
            throw ToolError(status: .noInput, message: "can't read \(quoted: path): it is not a folder")
        }
        name = path
        self.root = root == "/" ? root : root + "/"
    }

    /// Reads an item's file: in the folder with the item's name, or else at its path. No name and no link leads out of the folder.
    func contents(of path: String, in item: String) throws(Problem) -> Contents {
        let leadsUp = item.utf8.split(separator: ASCII.slash).contains { $0.elementsEqual("..".utf8) }
        for candidate in [leadsUp ? path : "\(item)/\(path)", path] where !candidate.utf8.contains(0) {
            if let file = Self.resolved(root + candidate) {
                guard file.utf8.starts(with: root.utf8) else { throw problem(path, "is outside of \(whole: name)") }
                return try contents(of: file, named: path)
            }
            guard [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) else {
                throw problem(path, "can't be read: \(reason: ByteStream.reason)")
            }
        }
        throw problem(path, "isn't in \(whole: name)")
    }

    private func contents(of file: String, named path: String) throws(Problem) -> Contents {
        if let known = known[file] { return known }
        // If something else takes the file's place, a link would lead elsewhere, and a pipe would block.
        let stream = ByteStream(descriptor: open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), name: path)
        guard stream.descriptor >= 0 else { throw problem(path, "can't be read: \(reason: ByteStream.reason)") }
        defer { stream.close() }
        guard stream.size != nil else { throw problem(path, "isn't a regular file in \(whole: name)") }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { room.deallocate() }
        var (length, hash) = (0, SHA256())
        do throws(ToolError) {
            while case let count = try stream.read(into: room), count > 0 {
                length += count
                hash.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        } catch {
            throw Problem(message: error.message ?? "")
        }
        let contents = (length, hash.finish().hexadecimal)
        known[file] = contents
        return contents
    }

    private func problem(_ path: String, _ problem: Sentence) -> Problem {
        Problem(message: "The file \(quoted: path) \(problem).")
    }

    /// The path without links; `nil` if there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
