#if !canImport(CryptoKit)
/// The verifier of the system.
package enum SystemVerifier {
    /// `nil`: the system has none.
    package static var verifier: (any SignatureVerifier)? { nil }
}
#endif
