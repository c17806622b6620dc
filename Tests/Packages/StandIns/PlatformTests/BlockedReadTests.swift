import AccessLog
import Foundation
import TestSupport
import Testing

@testable import ReferralBridge

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension PlatformTests {
    /// A pasteboard blocks: while the system asks, while another device's clipboard is fetched, or for no known reason.
    @MainActor
    struct BlockedReadTests {
        #if canImport(UIKit)
        nonisolated static let read = "items"
        nonisolated static let accesses = ["general", "changeCount", "hasURLs", "detectPatterns", "items"]
        #else
        nonisolated static let read = "pasteboardItems"
        nonisolated static let accesses = [
            "general", "changeCount", "accessBehavior", "availableType", "pasteboardItems",
        ]
        #endif

        private let time = Fixture.clock()
        private let latch = Latch()

        init() async { await Device.launchInFront() }

        @Test(
            "whatever blocks, the caller has an outcome in time, and what was read is reported once",
            arguments: accesses
        )
        func anyAccess(_ access: String) async {
            let bridge = Fixture.bridge(clock: time.clock)
            let reports = Reports(of: bridge)
            if access == Self.read { Device.put(Fixture.link()) } else { putText() }
            Device.log.during(access) { [latch] in latch.wait() }
            async let outcome = bridge.checkForReferralLinks()
            await until("it blocks") { Device.log.count(access) == 1 && time.sleeping == 1 }
            time.endSleeps()
            #expect(await outcome == .stillReading)
            latch.open()
            await until("the check ends") { !reports.referrers.isEmpty }
            #expect(reports.referrers == ["spring"])
            #expect(reports.outcomes.count == 1)
        }

        @Test("no access makes the main thread wait, or a thread that Swift runs tasks on")
        func threads() async {
            let bridge = Fixture.bridge()
            let reports = Reports(of: bridge)
            putText()
            await bridge.checkForReferralLinks()
            #expect(reports.referrers == ["spring"])
            let accesses = Device.log.take()
            #expect(!accesses.contains { $0.isOnMainThread })
            // AppKit's search for patterns is an asynchronous function, and Swift has no other.
            #expect(!accesses.contains { $0.isInTask && $0.name != "detectedPatterns" })
        }

        @Test("a hundred checks of a pasteboard that blocks make one read, and block one thread")
        func oneThread() async {
            let bridge = Fixture.bridge(clock: time.clock)
            let reports = Reports(of: bridge)
            Device.put(Fixture.link())
            Device.log.during(Self.read) { [latch] in latch.wait() }
            let checks = (0..<100).map { _ in Task { await bridge.checkForReferralLinks() } }
            await until("they all wait") { Device.log.count(Self.read) == 1 && bridge.launch.calls.count == 100 }
            for _ in 0..<5 { await Device.visitAnotherApp() }
            time.endSleeps()
            for check in checks { #expect(await check.value == .stillReading) }
            #expect(Device.log.mostAtOnce == 1)
            #expect(Device.log.count(Self.read) == 1)
            latch.open()
            await until("the tap is found") { !reports.referrers.isEmpty }
            await until("it looks for the last activation") { reports.outcomes.last == .unchanged }
            #expect(reports.referrers == ["spring"])
            #expect(Device.log.count(Self.read) == 1)
        }

        @Test("several bridges together block one thread")
        func severalBridges() async {
            let bridges = (0..<3).map { _ in Fixture.bridge(clock: time.clock) }
            let reports = bridges.map { Reports(of: $0) }
            Device.put(Fixture.link())
            Device.log.during("changeCount") { [latch] in latch.wait() }
            let checks = bridges.map { bridge in Task { await bridge.checkForReferralLinks() } }
            await until("they all wait") { Device.log.count("changeCount") == 1 && time.sleeping == 3 }
            #expect(Device.log.mostAtOnce == 1)
            latch.open()
            for check in checks { #expect(await check.value.isFound) }
            #expect(reports.map(\.referrers) == [["spring"], ["spring"], ["spring"]])
        }

        @Test("an answer that comes after the tap has expired counts from when the check began")
        func longThought() async {
            let bridge = Fixture.bridge(clock: time.clock)
            let reports = Reports(of: bridge)
            Device.put(Fixture.link())
            Device.log.during(Self.read) { [latch] in latch.wait() }
            async let outcome = bridge.checkForReferralLinks()
            await until("it blocks") { Device.log.count(Self.read) == 1 && time.sleeping == 1 }
            time.now = Timestamp(milliseconds: time.now.milliseconds + 600_000)
            latch.open()
            #expect(await outcome.isFound)
            #expect(reports.referrers == ["spring"])
        }
    }
}

extension PlatformTests.BlockedReadTests {
    /// A link that was copied as text, so that every silent look is made.
    private func putText() {
        #if canImport(UIKit)
        UIPasteboard.forTests.put(UIPasteboard.Content(strings: [Fixture.link()], detection: .success(true)))
        #else
        NSPasteboard.forTests.put([[.string: Fixture.link()]])
        #endif
    }
}
