#if !canImport(CryptoKit)
extension HandoffSealing {
    /// `nil`: the system has no cryptography.
    static var systemSealer: (any HandoffSealer)? { nil }
}
#endif
