import Foundation
import ReferralBridge
import Testing

/// All tests share the one general pasteboard and the one application, so they run one after the other.
@Suite(.serialized) enum PlatformTests {}

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

    /// What an app has, but for the clock: the general pasteboard, and the application's activity.
    @MainActor
    static func bridge(
        _ ledger: any ReferralLedger = InMemoryLedger(),
        pasteboard: any Pasteboard = SystemPasteboard(),
        clock: DeviceClock = TestClock().clock
    ) -> AppStoreBridge {
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: 1_300_230_302),
            pasteboard: pasteboard,
            ledger: ledger,
            activity: SystemActivity(),
            clock: clock
        )
        bridges.append { [weak bridge] in bridge == nil }
        return bridge
    }

    /// Waits for the bridges of earlier tests: one that still checks would read what the next test puts there.
    @MainActor
    static func bridgesAreGone() async {
        await until("a bridge that nobody keeps is gone") { bridges.allSatisfy { $0() } }
        bridges = []
    }

    /// Whether each of the bridges is gone.
    @MainActor private static var bridges: [() -> Bool] = []
}

/// What an app is told.
@MainActor
final class Reports {
    private(set) var referrers: [String] = []
    private(set) var outcomes: [AppStoreBridge.Outcome] = []

    init(of bridge: AppStoreBridge) {
        bridge.onArrival = { [weak self] in self?.referrers.append($0.referrer) }
        bridge.onOutcome = { [weak self] in self?.outcomes.append($0) }
    }
}

/// How long a test waits at most for what should come at once.
let patience = Duration.seconds(20)

/// Goes on once something is so. What is waited for happens on other threads, and comes as soon as they run.
@MainActor
func until(_ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool) async {
    let deadline = ContinuousClock.now + patience
    while !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record(comment, sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}

extension AppStoreBridge.Outcome {
    var isFound: Bool { if case .found = self { true } else { false } }
    var isStoreUnavailable: Bool { if case .storeUnavailable = self { true } else { false } }
}
