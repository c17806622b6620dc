@_exported public import CoreGraphics

/// https://developer.apple.com/documentation/imageio/cgimagesource
///
/// It reads the head of a PNG file.
@available(macOS 10.8, iOS 4.0, *)
public final class CGImageSource {
    let data: Data

    init(_ data: Data) { self.data = data }

    /// The width and the height; `nil` if the file isn't a PNG file.
    var size: [Int]? {
        guard data.count >= 24, data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
        return [16, 20].map { start in data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }
}

/// https://developer.apple.com/documentation/imageio/cgimagesourcecreatewithdata(_:_:)
@available(macOS 10.4, iOS 4.0, *)
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
    CGImageSource(data as Data)
}

/// https://developer.apple.com/documentation/imageio/cgimagesourcecopypropertiesatindex(_:_:_:)
@available(macOS 10.4, iOS 4.0, *)
public func CGImageSourceCopyPropertiesAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?
) -> CFDictionary? {
    guard let size = isrc.size, index == 0 else { return nil }
    return [kCGImagePropertyPixelWidth: size[0], kCGImagePropertyPixelHeight: size[1]]
}

/// https://developer.apple.com/documentation/imageio/cgimagesourcecreatethumbnailatindex(_:_:_:)
///
/// Without data after its head, a file is broken.
@available(macOS 10.4, iOS 4.0, *)
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?
) -> CGImage? {
    guard let size = isrc.size, let largest = size.max(), isrc.data.count > 24, index == 0,
        options?[kCGImageSourceCreateThumbnailFromImageAlways] as? Bool == true,
        options?[kCGImageSourceCreateThumbnailWithTransform] as? Bool == true
    else { return nil }
    let limit = options?[kCGImageSourceThumbnailMaxPixelSize] as? Int ?? largest
    return CGImage(message: isrc.data, size: largest > limit ? size.map { $0 * limit / largest } : size)
}

/// https://developer.apple.com/documentation/imageio/kcgimagepropertypixelwidth
@available(macOS 10.4, iOS 4.0, *)
nonisolated(unsafe) public let kCGImagePropertyPixelWidth: CFString = "kCGImagePropertyPixelWidth"

/// https://developer.apple.com/documentation/imageio/kcgimagepropertypixelheight
@available(macOS 10.4, iOS 4.0, *)
nonisolated(unsafe) public let kCGImagePropertyPixelHeight: CFString = "kCGImagePropertyPixelHeight"

/// https://developer.apple.com/documentation/imageio/kcgimagesourcecreatethumbnailfromimagealways
@available(macOS 10.4, iOS 4.0, *)
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailFromImageAlways: CFString =
    "kCGImageSourceCreateThumbnailFromImageAlways"

/// https://developer.apple.com/documentation/imageio/kcgimagesourcecreatethumbnailwithtransform
@available(macOS 10.4, iOS 4.0, *)
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailWithTransform: CFString =
    "kCGImageSourceCreateThumbnailWithTransform"

/// https://developer.apple.com/documentation/imageio/kcgimagesourcethumbnailmaxpixelsize
@available(macOS 10.4, iOS 4.0, *)
nonisolated(unsafe) public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
