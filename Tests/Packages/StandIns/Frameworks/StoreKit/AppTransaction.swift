/// https://developer.apple.com/documentation/storekit/apptransaction
@available(macOS 13.0, iOS 16.0, *)
public struct AppTransaction: Hashable, Sendable {
    public let environment: AppStore.Environment
    public let originalAppVersion: String
    public let originalPurchaseDate: Date
    public let appTransactionID: String
    public let signedDate: Date
    public let jsonRepresentation: Data
    private let platform: String

    /// https://developer.apple.com/documentation/storekit/apptransaction/originalplatformstringrepresentation
    @available(macOS, introduced: 13.0, deprecated: 15.4)
    @available(iOS, introduced: 16.0, deprecated: 18.4)
    @available(visionOS, introduced: 1.0, deprecated: 2.4)
    public var originalPlatformStringRepresentation: String { platform }

    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await answer() }
    }

    public static func refresh() async throws -> VerificationResult<AppTransaction> { try await refreshed() }

    // MARK: For tests

    package typealias Answer = @Sendable () async throws -> VerificationResult<AppTransaction>

    /// What the store answers when it is asked for a new copy.
    package nonisolated(unsafe) static var refreshed: Answer = { throw StoreKitError.userCancelled }

    /// What the store answers.
    package nonisolated(unsafe) static var answer: Answer = { .verified(AppTransaction(originalPurchaseDate: Date())) }

    package init(
        originalPurchaseDate: Date,
        originalAppVersion: String = "1",
        appTransactionID: String = "704",
        // What a signed text without a platform gives.
        platform: String = "unknown",
        environment: AppStore.Environment = .production,
        json: String = "{}",
        signedDate: Date = Date(timeIntervalSince1970: 1_800_000_000)
    ) {
        self.signedDate = signedDate
        self.originalPurchaseDate = originalPurchaseDate
        self.originalAppVersion = originalAppVersion
        self.appTransactionID = appTransactionID
        self.platform = platform
        self.environment = environment
        self.jsonRepresentation = Data(json.utf8)
    }
}
