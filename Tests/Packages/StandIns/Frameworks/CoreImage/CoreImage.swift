@_exported public import CoreGraphics

/// https://developer.apple.com/documentation/coreimage/cifilter-swift.class
open class CIFilter: NSObject {
    private let parameters: [String: Any]

    public convenience init?(name: String, parameters params: [String: Any]?) {
        guard name == "CIQRCodeGenerator" else { return nil }
        self.init(params ?? [:])
    }

    private init(_ parameters: [String: Any]) { self.parameters = parameters }

    /// `nil` without a message, or with another level than L, M, Q and H.
    open var outputImage: CIImage? {
        guard let message = parameters["inputMessage"] as? Data else { return nil }
        let level = parameters["inputCorrectionLevel"] as? String ?? "M"
        return ["L", "M", "Q", "H"].contains(level) ? CIImage(message) : nil
    }
}

/// https://developer.apple.com/documentation/coreimage/ciimage
open class CIImage: NSObject {
    let message: Data

    init(_ message: Data) { self.message = message }

    /// A pixel for each module.
    open var extent: CGRect { CGRect(x: 0, y: 0, width: 31, height: 31) }
}

/// https://developer.apple.com/documentation/coreimage/cicontext
open class CIContext: NSObject {
    public override init() {}

    open func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        fromRect == image.extent ? CGImage(message: image.message) : nil
    }
}
