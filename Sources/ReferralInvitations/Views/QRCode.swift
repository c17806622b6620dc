#if canImport(CoreImage)
import CoreImage
import Foundation

extension Invitation {
    /// The QR code of the address, with a pixel for each module, and error correction M: 15 percent of it may be damaged.
    func qrCode() -> CGImage? {
        let parameters: [String: Any] = [
            "inputMessage": Data(address.absoluteString.utf8), "inputCorrectionLevel": "M",
        ]
        guard let image = CIFilter(name: "CIQRCodeGenerator", parameters: parameters)?.outputImage else { return nil }
        return CIContext().createCGImage(image, from: image.extent)
    }
}
#endif
