/// Why nothing can be signed or checked here.
package enum SigningError: Error, Sendable, Equatable {
    /// The system has no library that knows Ed25519.
    case unavailable

    /// The library failed, for example without memory.
    case failed
}

extension SigningError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable:
            "signatures need OpenSSL's libcrypto, 3.0 or newer; install the package libssl3 (Debian, Ubuntu), "
                + "openssl-libs (Fedora) or libcrypto3 (Alpine)"
        case .failed: "the system's cryptography failed"
        }
    }
}
