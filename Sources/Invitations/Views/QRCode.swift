#if canImport(CoreImage)
import CoreImage
import Foundation

/// QR codes by CoreImage.
enum QRCode {
    /// The code of an address, with a pixel for each module, and error correction M: 15 percent of it may be damaged.
    static func image(of address: URL) -> CGImage? {
        let parameters: [String: Any] = [
            "inputMessage": Data(address.absoluteString.utf8), "inputCorrectionLevel": "M",
        ]
        guard let image = CIFilter(name: "CIQRCodeGenerator", parameters: parameters)?.outputImage else { return nil }
        return CIContext().createCGImage(image, from: image.extent)
    }
}
#endif
