public import ReferralFoundation

/// A rule for users who bought the app before it became free: how to recognize them, and the unlocks that they get.
///
/// ```swift
/// let rule = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "230", .macOS: "3.0"])
/// ```
///
/// The original version that the store reports is the build number (`CFBundleVersion`) on iOS and the marketing version
/// (`CFBundleShortVersionString`) on macOS. So each platform has its own first free version.
public struct PaidBefore: Sendable {
    /// The names of the unlocks that the rule opens.
    public var grants: [UnlockID]
    /// The first version that was free, by platform.
    public var firstFreeVersions: [CatalogItem.Platform: String]
    /// The date at which the app became free; `nil` judges by versions alone.
    public var date: Date?
    /// An answer for tests. It is used only outside of production, where the answer is no without it: App Review and testers see
    /// what a new user sees.
    public var testAnswer: Bool?

    /// Creates a rule.
    public init(
        grants: [UnlockID],
        firstFreeVersions: [CatalogItem.Platform: String],
        date: Date? = nil,
        testAnswer: Bool? = nil
    ) {
        self.grants = grants
        self.firstFreeVersions = firstFreeVersions
        self.date = date
        self.testAnswer = testAnswer
    }
}

/// The app's own purchase as the store reports it in `AppTransaction`.
public struct AppPurchase: Sendable, Equatable {
    /// `appTransactionID`.
    public var id: String
    /// Whether the store's signature is valid.
    public var isVerified: Bool
    /// Whether the purchase was revoked.
    public var isRevoked: Bool
    /// The platform that the app was first bought on. Any value but iOS, macOS, tvOS and visionOS counts as not reported.
    public var originalPlatform: CatalogItem.Platform?
    /// The version that was first bought.
    public var originalVersion: String
    /// When the app was first bought.
    public var originalPurchase: Date
    /// Where the app was installed from.
    public var environment: StoreEnvironment
    /// The date at which the store signed this statement; `nil` if that isn't known.
    public var signedDate: Date?

    /// Creates a purchase.
    public init(
        id: String,
        isVerified: Bool,
        isRevoked: Bool,
        originalPlatform: CatalogItem.Platform?,
        originalVersion: String,
        originalPurchase: Date,
        environment: StoreEnvironment = .production,
        signedDate: Date? = nil
    ) {
        self.id = id
        self.isVerified = isVerified
        self.isRevoked = isRevoked
        self.originalPlatform = originalPlatform
        self.originalVersion = originalVersion
        self.originalPurchase = originalPurchase
        self.environment = environment
        self.signedDate = signedDate
    }
}

/// An environment of the store. Each purchase belongs to one environment.
public enum StoreEnvironment: String, Sendable, Codable {
    /// The App Store.
    case production
    /// The sandbox, which TestFlight uses too. Its app transactions report version `1.0`, bought in 2013.
    case sandbox
    /// Xcode.
    case xcode
}

extension PaidBefore {
    /// An answer, with its reason.
    package struct Answer: Sendable, Equatable {
        /// Whether the user bought the app before it became free; `nil` if that isn't known.
        package let isYes: Bool?
        /// Why.
        package let reason: Reason
    }

    /// The reason for an answer.
    public enum Reason: String, Sendable {
        /// The answer is ``PaidBefore/testAnswer``.
        case override
        /// The environment isn't production. Nobody has bought the app there, and versions and dates have no meaning.
        case environment
        /// The store doesn't answer now, and this answer was kept.
        case keptAnswer
        /// The store doesn't answer: the device is offline, nobody is signed in, or the system is iOS 15.
        case notAvailable
        /// The store's signature isn't valid.
        case notVerified
        /// The app's purchase was revoked.
        case revoked
        /// The app was bought on another platform, whose versions can't be compared with this one's.
        case otherPlatform
        /// The rule has no first free version for this platform.
        case noSwitchVersion
        /// The version that was bought isn't a ``VersionNumber``.
        case originalVersionUnreadable
        /// The first free version isn't a ``VersionNumber``.
        case switchVersionUnreadable
        /// The version that was bought is before the first free version.
        case versionBefore
        /// The purchase is before the date.
        case dateBefore
        /// Neither the version nor the purchase date is before the switch.
        case notBefore
    }

    /// A positive answer that is kept for use when the store doesn't answer. Only a revocation removes it.
    package struct Kept: Sendable, Equatable, Codable {
        /// The `appTransactionID` of the purchase.
        package let id: String
        /// The answer.
        package let answer: Bool
    }

    /// The answer of the first rule that applies to the app's own purchase.
    ///
    /// - Parameters:
    ///   - purchase: The app's own purchase; `nil` if the store doesn't answer.
    ///   - environment: The environment that the store works in, which counts if the store doesn't answer.
    ///   - platform: The platform that the app runs on.
    ///   - kept: The kept answer, which may be changed or removed.
    /// - Returns: The answer.
    package func answer(
        for purchase: AppPurchase?,
        in environment: StoreEnvironment = .production,
        on platform: CatalogItem.Platform,
        kept: inout Kept?
    ) -> Answer {
        guard purchase?.environment ?? environment == .production else {
            return Answer(isYes: testAnswer ?? false, reason: testAnswer == nil ? .environment : .override)
        }
        guard let purchase, purchase.isVerified else {
            if let kept, purchase.map({ Name($0.id) == Name(kept.id) }) ?? true {
                return Answer(isYes: kept.answer, reason: .keptAnswer)
            }
            return Answer(isYes: nil, reason: purchase == nil ? .notAvailable : .notVerified)
        }
        if purchase.isRevoked {
            kept = nil
            return Answer(isYes: false, reason: .revoked)
        }
        var answer = compareVersions(of: purchase, on: platform)
        if answer.isYes != true, let date, purchase.originalPurchase < date {
            answer = Answer(isYes: true, reason: .dateBefore)
        }
        if answer.isYes == true { kept = Kept(id: purchase.id, answer: true) }
        return answer
    }

    /// The platforms that the store reports. Old purchases have the value `unknown`, which isn't a platform, and neither is
    /// `managed` or a value from a newer StoreKit.
    private static let platforms: Set<CatalogItem.Platform> = [.iOS, .macOS, .tvOS, .visionOS]

    private func compareVersions(of purchase: AppPurchase, on platform: CatalogItem.Platform) -> Answer {
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
