#if os(Linux)
// It has what Linux's Foundation lacks.
@_exported public import FoundationStandIn
#else
@_exported public import Foundation
#endif

/// https://developer.apple.com/documentation/coregraphics/cgimage
@available(macOS 10.0, iOS 2.0, *)
public final class CGImage {
    // MARK: For tests

    /// What the QR code says, or the bytes of a picture.
    package let message: Data
    /// The QR code's level of error correction.
    package let level: String
    /// The width and the height of a picture.
    package let size: [Int]

    package init(message: Data, level: String = "", size: [Int] = []) {
        self.message = message
        self.level = level
        self.size = size
    }
}

/// According to <https://developer.apple.com/forums/thread/735317>.
extension CGImage: @unchecked Sendable {}
