#if canImport(ImageIO)
import Foundation
import ImageIO

extension CGImage {
    /// Loads a picture from the web, of at most 2 MiB. It is kept in the system's cache.
    ///
    /// - Parameters:
    ///   - address: The address of the picture.
    ///   - side: The largest width and height in pixels. A larger picture is reduced while it is decoded.
    /// - Returns: The picture; `nil` if it is missing or broken.
    nonisolated static func loaded(from address: URL, side: Int) async -> CGImage? {
        guard let answer = try? await WebAnswer(address, isFixed: true, limit: 2 << 20),
            let source = CGImageSourceCreateWithData(answer.body as CFData, nil)
        else { return nil }
        let options: NSDictionary = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: side,
        ]
        return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }
}
#endif
