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

public struct AppTransaction: Sendable {
    public let originalPurchaseDate: Date

    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await answer() }
    }

    // MARK: For tests

    /// What the store answers.
    public nonisolated(unsafe) static var answer: @Sendable () async throws -> VerificationResult<AppTransaction> = {
        .verified(AppTransaction(originalPurchaseDate: Date()))
    }

    public init(originalPurchaseDate: Date) {
        self.originalPurchaseDate = originalPurchaseDate
    }
}
