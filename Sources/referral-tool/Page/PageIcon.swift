import SiteCheck

/// An app's icon as a `data:` address.
enum PageIcon {
    /// The largest file. 256 pixels a side are enough for any screen.
    static let maximumSize = 256 << 10

    /// Reads an icon. Its first bytes determine its type.
    static func address(of stream: ByteStream) throws(ToolError) -> String {
        func rejected(_ problem: String) -> ToolError {
            .badData("--icon \(stream.name.quoted): \(problem)")
        }
        guard let file = try stream.readAll(atMost: maximumSize) else {
            let size = stream.size.map { "it has \($0) bytes" } ?? "it is too large"
            throw rejected("\(size), and a page takes at most \(maximumSize); 256 pixels a side are enough")
        }
        guard !file.isEmpty else { throw rejected("it is empty") }
        guard let kind = kind(of: file) else { throw rejected(SVGReader.Problem.notSVG.reason) }
        if kind == svg { do { try SVGReader.check(file) } catch { throw rejected(error.reason) } }
        return "data:\(kind);base64,\(file.base64)"
    }

    private static func kind(of file: [UInt8]) -> String? {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        // Any other text may be an SVG.
        return file.withUnsafeBufferPointer(\.isUTF8) ? svg : nil
    }

    private static let svg = "image/svg+xml"
}
