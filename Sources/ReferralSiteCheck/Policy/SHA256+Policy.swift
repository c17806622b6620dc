extension SHA256 {
    /// The hash of a text, as a `Content-Security-Policy` writes it.
    package static func policySource(of text: some Collection<UInt8>) -> String {
        "'sha256-\(Base64.encode(digest(text), .standard))'"
    }
}
