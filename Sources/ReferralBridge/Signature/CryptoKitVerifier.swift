#if canImport(CryptoKit)
import CryptoKit
public import Foundation

/// Checks signatures with CryptoKit.
public struct CryptoKitVerifier: SignatureVerifier {
    /// Creates a verifier.
    public init() {}

    /// Whether the signature is valid. A key that CryptoKit refuses makes no signature valid.
    public func isValid(_ signature: Data, for message: Data, publicKey: Data) -> Bool {
        let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
        return key?.isValidSignature(signature, for: message) ?? false
    }
}

/// The verifier of the system.
package enum SystemVerifier {
    /// CryptoKit's.
    package static var verifier: (any SignatureVerifier)? { CryptoKitVerifier() }
}
#endif
