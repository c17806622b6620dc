public import ReferralFoundation

/// Checks Ed25519 signatures (RFC 8032).
///
/// ``SystemVerifier`` is the default. Platforms other than Apple's have none, so there the app provides one.
public protocol SignatureVerifier: Sendable {
    /// Whether the signature is valid.
    ///
    /// - Parameters:
    ///   - signature: The signature, 64 bytes. A signature of any other length isn't valid.
    ///   - message: The message that was signed.
    ///   - publicKey: The public key.
    /// - Returns: Whether the key's owner made the signature for the message.
    func isValid(_ signature: Data, for message: Data, publicKey: PublicKey) -> Bool
}
