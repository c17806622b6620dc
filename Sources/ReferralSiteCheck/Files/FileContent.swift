import ReferralFoundation

/// Why a file or a folder can't be checked.
package struct SiteFailure: Error {
    package enum Kind {
        /// The file doesn't exist or can't be opened.
        case missing
        /// The file isn't a page.
        case notAPage
        /// Reading failed.
        case unreadable
    }

    package let path: String
    package let problem: Sentence
    package let kind: Kind

    package init(path: String, problem: Sentence, kind: Kind) {
        (self.path, self.problem, self.kind) = (path, problem, kind)
    }

    /// The reason why the previous system call failed.
    static var systemReason: Sentence { "\(reason: String(cString: strerror(errno)))" }
}

extension [UInt8] {
    /// The offset of the first byte that isn't UTF-8; `nil` if there is none.
    package var offsetOfInvalidUTF8: Int? {
        guard !withUnsafeBufferPointer(\.isUTF8) else { return nil }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = makeIterator()
        var offset = 0
        while case .valid(let encoded) = parser.parseScalar(from: &rest) { offset += encoded.count }
        return offset
    }

    /// Whether the bytes begin as text in UTF-16 does.
    package var areUTF16: Bool {
        let areNUL = prefix(4).map { $0 == 0 }
        return starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF])
            || areNUL == [true, false, true, false] || areNUL == [false, true, false, true]
    }

    var withoutByteOrderMark: [UInt8] { starts(with: "\u{FEFF}".utf8) ? Array(dropFirst(3)) : self }
}

/// Reads a text file.
enum FileContent {
    /// The largest file. A page written by hand is a thousand times smaller.
    static let maximumSize = 32 << 20

    /// The bytes of a file in UTF-8, without a byte order mark.
    static func text(_ bytes: [UInt8], of path: String) throws(SiteFailure) -> [UInt8] {
        guard !bytes.areUTF16 else {
            throw SiteFailure(path: path, problem: "the file is in UTF-16; save it as UTF-8", kind: .notAPage)
        }
        if let offset = bytes.offsetOfInvalidUTF8 {
            var positions = TextPositions(bytes)
            let line = positions.position(at: offset).line
            let problem: Sentence = "the file is not UTF-8, first in line \(line); save it as UTF-8"
            throw SiteFailure(path: path, problem: problem, kind: .notAPage)
        }
        return bytes.withoutByteOrderMark
    }

    /// The bytes of a file, or of standard input if the path is `-`.
    static func bytes(of path: String, atMost maximumSize: Int = maximumSize) throws(SiteFailure) -> [UInt8] {
        guard let file = path == "-" ? fdopen(dup(0), "r") : fopen(path, "r") else {
            throw SiteFailure(path: path, problem: SiteFailure.systemReason, kind: .missing)
        }
        defer { fclose(file) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            let count = fread(buffer.baseAddress, 1, buffer.count, file)
            bytes += buffer[..<count]
            guard ferror(file) == 0 else {
                throw SiteFailure(path: path, problem: SiteFailure.systemReason, kind: .unreadable)
            }
            guard bytes.count <= maximumSize else {
                let problem: Sentence = "the file is larger than \(maximumSize / 1_024) KiB"
                throw SiteFailure(path: path, problem: problem, kind: .notAPage)
            }
            if count < buffer.count { return bytes }
        }
    }
}
