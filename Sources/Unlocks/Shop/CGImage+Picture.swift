#if canImport(ImageIO)
import Foundation
import ImageIO

extension CGImage {
    /// Loads a picture from the web, of at most 2 MiB. It is kept in the system's cache.
    nonisolated static func loaded(from address: URL, side: Int) async -> CGImage? {
        let answer = try? await WebAnswer(address, isFixed: true, limit: 2 << 20)
        guard let answer, answer.status == 200 else { return nil }
        return decoded(answer.body, side: side)
    }

    /// Decodes a picture.
    ///
    /// - Parameters:
    ///   - data: The picture's file.
    ///   - side: The largest width and height in pixels. A larger picture is reduced while it is decoded.
    /// - Returns: The picture; `nil` if it is broken.
    static func decoded(_ data: Data, side: Int) -> CGImage? {
        guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { return nil }
        let options: NSDictionary = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: side,
        ]
        return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }
}
#endif
