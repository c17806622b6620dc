import SiteCheck

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An app's icon as a `data:` address.
struct PageIcon {
    /// The largest file. 256 pixels a side are enough for any screen.
    static let maximumSize = 256 << 10

    let address: String

    /// Reads an icon. Its first bytes determine its type.
    init(_ stream: ByteStream) throws(ToolError) {
        func rejected(_ problem: String) -> ToolError {
            .badData("--icon \(stream.name.quoted): \(problem)")
        }
        guard let file = try stream.readAll(atMost: Self.maximumSize) else {
            let size = stream.size.map { "it has \($0) bytes" } ?? "it is too large"
            throw rejected("\(size), and a page takes at most \(Self.maximumSize); 256 pixels a side are enough")
        }
        guard !file.isEmpty else { throw rejected("it is empty") }
        guard let kind = Self.kind(of: file) else { throw rejected(Self.notAnImage) }
        if kind == Self.svg {
            do throws(SVGReader.Problem) {
                try SVGReader.check(file)
            } catch {
                switch error {
                case .notSVG: throw rejected(Self.notAnImage)
                case .rejected(let problem): throw rejected(problem)
                }
            }
        }
        address = "data:\(kind);base64,\(Data(file).base64EncodedString())"
    }

    private static func kind(of file: [UInt8]) -> String? {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        // Any other text may be an SVG.
        return file.withUnsafeBufferPointer(\.text) == nil ? nil : svg
    }

    private static let svg = "image/svg+xml"
    private static let notAnImage = "it is not a PNG, JPEG, WebP or SVG"
}
