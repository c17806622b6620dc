@_exported public import Foundation

@frozen
public enum VerificationResult<SignedType> {
    public enum VerificationError: Error {
        case revokedCertificate
        case invalidCertificateChain
        case invalidDeviceVerification
        case invalidEncoding
        case invalidSignature
        case missingRequiredProperties
    }

    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    case verified(SignedType)
}

extension VerificationResult: Sendable where SignedType: Sendable {}
