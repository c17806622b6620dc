public struct AppTransaction: Sendable {
    public let environment: AppStore.Environment
    public let originalAppVersion: String
    public let originalPurchaseDate: Date
    public let appTransactionID: String
    public let originalPlatformStringRepresentation: String
    public let jsonRepresentation: Data

    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await answer() }
    }

    public static func refresh() async throws -> VerificationResult<AppTransaction> { try await refreshed() }

    // MARK: For tests

    /// What the store answers when it is asked for a new copy.
    public nonisolated(unsafe) static var refreshed: @Sendable () async throws -> VerificationResult<AppTransaction> = {
        throw StoreKitError.userCancelled
    }

    /// What the store answers.
    public nonisolated(unsafe) static var answer: @Sendable () async throws -> VerificationResult<AppTransaction> = {
        .verified(AppTransaction(originalPurchaseDate: Date()))
    }

    public init(
        originalPurchaseDate: Date,
        originalAppVersion: String = "1",
        appTransactionID: String = "704",
        // What a signed text without a platform gives.
        platform: String = "unknown",
        environment: AppStore.Environment = .production,
        json: String = "{}"
    ) {
        self.originalPurchaseDate = originalPurchaseDate
        self.originalAppVersion = originalAppVersion
        self.appTransactionID = appTransactionID
        self.originalPlatformStringRepresentation = platform
        self.environment = environment
        self.jsonRepresentation = Data(json.utf8)
    }
}
