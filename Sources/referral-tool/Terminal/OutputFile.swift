import ReferralFoundation

/// A file that a run writes, or standard output, whose path is `-`. ``RunFiles`` makes it.
struct OutputFile {
    let path: String

    /// Opens or creates the file, for rows that are written as they come. It keeps its content until ``ByteStream/empty()``.
    func open() throws(ToolError) -> ByteStream {
        path == "-" ? .output : try open(O_CREAT)
    }

    /// Writes the whole content. An error leaves the old content.
    ///
    /// A new file replaces the old one in one step. It keeps its permissions and its owner, and a symbolic link to it stays a link.
    /// Anything else is written where it is: a device, a pipe, a file that the caller has open, such as `/dev/stdout`, and a file in a
    /// folder that allows no new files.
    func write(_ content: String) throws(ToolError) {
        guard path != "-" else { return try ByteStream.output.write(content) }
        var old = stat()
        // What doesn't exist may be a link without a file.
        if lstat(path, &old) != 0, try TemporaryFile.install(content, as: path, named: path) { return }
        // Without permission to write, a file isn't replaced either.
        let exists = stat(path, &old) == 0
        let stream = try open(exists ? 0 : O_CREAT)
        defer { stream.close() }
        if exists, old.isKind(S_IFREG), !path.hasPrefix("/dev/"), let target = realpath(path, nil) {
            defer { free(target) }
            if try TemporaryFile.install(content, as: String(cString: target), like: old, named: path) { return }
        }
        try content.withUTF8Bytes { bytes throws(ToolError) in try stream.overwrite(bytes) }
    }

    /// The folder of a path, with a slash at its end, and the name in it.
    static func place(of path: String) -> (folder: String, name: Substring) {
        let name = path.utf8.lastIndex(of: ASCII.slash).map { path[$0...].dropFirst() } ?? path[...]
        return (name.startIndex > path.startIndex ? String(path[..<name.startIndex]) : "./", name)
    }

    private func open(_ flags: Int32) throws(ToolError) -> ByteStream {
        let stream = ByteStream(descriptor: systemOpen(path, O_WRONLY | O_CLOEXEC | flags, 0o666), name: path)
        guard stream.descriptor >= 0 else {
            throw .inputOutput("can't write \(quoted: path): \(reason: ByteStream.reason)")
        }
        return stream
    }
}

private extension ByteStream {
    /// Replaces the content of an open file. What is longer than the old content comes first: it alone needs room on the disk, and
    /// if there is none, the old content is still there.
    func overwrite(_ bytes: Bytes) throws(ToolError) {
        guard let size else { return try write(bytes) }
        if bytes.count > size {
            lseek(descriptor, off_t(size), SEEK_SET)
            do throws(ToolError) {
                try write(bytes.part(size..<bytes.count))
                try flush()
            } catch {
                ftruncate(descriptor, off_t(size))
                throw error
            }
        }
        lseek(descriptor, 0, SEEK_SET)
        try write(bytes.part(0..<min(size, bytes.count)))
        ftruncate(descriptor, off_t(bytes.count))
    }
}

/// A complete file under a temporary name, which then gets its own name, so that nobody sees a part of it.
struct TemporaryFile {
    private let path: String
    private let stream: ByteStream

    /// Writes a new file, or one that replaces another one and gets its permissions and its owner. Its path has no symbolic link.
    ///
    /// Returns `false`, without effect, if that isn't permitted.
    static func install(_ content: String, as path: String, like old: stat? = nil, named name: String) throws(ToolError)
        -> Bool
    {
        try withoutSignals { () throws(ToolError) in
            guard let file = TemporaryFile(beside: path, named: name, mode: 0o666) else {
                guard errno == ENOSPC || errno == EDQUOT else { return false }
                throw .inputOutput("can't write \(quoted: name): \(reason: ByteStream.reason)")
            }
            defer { file.remove() }
            if let old, !file.copyPermissions(of: old) { return false }
            try file.write(content)
            return rename(file.path, path) == 0
        }
    }

