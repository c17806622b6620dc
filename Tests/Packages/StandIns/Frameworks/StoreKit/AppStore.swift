/// https://developer.apple.com/documentation/storekit/appstore
public enum AppStore {
    /// https://developer.apple.com/documentation/storekit/appstore/environment
    @available(macOS 13.0, iOS 16.0, *)
    public struct Environment: RawRepresentable, Hashable, Sendable {
        public static let production = Environment(rawValue: "Production")
        public static let sandbox = Environment(rawValue: "Sandbox")
        public static let xcode = Environment(rawValue: "Xcode")

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public static var canMakePayments: Bool { allowsPayments }

    public static func sync() async throws { try await onSync() }

    // MARK: For tests

    package nonisolated(unsafe) static var allowsPayments = true

    /// What happens at a sync.
    package nonisolated(unsafe) static var onSync: @Sendable () async throws -> Void = {}
}

/// https://developer.apple.com/documentation/storekit/redeemoption
@available(macOS 27.0, iOS 27.0, visionOS 27.0, *)
public struct RedeemOption: Hashable, Sendable {}

/// https://developer.apple.com/documentation/storekit/storekiterror
public enum StoreKitError: Error, Sendable {
    case unknown
    case userCancelled
    case networkError(URLError)
    case systemError(any Error)
    case notAvailableInStorefront
}

@available(macOS 12.3, iOS 15.4, *)
extension StoreKitError: LocalizedError {
    /// https://github.com/theos/sdks/blob/4af4cb1d02b6b8c6046db70851f70ca186b8bd73/iPhoneOS16.5.sdk/System/Library/Frameworks/StoreKit.framework/Modules/StoreKit.swiftmodule/arm64-apple-ios.swiftinterface
    public var errorDescription: String? { "StoreKit says: \(self)." }
}
