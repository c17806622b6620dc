/// An app's icon as a page holds it: a `data:` address.
struct PageIcon {
    /// The largest file that is taken. A page is to be quick, and 256 pixels a side are enough for the sharpest screen.
    static let maximumSize = 256 << 10

    let address: String

    /// Reads an icon.
    ///
    /// - Parameter stream: The file. Its first bytes say what it is, whatever its name is.
    /// - Throws: An error that says why a page cannot hold it.
    init(_ stream: ByteStream) throws(ToolError) {
        func refused(_ problem: String) -> ToolError {
            .badData("--icon \(ToolError.quoted(stream.name)): \(problem)")
        }
        guard let file = try stream.readAll(atMost: Self.maximumSize) else {
            let size = stream.size.map { "it has \($0) bytes" } ?? "it is too large"
            throw refused("\(size), and a page takes at most \(Self.maximumSize); 256 pixels a side are enough")
        }
        guard !file.isEmpty else { throw refused("it is empty") }
        guard let kind = Self.kind(of: file) else { throw refused("it is no PNG, JPEG, WebP or SVG") }
        address = "data:\(kind);base64,\(Base64.encode(file))"
    }

    private static func kind(of file: [UInt8]) -> String? {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        return isSVG(file) ? "image/svg+xml" : nil
    }

    /// Whether its first element is `svg`. As an image it runs no script and loads nothing.
    private static func isSVG(_ file: [UInt8]) -> Bool {
        guard let text = file.withUnsafeBufferPointer(\.text) else { return false }
        var rest = text.unicodeScalars[...]
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        while true {
            rest = rest.drop { $0 == " " || "\t"..."\r" ~= $0 }
            if rest.starts(with: "<svg".unicodeScalars) {
                return rest.dropFirst(4).first.map { " \t\r\n>/".unicodeScalars.contains($0) } ?? false
            }
            // An XML declaration, comments and a document type may stand in front of it.
            let prologue = [("<?", "?>"), ("<!--", "-->"), ("<!DOCTYPE", ">")]
            guard let (_, end) = prologue.first(where: { rest.starts(with: $0.0.unicodeScalars) }) else { return false }
            while !rest.isEmpty, !rest.starts(with: end.unicodeScalars) { rest.removeFirst() }
            rest = rest.dropFirst(end.unicodeScalars.count)
        }
    }
}
