#if !canImport(CryptoKit)
public import ReferralFoundation

/// Checks signatures with the system's cryptography. Only Apple's platforms have it.
///
/// On this platform, it can't be used: a scanner with signers needs another one.
public struct SystemVerifier: SignatureVerifier {
    static let isAvailable = false

    /// Creates a verifier.
    public init() {}

    /// No signature is valid.
    public func isValid(_ signature: Data, for message: Data, publicKey: PublicKey) -> Bool { false }
}
#endif
