import ReferralFoundation

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
