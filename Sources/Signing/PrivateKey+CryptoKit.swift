#if canImport(CryptoKit)
import CryptoKit
package import Foundation
package import ReferralBridge

/// An Ed25519 private key, with CryptoKit.
package struct PrivateKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Creates a key from its 32 bytes.
    package init(_ bytes: UnsafeRawBufferPointer) throws(SigningError) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes) else { throw .failed }
        self.key = key
    }

    package var publicKey: Data { key.publicKey.rawRepresentation }

    /// Signs a message. CryptoKit returns a different signature each time.
    package func signature(for message: Data) throws(SigningError) -> Data {
        guard let signature = try? key.signature(for: message) else { throw .failed }
        return signature
    }
}

/// Makes this system's verifier, for any public keys.
package func makeVerifier(for publicKeys: [Data] = []) throws(SigningError) -> any SignatureVerifier {
    CryptoKitVerifier()
}
#endif
