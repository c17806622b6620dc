#if os(Linux)
// It has what Linux's Foundation lacks.
@_exported public import FoundationStandIn
#else
@_exported public import Foundation
#endif

/// https://developer.apple.com/documentation/coregraphics/cgimage
public final class CGImage {
    // MARK: For tests

    /// What the QR code says, or the bytes of a picture.
    package let message: Data

    package init(message: Data) { self.message = message }
}

/// According to <https://developer.apple.com/forums/thread/735317>.
extension CGImage: @unchecked Sendable {}
