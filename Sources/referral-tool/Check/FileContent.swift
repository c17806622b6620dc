import ReferralBridge

/// Reads a whole file that ought to be text.
enum FileContent {
    /// A page that a person wrote is a thousand times smaller.
    static let sizeAtMost = 32 << 20

    /// The bytes of a file in UTF-8, a byte order mark left out.
    static func text(of path: String) throws(ToolError) -> [UInt8] {
        guard FileKind.isReadable(path) else { throw ToolError(status: .noInput, message: ByteStream.reason) }
        let stream = try ByteStream(reading: path)
        defer { stream.close() }
        guard let bytes = try stream.readAll(atMost: sizeAtMost) else {
            throw .badData("it has more than 32 MB, which no page has")
        }
        return try checked(bytes)
    }

    private static func checked(_ bytes: [UInt8]) throws(ToolError) -> [UInt8] {
        let isUTF16 = [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(bytes.prefix(2)))
        let hasEmptyHalves =
            bytes.count >= 4 && (bytes[0] == 0) == (bytes[2] == 0) && (bytes[1] == 0) == (bytes[3] == 0)
            && (bytes[0] == 0) != (bytes[1] == 0)
        guard !isUTF16, !hasEmptyHalves else { throw .badData("it is UTF-16; save it as UTF-8") }
        guard bytes.withUnsafeBufferPointer({ $0.text }) != nil else {
            throw .badData("it is not UTF-8, first in line \(lineOfBadByte(bytes)); save it as UTF-8")
        }
        return bytes.starts(with: "\u{FEFF}".utf8) ? Array(bytes.dropFirst(3)) : bytes
    }

    private static func lineOfBadByte(_ bytes: [UInt8]) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while case .valid(let encoded) = parser.parseScalar(from: &rest) { offset += encoded.count }
        var places = Places(bytes)
        return places.place(of: offset).line
    }
}
