@_exported public import CoreGraphics

#if os(Linux)
// It has what Linux's Foundation lacks.
@_exported public import FoundationStandIn
#else
@_exported public import Foundation
#endif

/// https://developer.apple.com/documentation/coreimage/cifilter-swift.class
@available(macOS 10.4, iOS 5.0, *)
open class CIFilter: NSObject {
    private let parameters: [String: Any]

    /// https://developer.apple.com/documentation/coreimage/cifilter-swift.class/init(name:parameters:)
    @available(macOS 10.10, iOS 8.0, *)
    public convenience init?(name: String, parameters params: [String: Any]?) {
        guard name == "CIQRCodeGenerator" else { return nil }
        self.init(params ?? [:])
    }

    private init(_ parameters: [String: Any]) { self.parameters = parameters }

    /// `nil` without a message, or with another level than L, M, Q and H.
    open var outputImage: CIImage? {
        guard let message = parameters["inputMessage"] as? Data else { return nil }
        let level = parameters["inputCorrectionLevel"] as? String ?? "M"
        return ["L", "M", "Q", "H"].contains(level) ? CIImage(message, level) : nil
    }
}

/// https://developer.apple.com/documentation/coreimage/ciimage
@available(macOS 10.4, iOS 5.0, *)
open class CIImage: NSObject {
    let (message, level): (Data, String)

    init(_ message: Data, _ level: String) {
        self.message = message
        self.level = level
    }

    /// A pixel for each module.
    open var extent: CGRect { CGRect(x: 0, y: 0, width: 31, height: 31) }
}

/// https://developer.apple.com/documentation/coreimage/cicontext
@available(macOS 10.4, iOS 5.0, *)
open class CIContext: NSObject {
    /// https://developer.apple.com/documentation/coreimage/cicontext/init()
    @available(macOS 10.11, iOS 5.0, *)
    public override init() {}

    open func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        Self.pictures += 1
        return fromRect == image.extent ? CGImage(message: image.message, level: image.level) : nil
    }

    // MARK: For tests

    /// How many pictures were made.
    package nonisolated(unsafe) static var pictures = 0
}
