#if canImport(StoreKit)
import StoreKit

@available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
extension AppTransaction {
    @MainActor private static var question: Task<VerificationResult<AppTransaction>, any Error>?

    /// The result of `shared`. The system may ask the user to sign in to the App Store, so a caller that asks while a question
    /// is open waits for its answer.
    @MainActor
    static func sharedOnce() async throws -> VerificationResult<AppTransaction> {
        if let question { return try await question.value }
        let question = Task { try await shared }
        Self.question = question
        defer { Self.question = nil }
        return try await question.value
    }
}
#endif
