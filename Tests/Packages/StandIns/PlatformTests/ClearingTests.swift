import AccessLog
import Foundation
import ReferralBridge
import TestSupport
import Testing

extension PlatformTests {
    /// Only what was read is cleared, and only while it is still there.
    @MainActor
    struct ClearingTests {
        private let bridge: AppStoreBridge
        private let clearing = BlockedReadTests.clearing

        init() async {
            await Device.launchInFront()
            bridge = Fixture.bridge()
            bridge.onArrival = { _ in }
            bridge.clearsPasteboard = true
        }

        @Test("a link that was reported is cleared once, and the pasteboard is empty then")
        func reported() async {
            Device.put(Fixture.link())
            #expect(await bridge.checkForReferralLinks().isFound)
            await until("it is cleared") { Device.log.count(clearing) == 1 }
            #expect(await bridge.checkForReferralLinks() == .noLinkDetected)
            #expect(Device.log.count(clearing) == 1)
        }

        @Test("what the person has copied since the read stays")
        func changed() async {
            let latch = Latch()
            Device.put(Fixture.link())
            Device.log.during(BlockedReadTests.read) { latch.wait() }
            async let outcome = bridge.checkForReferralLinks()
            await until("it reads") { Device.log.count(BlockedReadTests.read) == 1 }
            Device.put(Fixture.link("summer"))
            latch.open()
            #expect(await outcome.isFound)
            await until("it looks whether to clear") { Device.log.count("changeCount") >= 3 }
            await SystemPasteboard().clear(ifChangeCountIs: -1)
            #expect(Device.log.count(clearing) == 0)
        }

        @Test("nothing is cleared that isn't ours, or was told to nobody", arguments: [true, false])
        func foreign(_ isReported: Bool) async {
            if !isReported { bridge.onArrival = nil }
            Device.put(isReported ? "https://example.com" : Fixture.link())
            await bridge.checkForReferralLinks()
            await SystemPasteboard().clear(ifChangeCountIs: -1)
            #expect(Device.log.count(clearing) == 0)
        }
    }
}
