import Pictures
import ReferralBridge

/// An app's icon as a `data:` address.
enum PageIcon {
    /// Reads an icon. Its first bytes determine its type.
    static func address(of stream: ByteStream) throws(ToolError) -> String {
        func rejected(_ problem: String) -> ToolError {
            .badData("--icon \(stream.name.quoted): \(problem)")
        }
        guard let file = try stream.readAll(atMost: Picture.maximumSize) else {
            let size = stream.size.map { "it has \($0) bytes" } ?? "it is too large"
            throw rejected("\(size), and an icon has at most \(Picture.maximumSize); 256 by 256 pixels are enough")
        }
        do {
            return "data:\(try Picture.mediaType(of: file));base64,\(Base64.encode(file, .standard))"
        } catch {
            throw rejected(error.reason)
        }
    }
}
