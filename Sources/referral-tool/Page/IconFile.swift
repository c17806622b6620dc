import ReferralSiteCheck

/// A file with an app's icon. `web/builder/icon-file.js` has the same rules.
///
/// Only its type is checked. The page shows an icon as an image, in which no script runs and nothing is loaded.
struct IconFile {
    /// The maximum number of bytes. 256 by 256 pixels are enough for any screen.
    private static let maximumSize = 256 << 10

    /// The icon as a `data:` address.
    let address: String

    /// Reads an icon.
    init(_ stream: ByteStream) throws(ToolError) {
        let file = try stream.readAll(atMost: Self.maximumSize)
        do throws(RowError) {
            guard let file else {
                let size: Sentence = stream.size.map { "it has \($0) bytes" } ?? "it is too large"
                throw RowError("\(size), and an icon has at most \(Self.maximumSize); 256 by 256 pixels are enough")
            }
            address = "data:\(try Self.mediaType(of: file));base64,\(Base64.encode(file, .standard))"
        } catch {
            throw .badData("--icon \(quoted: stream.name): \(error.problem)")
        }
    }

    /// The type, by the first bytes or by the first element.
    private static func mediaType(of file: [UInt8]) throws(RowError) -> String {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        let root = HTMLTokenizer.firstElement(ofXML: file)?.utf8.split(separator: ASCII.colon).last
        guard root?.elementsEqual("svg".utf8) == true else { throw RowError("it is not a PNG, JPEG, WebP or SVG") }
        let namespace = "http://www.w3.org/2000/svg"
        guard file.firstRange(of: Array(namespace.utf8)) != nil else {
            throw RowError("a browser shows it only with a namespace; add xmlns=\"\(name: namespace)\" to its <svg>")
        }
        return "image/svg+xml"
    }
}
