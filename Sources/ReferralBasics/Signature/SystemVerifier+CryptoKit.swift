#if canImport(CryptoKit)
import CryptoKit
public import Foundation

/// Checks signatures with CryptoKit, the system's cryptography.
public struct SystemVerifier: SignatureVerifier {
    static let isAvailable = true

    /// Creates a verifier.
    public init() {}

    /// The order of the group, L in RFC 8032, with the highest byte first.
    private static let order: [UInt8] =
        [0x10] + [UInt8](repeating: 0, count: 15) + [
            0x14, 0xDE, 0xF9, 0xDE, 0xA2, 0xF7, 0x9C, 0xD6, 0x58, 0x12, 0x63, 0x1A, 0x5C, 0xF5, 0xD3, 0xED,
        ]

    /// Whether the signature is valid. With a key that CryptoKit refuses, no signature is valid.
    public func isValid(_ signature: Data, for message: Data, publicKey: PublicKey) -> Bool {
        // Anyone can derive another signature from a valid one by adding L to its second half. RFC 8032 rejects it, but
        // WebKitGTK's cryptography accepts it. CryptoKit's behavior isn't documented.
        guard signature.suffix(32).reversed().lexicographicallyPrecedes(Self.order) else { return false }
        let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey.rawRepresentation)
        return key?.isValidSignature(signature, for: message) ?? false
    }
}
#endif
