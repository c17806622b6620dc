/// A file with an app's icon. `web/builder/icon-file.js` has the same rules.
///
/// Only its type is checked. The page shows an icon as an image, in which no script runs and nothing is loaded.
struct IconFile {
    /// The maximum number of bytes. 256 by 256 pixels are enough for any screen.
    private static let maximumSize = 256 << 10

    /// The icon as a `data:` address.
    let address: String

    /// The part of a bitmap that the page doesn't show; `nil` if it is square.
    let note: Sentence?

    /// Reads an icon.
    init(_ stream: ByteStream) throws(ToolError) {
        guard let file = try stream.readAll(atMost: Self.maximumSize) else {
            let size: Sentence = stream.size.map { "it has \($0) bytes" } ?? "it is too large"
            throw Self.rejected(
                stream,
                "\(size), and an icon has at most \(Self.maximumSize); 256 by 256 pixels are enough"
            )
        }
        do throws(RowError) {
            address = "data:\(try Self.mediaType(of: file));base64,\(Base64.encode(file, .standard))"
        } catch {
            throw Self.rejected(stream, error.problem)
        }
        note = BitmapSize(of: file).flatMap { size in
            size.width == size.height
                ? nil
                : "--icon \(quoted: stream.name): it has \(size.width) by \(size.height) pixels, and the page shows only "
                    + "the square in its middle"
        }
    }

    private static func rejected(_ stream: ByteStream, _ problem: Sentence) -> ToolError {
        .badData("--icon \(quoted: stream.name): \(problem)")
    }

    /// The type, by the first bytes or by the root element.
    private static func mediaType(of file: [UInt8]) throws(RowError) -> String {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        if file.isEmpty { throw RowError("it is empty") }
        if file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF]) {
            throw RowError("it is in UTF-16; save it as UTF-8")
        }
        if file.starts(with: [0x1F, 0x8B]) { throw RowError("it is a compressed SVG; save it as plain SVG") }
        guard let root = SVGRoot(of: file) else { throw RowError("it is not a PNG, JPEG, WebP or SVG") }
        guard root.hasNamespace else {
            throw RowError(
                "a browser shows it only with a namespace; add xmlns=\"\(name: SVGRoot.namespace)\" to its <svg>"
            )
        }
        return "image/svg+xml"
    }
}
