#if canImport(CryptoKit)
import CryptoKit
package import Foundation
package import ReferralBasics

/// An Ed25519 private key, with CryptoKit.
package struct PrivateKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    package let publicKey: PublicKey

    /// Creates a key from its 32 bytes.
    package init(_ bytes: [UInt8]) throws(SigningError) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes),
            let publicKey = PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
        else { throw .failed }
        self.key = key
        self.publicKey = publicKey
    }

    /// Signs a message. CryptoKit returns a different signature each time.
    package func signature(for message: Data) throws(SigningError) -> Data {
        guard let signature = try? key.signature(for: message) else { throw .failed }
        return signature
    }
}

/// Makes this system's verifier, for any public keys.
package func makeVerifier(for publicKeys: [PublicKey] = []) throws(SigningError) -> any SignatureVerifier {
    SystemVerifier()
}
#endif
