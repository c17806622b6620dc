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
        guard let kind = Self.kind(of: file) else { throw refused(Self.noImage) }
        if kind == Self.svg {
            do throws(SVGReader.Problem) {
                try SVGReader.check(file)
            } catch {
                switch error {
                case .notSVG: throw refused(Self.noImage)
                case .refused(let problem): throw refused(problem)
                }
            }
        }
        address = "data:\(kind);base64,\(Base64.encode(file))"
    }

    private static func kind(of file: [UInt8]) -> String? {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        // Whatever else is text may be an SVG.
        return file.withUnsafeBufferPointer(\.text) == nil ? nil : svg
    }

    private static let svg = "image/svg+xml"
    private static let noImage = "it is no PNG, JPEG, WebP or SVG"
}
