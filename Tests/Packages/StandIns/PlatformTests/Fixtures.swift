import Foundation
import ReferralBridge
import TestSupport
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

    /// A link that is stamped now, or so many milliseconds ago, for bridges with the system's clock.
    static func freshLink(_ referrer: String = "spring", age: Double = 0) throws -> String {
        let time = Timestamp(milliseconds: Timestamp.now.milliseconds - age)
        let referral = try Referral(referrer: referrer, timestamp: time)
        return try ReferralLink(page: StorePage(appID: 1_300_230_302), referral: referral).address
    }

    /// A clock that stands still. Its sleeps end when a test says so.
    static func clock() -> TestClock { TestClock(endsSleeps: false, uptime: DeviceClock.system.uptime) }

    /// Defaults that nobody used before.
    static func defaults() throws -> UserDefaults {
        try #require(UserDefaults(suiteName: "referral-bridge-tests-\(UUID().uuidString)"))
    }

    /// What an app has, but for the clock: the general pasteboard, and the application's activity.
    @MainActor
    static func bridge(
        _ ledger: any ReferralLedger = InMemoryLedger(),
        pasteboard: any Pasteboard = SystemPasteboard(),
        clock: DeviceClock = Fixture.clock().clock
    ) -> AppStoreBridge {
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: 1_300_230_302),
            pasteboard: pasteboard,
            ledger: ledger,
            activity: SystemActivity(),
            clock: clock
        )
        bridge.attributionPolicy = .everyone
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

extension FileManager {
    /// Copies what an app has saved. What it is just writing has another name until it is whole, and may be gone at any moment.
    func copySaved(_ folder: URL, to copy: URL) throws {
        try createDirectory(at: copy, withIntermediateDirectories: true)
        for file in try contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension != "new" {
            let place = copy.appending(path: file.lastPathComponent)
            if file.hasDirectoryPath { try copySaved(file, to: place) } else { try copyItem(at: file, to: place) }
        }
    }
}

extension AppStoreBridge.Outcome {
    var isFound: Bool { if case .found = self { true } else { false } }
}
