import Foundation
import ReferralBridge
import Testing

/// A link whose tap lies a second before the moment at which the bridges of these tests live.
enum Fixture {
    static let now = Timestamp(milliseconds: 1_795_224_750_690)

    static func link(_ referrer: String = "spring", age: Double = 1_000) -> String {
        let payload = #"{"timestamp":\#(Int64(now.milliseconds - age)),"referrer":"\#(referrer)"}"#
        return "https://apps.apple.com/app/id1300230302?ed=" + Data(payload.utf8).base64EncodedString()
    }

    /// A link that is stamped now, for bridges with the system's clock.
    static func freshLink(_ referrer: String = "spring") throws -> String {
        try ReferralLink(page: StorePage(appID: 1_300_230_302), referral: Referral(referrer: referrer)).address
    }

    /// Defaults that nobody used before.
    static func defaults() throws -> UserDefaults {
        try #require(UserDefaults(suiteName: "referral-bridge-tests-\(UUID().uuidString)"))
    }

    @MainActor
    static func bridge(
        _ ledger: any ReferralLedger = MemoryLedger(),
        timer: @escaping @Sendable (Double) async -> Void = { _ in try? await Task.sleep(nanoseconds: .max / 2) }
    ) -> AppStoreBridge {
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: 1_300_230_302),
            pasteboard: SystemPasteboard(),
            ledger: ledger,
            now: { now },
            timer: timer
        )
        bridge.onReferral = { _ in }
        return bridge
    }
}

/// All tests share the one general pasteboard, so they run one after the other.
@Suite(.serialized) enum PlatformTests {}
