import ReferralFoundation
import ReferralSiteCheck

/// The folder with the files of a catalog's items: `--files`.
struct ItemFileFolder {
    let name: String
    private let boundary: SiteBoundary

    init(_ path: String) throws(ToolError) {
        (name, boundary) = (path, SiteBoundary([path]))
        // It contains itself.
        guard boundary.contains(path) else {
            throw ToolError(status: .noInput, message: "can't read \(quoted: path): it is not a folder")
        }
    }

    /// The length of an item's file and its SHA-256. It is in the folder with the item's name, or else at its path. No name and
    /// no link leads out of the folder.
    func contents(of path: String, in item: String) throws(ToolError) -> (length: Int, digest: String) {
        var problem: Sentence = "isn't in \(whole: name)"
        for candidate in ["\(name)/\(item)/\(path)", "\(name)/\(path)"] where !candidate.utf8.contains(0) {
            // A pipe would block.
            let stream = ByteStream(descriptor: open(candidate, O_RDONLY | O_CLOEXEC | O_NONBLOCK), name: path)
            guard stream.descriptor >= 0 else {
                if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { continue }
                problem = "can't be read: \(reason: ByteStream.reason)"
                break
            }
            defer { stream.close() }
            guard boundary.contains(candidate) else {
                problem = "is outside of \(whole: name)"
                continue
            }
            if stream.size != nil { return try Self.contents(of: stream) }
            problem = "isn't a regular file in \(whole: name)"
            break
        }
        throw .badData("The file \(quoted: path) \(problem).")
    }

    private static func contents(of stream: ByteStream) throws(ToolError) -> (length: Int, digest: String) {
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 << 10)
        defer { room.deallocate() }
        var (length, hash) = (0, SHA256())
        while case let count = try stream.read(into: room[...]), count > 0 {
            length += count
            hash.update(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: room[..<count])))
        }
        return (length, hash.finish().hexadecimal)
    }
}
