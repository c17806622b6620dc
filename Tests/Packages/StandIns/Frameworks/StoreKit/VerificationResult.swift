@_exported public import Foundation

/// https://developer.apple.com/documentation/storekit/verificationresult
@frozen
public enum VerificationResult<SignedType> {
    /// https://developer.apple.com/documentation/storekit/verificationresult/verificationerror
    public enum VerificationError: Error {
        case revokedCertificate
        case invalidDeviceVerification
        case invalidEncoding
        case invalidSignature
    }

    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    case verified(SignedType)
}

extension VerificationResult where SignedType == Transaction {
    /// https://developer.apple.com/documentation/storekit/verificationresult/jwsrepresentation
    public var jwsRepresentation: String { "header.\(id).signature" }

    var id: UInt64 {
        switch self {
        case .verified(let transaction), .unverified(let transaction, _): transaction.id
        }
    }
}

extension VerificationResult: Sendable where SignedType: Sendable {}
