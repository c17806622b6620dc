/// The verifier of the system.
package enum SystemVerifier {
    /// CryptoKit's, or `nil` where the system has none.
    package static var verifier: (any SignatureVerifier)? {
        #if canImport(CryptoKit)
        CryptoKitVerifier()
        #else
        nil
        #endif
    }
}
