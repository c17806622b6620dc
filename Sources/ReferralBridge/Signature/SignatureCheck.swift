#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Judges who issued a referral.
struct SignatureCheck: Sendable {
    /// The length of an Ed25519 public key, in bytes (RFC 8032).
    private static let keyLength = 32

    let signers: [Data]
    private let verifier: any SignatureVerifier

    init(_ signers: [Data], _ verifier: (any SignatureVerifier)?) throws(SignerError) {
        guard signers.allSatisfy({ $0.count == Self.keyLength }) else { throw .invalidPublicKey }
        guard let verifier else { throw .noVerifier }
        (self.signers, self.verifier) = (signers, verifier)
    }

    /// The verdict on a referral that doesn't count; `nil` if one of the signers issued it and its campaign isn't over.
    func verdict(on referral: Referral, for appID: AppID) -> Verdict? {
        let parameters = referral.sortedParameters
        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

        guard let text = value(Referral.signatureName), !text.isEmpty else { return .notSigned }
        let until = value(Referral.endName)
        let end = until.flatMap(Referral.campaignEnd)
        guard until == nil || end != nil, let signature = Referral.signature(text) else { return .wrongSignature }
        let message = referral.signedMessage(for: appID)
        guard signers.contains(where: { verifier.isValid(signature, for: message, publicKey: $0) }) else {
            return .wrongSignature
        }
        if let end, referral.timestamp >= end { return .campaignOver }
        return nil
    }
}

extension SignatureCheck: Equatable {
    /// Whether the signers are the same. A verifier can't be compared.
    static func == (left: Self, right: Self) -> Bool { left.signers == right.signers }
}