    /// Writes a file that only its owner may read. It must not exist, not even as a link.
    static func create(_ path: String, with text: String) throws(ToolError) {
        try withoutSignals { () throws(ToolError) in
            let file = TemporaryFile(beside: path, named: path, mode: 0o600)
            defer { file?.remove() }
            try file?.write(text)
            // The process's mask may have removed too many permissions.
            if let file, fchmod(file.stream.descriptor, 0o600) == 0, link(file.path, path) == 0 { return }
            let problem: Sentence =
                errno == EEXIST ? "it already exists; name another file" : "\(reason: ByteStream.reason)"
            throw .inputOutput("can't create \(quoted: path): \(problem)")
        }
    }

    private func write(_ content: String) throws(ToolError) {
        try stream.write(content)
        try stream.flush()
    }

    private init?(beside path: String, named name: String, mode: mode_t) {
        let number = String(UInt64.random(in: 0...(.max)), radix: 36)
        self.path = OutputFile.place(of: path).folder + ".referral-tool-" + number
        stream = ByteStream(
            descriptor: systemOpen(self.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode),
            name: name
        )
        guard stream.descriptor >= 0 else { return nil }
    }

    private func copyPermissions(of old: stat) -> Bool {
        var new = stat()
        guard fstat(stream.descriptor, &new) == 0 else { return false }
        if new.st_uid != old.st_uid || new.st_gid != old.st_gid {
            guard fchown(stream.descriptor, old.st_uid, old.st_gid) == 0 else { return false }
        }
        return fchmod(stream.descriptor, mode_t(old.st_mode) & 0o7777) == 0
    }

    /// Removes the temporary name, if the file still has it.
    private func remove() {
        unlink(path)
        stream.close()
    }

    /// Signals that end the process wait until no temporary name is left. All content is in memory, so that isn't long.
    private static func withoutSignals<Result>(_ work: () throws(ToolError) -> Result) throws(ToolError) -> Result {
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try work()
    }
}

// Inside the types, this name is a method.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

/// The files that a run reads and writes. Each of them has one use: an output that is another output or an input would lose what is in
/// it, and an input that is named twice would count twice.
///
/// ```swift
/// let files = RunFiles()
/// try files.read(input)
/// let page = try files.output("page.html")
/// let table = try files.output("-")
/// try page.write(html)
/// ```
final class RunFiles {
    /// What two names of one file have in common.
    private enum Identity: Hashable {
        case standardOutput
        case file(device: UInt64, number: UInt64)
        /// A file that doesn't exist yet, by its folder.
        case new(device: UInt64, in: UInt64, name: [UInt8])
    }

    private var names: [Identity: String] = [:]

    /// Adds an open file that the run reads.
    func read(_ stream: ByteStream) throws(ToolError) { try add(Self.identity(stream.status), stream.name) }

    /// Opens a file that the run reads, or standard input, `-`.
    func input(_ path: String) throws(ToolError) -> ByteStream {
        let stream = path == "-" ? ByteStream.input : try ByteStream(reading: path)
        try read(stream)
        return stream
    }

    /// Adds a file that the run writes, or standard output, `-`. Nothing is created or changed yet.
    func output(_ path: String) throws(ToolError) -> OutputFile {
        var status = stat()
        if path == "-" {
            try add(.standardOutput, ByteStream.output.name)
            try add(Self.identity(ByteStream.output.status), ByteStream.output.name)
        } else if stat(path, &status) == 0 {
            try add(Self.identity(status), path)
        } else {
            // A link without a file leads to the place of that.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            let place = target.map { URL(filePath: $0, relativeTo: URL(filePath: path)).path } ?? path
            let (folder, name) = OutputFile.place(of: place)
            if stat(folder, &status) == 0 {
                try add(.new(device: UInt64(status.st_dev), in: UInt64(status.st_ino), name: Array(name.utf8)), path)
            }
        }
        return OutputFile(path: path)
    }

    private func add(_ identity: Identity?, _ name: String) throws(ToolError) {
        guard let identity, let other = names.updateValue(name, forKey: identity) else { return }
        let both: Sentence =
            identity == .standardOutput ? "standard output has another output" : "\(quoted: name) is \(whole: other)"
        throw .usage("\(both) too; name another file")
    }

    /// Only a regular file loses its content. A pipe, a device and a terminal have no identity.
    private static func identity(_ status: stat?) -> Identity? {
        guard let status, status.isKind(S_IFREG) else { return nil }
        return .file(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
