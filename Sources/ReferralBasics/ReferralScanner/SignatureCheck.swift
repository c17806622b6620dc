import ReferralFoundation

/// Checks whether a signer issued a referral.
final class SignatureCheck: Sendable {
    let signers: [PublicKey]
    private let verifier: any SignatureVerifier

    init(_ signers: [PublicKey], _ verifier: any SignatureVerifier) {
        precondition(verifier.isAvailable, "Without CryptoKit there is no verifier; pass a SignatureVerifier.")
        self.signers = signers
        self.verifier = verifier
    }

    /// The verdict on a tap that doesn't count; `nil` if a signer issued the claims and the campaign hasn't ended.
    func verdict(on claims: Claims, at tap: Timestamp, for appID: AppID) -> Verdict? {
        guard let text = claims[Referral.signatureName], !text.isEmpty else { return .notSigned }
        let until = claims[Referral.endName]
        let end = until.flatMap(Referral.campaignEnd)
        guard let signature = Referral.signature(text), until == nil || end != nil else { return .wrongSignature }
        let message = claims.message(for: appID)
        for signer in signers where verifier.isValid(signature, for: message, publicKey: signer) {
            // A `Double` would round an end of 16 digits.
            if let end, Int64(tap.milliseconds) >= end { return .campaignOver }
            return nil
        }
        return .wrongSignature
    }
}

extension SignatureCheck: Equatable {
    /// Whether the signers are the same. The verifiers aren't compared, since they can't be.
    static func == (left: SignatureCheck, right: SignatureCheck) -> Bool { left.signers == right.signers }
}
