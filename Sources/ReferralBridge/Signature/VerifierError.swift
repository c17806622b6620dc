/// Why a scanner can't check signatures.
public enum VerifierError: Error, Sendable, Equatable {
    /// A signer's public key isn't 32 bytes long.
    case invalidPublicKey

    /// The system has no verifier, and none was passed.
    case noVerifier
}

extension VerifierError: CustomStringConvertible {
    /// A sentence suitable for display.
    public var description: String {
        switch self {
        case .invalidPublicKey: "A signer's public key is not 32 bytes long."
        case .noVerifier: "Without CryptoKit there is no verifier; bring a SignatureVerifier."
        }
    }
}
