#if canImport(ImageIO)
import Foundation
import ImageIO

extension CGImage {
    /// A small file can hold a picture of many gigabytes. A camera's picture has fewer pixels.
    private static let maximumPixels = 100_000_000

    /// Loads a picture from the web, of at most 2 MiB. It is kept in the session's cache.
    nonisolated static func loaded(from address: URL, side: Int) async -> CGImage? {
        let answer = try? await WebAnswer(address, limit: 2 << 20, timeLimit: 20, in: .pictures)
        guard let answer, answer.status == 200 else { return nil }
        return decoded(answer.body, side: side)
    }

    /// Decodes a picture from the web.
    ///
    /// - Parameters:
    ///   - data: The picture's file.
    ///   - side: The largest width and height in pixels. A larger picture is reduced while it is decoded.
    /// - Returns: The picture; `nil` if it is broken or has more than 100 million pixels.
    static func decoded(_ data: Data, side: Int) -> CGImage? {
        guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { return nil }
        let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as NSDictionary?
        guard let width = properties?[kCGImagePropertyPixelWidth] as? Int, width > 0,
            let height = properties?[kCGImagePropertyPixelHeight] as? Int, height > 0,
            height <= maximumPixels / width
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
