package import ReferralFoundation

/// The text in the file with a catalog's signature.
package enum CatalogSignature {
    private static let length = 64

    /// Reads a signature: 64 bytes in base64. White space doesn't matter, since `base64` and OpenSSL break lines.
    package static func bytes(in text: Data) -> Data? {
        let base64 = text.lazy.filter { !ASCII.isWhiteSpace($0) }
        return Base64.decode(Array(base64), .standard).flatMap { $0.count == length ? Data($0) : nil }
    }
}
