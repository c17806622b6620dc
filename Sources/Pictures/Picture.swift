#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Checks whether a file may be a page's icon. `web/picture.js` has the same rules; `Tests/Vectors/pictures.json` tests
/// both.
package enum Picture {
    /// The largest file, in bytes. 256 by 256 pixels are enough for any screen.
    package static let maximumSize = 256 << 10

    private static let svg = "image/svg+xml"

    /// The media type of a picture that may be an icon.
    package static func mediaType(of file: [UInt8]) throws(PictureProblem) -> String {
        guard !file.isEmpty else { throw PictureProblem(.empty) }
        guard file.count <= maximumSize else { throw PictureProblem(.tooLarge, count: file.count) }
        // UTF-16's byte order marks.
        guard !file.starts(with: [0xFF, 0xFE]), !file.starts(with: [0xFE, 0xFF]) else {
            throw PictureProblem(.encoding)
        }
        guard let type = type(of: file) else { throw PictureProblem(.notAPicture) }
        if type == svg { try SVGReader.check(file) }
        return type
    }

    /// The type, determined by the first bytes.
    private static func type(of file: [UInt8]) -> String? {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        // Any other text may be an SVG.
        return String(bytes: file, encoding: .utf8) != nil ? svg : nil
    }
}
