@_exported public import Foundation

/// https://developer.apple.com/documentation/storekit/verificationresult
@available(macOS 12.0, iOS 15.0, *)
@frozen
public enum VerificationResult<SignedType> {
    /// https://developer.apple.com/documentation/storekit/verificationresult/verificationerror
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

@available(macOS 12.0, iOS 15.0, *)
extension VerificationResult where SignedType == Transaction {
    /// https://developer.apple.com/documentation/storekit/verificationresult/jwsrepresentation
    public var jwsRepresentation: String {
        switch self {
        case .verified(let transaction), .unverified(let transaction, _): "header.\(transaction.id).signature"
        }
    }
}

@available(macOS 12.0, iOS 15.0, *)
extension VerificationResult: Sendable where SignedType: Sendable {}
