#if canImport(CoreImage)
import CoreImage
import Foundation

/// The QR code of an address, by CoreImage. A view keeps it as its state, so that each of its bodies shows the same picture.
@MainActor
final class QRCode {
    private var made: (address: URL, image: CGImage?)?

    /// The code of an address, with a pixel for each module, and error correction M: 15 percent of it may be damaged.
    func image(of address: URL) -> CGImage? {
        if let made, made.address == address { return made.image }
        let image = Self.makeImage(of: address)
        made = (address, image)
        return image
    }

    private static func makeImage(of address: URL) -> CGImage? {
        let parameters: [String: Any] = [
            "inputMessage": Data(address.absoluteString.utf8), "inputCorrectionLevel": "M",
        ]
        guard let image = CIFilter(name: "CIQRCodeGenerator", parameters: parameters)?.outputImage else { return nil }
        return CIContext().createCGImage(image, from: image.extent)
    }
}
#endif
