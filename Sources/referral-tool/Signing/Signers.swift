import ReferralSigning

/// The signers whose links count.
enum Signers {
    static let form: Sentence = "a public key is 32 bytes in base64, as 'referral-tool key --public FILE' prints it"

    /// The verifier for these keys.
    static func verifier(for publicKeys: [PublicKey]) throws(ToolError) -> any SignatureVerifier {
        do { return try makeVerifier(for: publicKeys) } catch { throw .signing(error) }
    }
}
