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
        guard isSVG(file[...]) else { throw RowError("it is not a PNG, JPEG, WebP or SVG") }
        guard file.firstRange(of: Array(namespace.utf8)) != nil else {
            throw RowError("a browser shows it only with a namespace; add xmlns=\"\(name: namespace)\" to its <svg>")
        }
        return "image/svg+xml"
    }

    private static let namespace = "http://www.w3.org/2000/svg"

    /// Whether the first element, after comments, instructions and a document type, is called `svg`, with or without a prefix.
    private static func isSVG(_ file: ArraySlice<UInt8>) -> Bool {
        var rest = file.starts(with: RowInput.byteOrderMark) ? file.dropFirst(RowInput.byteOrderMark.count) : file
        func skip(to end: StaticString) -> Bool {
            guard let found = rest.firstRange(of: Array(end.utf8)) else { return false }
            rest = rest[found.upperBound...]
            return true
        }
        while true {
            rest = rest.drop { ASCII.isWhiteSpace($0) }
            if rest.starts(with: "<?".utf8) {
                guard skip(to: "?>") else { return false }
            } else if rest.starts(with: "<!--".utf8) {
                guard skip(to: "-->") else { return false }
            } else if rest.starts(with: "<!DOCTYPE".utf8) {
                // Its own declarations are between brackets.
                let hasBracket = rest.first { $0 == ASCII.openBracket || $0 == ASCII.greaterThan } == ASCII.openBracket
                guard !hasBracket || skip(to: "]"), skip(to: ">") else { return false }
            } else {
                break
            }
        }
        guard rest.popFirst() == ASCII.lessThan else { return false }
        let name = rest.prefix { !ASCII.isWhiteSpace($0) && $0 != ASCII.slash && $0 != ASCII.greaterThan }
        return name.split(separator: ASCII.colon, maxSplits: 1, omittingEmptySubsequences: false).last?
            .elementsEqual("svg".utf8) == true
    }
}
