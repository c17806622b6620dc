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

    // MARK: For tests

    /// What the store answers.
    public nonisolated(unsafe) static var answer: @Sendable () async throws -> VerificationResult<AppTransaction> = {
        .verified(AppTransaction(originalPurchaseDate: Date()))
    }

    public init(
        originalPurchaseDate: Date,
        originalAppVersion: String = "1",
        appTransactionID: String = "704",
        platform: String = "iOS",
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
