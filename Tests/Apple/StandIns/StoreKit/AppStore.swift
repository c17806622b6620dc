public enum AppStore {
    public struct Environment: RawRepresentable, Hashable, Sendable {
        public static let production = Environment(rawValue: "Production")
        public static let sandbox = Environment(rawValue: "Sandbox")
        public static let xcode = Environment(rawValue: "Xcode")

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public static func sync() async throws { try await onSync() }

    // MARK: For tests

    /// What happens at a sync.
    public nonisolated(unsafe) static var onSync: @Sendable () async throws -> Void = {}
}

public enum StoreKitError: Error {
    case unknown
    case userCancelled
    case networkError(URLError)
    case systemError(any Error)
    case notAvailableInStorefront
    case notEntitled
    case unsupported
}

extension StoreKitError: LocalizedError {
    public var errorDescription: String? { "StoreKit says: \(self)." }
}
