#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Who bought the app before it became free, and what that opens for them.
///
/// ```swift
/// let rule = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "230", .macOS: "3.0"])
/// ```
///
/// The original version that the store tells is the build number (`CFBundleVersion`) on iOS and the marketing version
/// (`CFBundleShortVersionString`) on macOS. So each platform has a version of its own at which the app became free.
public struct PaidBefore: Sendable {
    /// The names of the unlocks that it opens.
    public var grants: [String]
    /// The first version that was free, by platform.
    public var firstFreeVersions: [Platform: String]
    /// When the app became free; `nil` judges by versions alone.
    public var date: Date?
    /// An answer for tests. It counts outside of production only.
    public var testAnswer: Bool?

    /// Creates a rule.
    public init(grants: [String], firstFreeVersions: [Platform: String], date: Date? = nil, testAnswer: Bool? = nil) {
        (self.grants, self.firstFreeVersions) = (grants, firstFreeVersions)
        (self.date, self.testAnswer) = (date, testAnswer)
    }
}

/// What the store says of the app's own purchase: `AppTransaction`.
public struct AppPurchase: Sendable, Equatable {
    /// `appTransactionID`.
    public var id: String
    /// Whether the store's signature is valid.
    public var isVerified: Bool
    /// Whether the purchase was revoked.
    public var isRevoked: Bool
    /// The platform that the app was first bought on. Any value but iOS, macOS, tvOS and visionOS counts as not reported.
    public var originalPlatform: Platform?
    /// The version that was first bought.
    public var originalVersion: String
    /// When the app was first bought.
    public var originalPurchase: Date
    /// Where the app was installed from.
    public var environment: StoreEnvironment

    /// Creates a purchase.
    public init(
        id: String,
        isVerified: Bool,
        isRevoked: Bool,
        originalPlatform: Platform?,
        originalVersion: String,
        originalPurchase: Date,
        environment: StoreEnvironment = .production
    ) {
        (self.id, self.isVerified, self.isRevoked) = (id, isVerified, isRevoked)
        (self.originalPlatform, self.originalVersion) = (originalPlatform, originalVersion)
        (self.originalPurchase, self.environment) = (originalPurchase, environment)
    }
}

/// The environment of the store that the app works with. Each purchase belongs to one environment.
public enum StoreEnvironment: String, Sendable {
    /// The App Store.
    case production
    /// The sandbox, which TestFlight uses too. Its app transactions report version `1.0`, bought in 2013.
    case sandbox
    /// Xcode.
    case xcode
}

extension PaidBefore {
    /// The answer, and why it is this one.
    public struct Answer: Sendable, Equatable {
        /// Whether the person bought the app before; `nil` if that isn't known.
        public let isYes: Bool?
        /// Why.
        public let reason: Reason
    }

    /// Why the answer is what it is.
    public enum Reason: String, Sendable {
        /// The app was told the answer, for tests.
        case override
        /// The environment isn't production, where versions and dates say nothing.
        case environment
        /// The store doesn't answer now, and this was the answer before.
        case keptAnswer
        /// The store doesn't answer: the device is offline, nobody is signed in, or the system is iOS 15.
        case notAvailable
        /// The store's answer isn't signed by the store.
        case notVerified
        /// The app's purchase was revoked.
        case revoked
        /// The app was bought on another platform, whose versions can't be compared with this one's.
        case otherPlatform
        /// There is no version for this platform at which the app became free.
        case noSwitchVersion
        /// The version that was bought is no ``VersionNumber``.
        case originalVersionUnreadable
        /// The version at which the app became free is no ``VersionNumber``.
        case switchVersionUnreadable
        /// The version that was bought is before the one that was free.
        case versionBefore
        /// The purchase is before the date.
        case dateBefore
        /// Neither.
        case notBefore
    }

    /// A yes that is kept for when the store doesn't answer. Only a revocation forgets it.
    public struct Kept: Sendable, Equatable, Codable {
        /// The `appTransactionID` of the purchase.
        public let id: String
        /// The answer.
        public let answer: Bool
    }

    /// Judges the app's own purchase by the first rule that applies.
    ///
    /// - Parameters:
    ///   - purchase: What the store says; `nil` if it doesn't answer.
    ///   - platform: The platform that the app runs on.
    ///   - kept: The answer that was kept. It is kept, changed or forgotten.
    /// - Returns: The answer.
    public func judge(
        _ purchase: AppPurchase?,
        on platform: Platform,
        kept: inout Kept?
    ) -> Answer {
        if let purchase, purchase.environment != .production {
            return Answer(isYes: testAnswer, reason: testAnswer == nil ? .environment : .override)
        }
        guard let purchase, purchase.isVerified else {
            if let kept, purchase == nil || purchase?.id == kept.id {
                return Answer(isYes: kept.answer, reason: .keptAnswer)
            }
            return Answer(isYes: nil, reason: purchase == nil ? .notAvailable : .notVerified)
        }
        if purchase.isRevoked {
            kept = nil
            return Answer(isYes: false, reason: .revoked)
        }
        var answer = judgeVersion(of: purchase, on: platform)
        if answer.isYes != true, let date, purchase.originalPurchase < date {
            answer = Answer(isYes: true, reason: .dateBefore)
        }
        if answer.isYes == true { kept = Kept(id: purchase.id, answer: true) }
        return answer
    }

    /// The platforms that the store reports. Old purchases have the value `unknown`, which isn't a platform, and neither is
    /// `managed` or a value from a newer StoreKit.
    private static let platforms: Set<Platform> = [.iOS, .macOS, .tvOS, .visionOS]

    private func judgeVersion(of purchase: AppPurchase, on platform: Platform) -> Answer {
        if let original = purchase.originalPlatform, Self.platforms.contains(original), original != platform {
            return Answer(isYes: nil, reason: .otherPlatform)
        }
        guard let text = firstFreeVersions[platform] else { return Answer(isYes: nil, reason: .noSwitchVersion) }
        guard let original = VersionNumber(purchase.originalVersion) else {
            return Answer(isYes: nil, reason: .originalVersionUnreadable)
        }
        guard let first = VersionNumber(text) else { return Answer(isYes: nil, reason: .switchVersionUnreadable) }
        return original < first
            ? Answer(isYes: true, reason: .versionBefore) : Answer(isYes: false, reason: .notBefore)
    }
}
