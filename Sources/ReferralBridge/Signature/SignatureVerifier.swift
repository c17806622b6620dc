#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Checks who made a message, by its Ed25519 signature (RFC 8032).
///
/// On Apple's platforms `CryptoKitVerifier` is the default. Elsewhere an app brings one.
public protocol SignatureVerifier: Sendable {
    /// Whether the signature is valid.
    ///
    /// - Parameters:
    ///   - signature: The signature, 64 bytes. Any other number of bytes is not valid.
    ///   - message: The message that was signed.
    ///   - publicKey: The public key, 32 bytes. With any other number of bytes no signature is valid.
    /// - Returns: Whether the key's owner made the signature for the message.
    func isValid(_ signature: Data, for message: Data, publicKey: Data) -> Bool
}
