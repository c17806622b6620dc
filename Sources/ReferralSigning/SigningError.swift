/// Why nothing can be signed or checked here.
package enum SigningError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system has no library with Ed25519. The reason is the loader's.
    case unavailable(reason: String)

    /// The library is configured without Ed25519.
    case noEd25519

    /// The library failed, for example because there was no memory.
    case failed

    package var description: String {
        switch self {
        case .unavailable(let reason):
            "signatures need OpenSSL's libcrypto, 3.0.1 or newer; install the package libssl3 (Debian, Ubuntu), "
                + "openssl-libs (Fedora) or libcrypto3 (Alpine): \(reason)"
        case .noEd25519:
            "the system's OpenSSL has no Ed25519; it may have none in FIPS mode, or because of its configuration (OPENSSL_CONF)"
        case .failed: "the system's cryptography failed"
        }
    }
}
