/// Why a scanner can't check signatures.
public enum VerifierError: Error, Sendable, Equatable {
    /// The system can't check signatures, and no other verifier was passed.
    case noVerifier
}

extension VerifierError: CustomStringConvertible {
    /// A sentence suitable for display.
    public var description: String {
        switch self {
        case .noVerifier: "Without CryptoKit there is no verifier; bring a SignatureVerifier."
        }
    }
}
