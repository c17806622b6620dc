/// Why nothing can be signed or checked here.
package enum SigningError: Error, Sendable, Equatable {
    /// The system has no library that knows Ed25519. The reason is the loader's.
    case unavailable(reason: String)

    /// The library failed, for example without memory, or it is set up without Ed25519.
    case failed
}

extension SigningError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let reason):
            "signatures need OpenSSL's libcrypto, 3.0.1 or newer; install the package libssl3 (Debian, Ubuntu), "
                + "openssl-libs (Fedora) or libcrypto3 (Alpine): \(reason)"
        case .failed:
            "the system's cryptography has no Ed25519; OpenSSL has none in FIPS mode, or if OPENSSL_CONF says so"
        }
    }
}
