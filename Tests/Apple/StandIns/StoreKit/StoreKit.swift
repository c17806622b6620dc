public import Foundation

public enum VerificationResult<SignedType> {
    public enum VerificationError: Error {
        case invalidSignature
    }

    case unverified(SignedType, VerificationError)
    case verified(SignedType)
}

extension VerificationResult: Sendable where SignedType: Sendable {}

public struct AppTransaction: Sendable {
    public let originalPurchaseDate: Date

    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try answer() }
    }

    /// What a test has the store answer.
    public nonisolated(unsafe) static var answer: () throws -> VerificationResult<AppTransaction> = {
        .verified(AppTransaction(originalPurchaseDate: Date()))
    }

    public init(originalPurchaseDate: Date) {
        self.originalPurchaseDate = originalPurchaseDate
    }
}
