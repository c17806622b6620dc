import ReferralFoundation

/// The public key that an app pins, and the verifier that uses it.
struct CatalogKey: Sendable {
    private let publicKey: PublicKey
    private let verifier: any SignatureVerifier

    init(_ publicKey: PublicKey, _ verifier: any SignatureVerifier) throws(CatalogLoader.LoadError) {
        guard verifier.isAvailable else { throw .noVerifier }
        self.publicKey = publicKey
        self.verifier = verifier
    }

    /// Checks a signature file's text: 64 bytes in base64.
    func check(_ text: Data, for body: Data) throws(CatalogLoader.LoadError) {
        guard let signature = CatalogSignature.bytes(in: text),
            verifier.isValid(signature, for: body, publicKey: publicKey)
        else { throw .wrongSignature }
    }
}
