import Foundation
import ReferralBridge
import TestSupport
import Testing

extension PlatformTests {
    /// Counts in an app: the general pasteboard, the application's activity, and a file in the app's folder.
    @MainActor
    struct ArrivalCountsTests {
        init() async { await Device.launchInFront() }

        @Test(
            "an arrival and an event count in the file, from launch to launch, and a second launch doesn't count it again"
        )
        func launches() async throws {
            let (place, ledger) = (TemporaryFolder("counts"), UserDefaultsLedger(try Fixture.defaults()))
            let url = try #require(URL(string: "trestle://open\(try Fixture.freshLink("opened").drop { $0 != "?" })"))
            Device.put(try Fixture.freshLink("anna", age: 1_000))
            var export = ""
            for _ in 0..<2 {
                let bridge = Fixture.bridge(ledger, clock: .system)
                bridge.onArrival = { _ in }
                let counts = ArrivalCounts(appID: 1_300_230_302, in: place.url)
                counts.observe(bridge)
                await bridge.checkForReferralLinks()
                counts.record(event: "start")
                bridge.handle(url)
                export = try counts.export()
            }
            #expect(
                export.replacing(/[0-9]+-[0-9]+-[0-9]+/, with: "DAY") == #"{"app":"1300230302","rows":["#
                    + #"{"count":1,"day":"DAY","outcome":"found","referrer":"anna","road":"pasteboard"},"#
                    + #"{"count":1,"day":"DAY","event":"start","referrer":"anna"},"#
                    + #"{"count":1,"day":"DAY","outcome":"found","referrer":"opened","road":"opened"},"#
                    + #"{"count":1,"day":"DAY","event":"start","referrer":"opened"}],"version":1}"#
            )
        }
    }
}
