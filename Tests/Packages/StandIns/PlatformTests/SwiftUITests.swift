import AccessLog
import Foundation
import SwiftUI
import TestSupport
import Testing
import UniformTypeIdentifiers

@testable import ReferralBridge

extension PlatformTests {
    @MainActor
    struct SwiftUITests {
        init() async { await Device.launchInFront() }

        @Test("one modifier does the launch and the links that open the app")
        func modifier() async throws {
            UserDefaults.standard.removeObject(forKey: "ReferralBridge")
            defer { UserDefaults.standard.removeObject(forKey: "ReferralBridge") }
            var referrers: [String] = []
            // A tap of the same millisecond would not be newer.
            Device.put(try Fixture.freshLink("from the web", age: 1_000))
            let rendering = Rendering(
                Text("x").onReferral(appID: 1_300_230_302, attributionPolicy: .everyone) {
                    referrers.append($0.referrer)
                }
            )
            #expect(rendering.texts == ["x"])
            for task in rendering.tasks { await task() }
            #expect(referrers == ["from the web"])

            let ed = try Fixture.freshLink("opened").drop { $0 != "?" }
            let url = try #require(URL(string: "trestle://open\(ed)"))
            rendering.urlActions.forEach { $0(url) }
            #expect(referrers == ["from the web", "opened"])
        }

        @Test("a bridge of the app's own calls its closure, and then the view's action")
        func ownBridge() async throws {
            let bridge = Fixture.bridge()
            var calls: [String] = []
            bridge.onArrival = { calls.append("closure: \($0.referrer)") }
            let rendering = Rendering(Text("x").onReferral(bridge) { calls.append("view: \($0.referrer)") })
            for task in rendering.tasks { await task() }
            let ed = Fixture.link("opened").drop { $0 != "?" }
            let url = try #require(URL(string: "trestle://open\(ed)"))
            rendering.urlActions.forEach { $0(url) }
            #expect(calls == ["closure: opened", "view: opened"])
        }

        /// A bridge that knows a landing page, and whose clock a test sets.
        private func landingBridge(_ clock: TestClock) -> AppStoreBridge {
            var scanner = ReferralScanner(appID: 1_300_230_302)
            scanner.landingPages = [LandingPage("https://example.com/get")]
            return AppStoreBridge(
                scanner: scanner,
                pasteboard: InMemoryPasteboard([]),
                ledger: InMemoryLedger(),
                clock: clock.clock
            )
        }

        @Test(
            "a link counts once, whichever way the system delivers it, or if it comes both ways",
            arguments: Rendering.Delivery.allCases
        )
        func deliveries(_ delivery: Rendering.Delivery) throws {
            let clock = TestClock()
            var referrers: [String] = []
            let view = Text("x").onReferral(landingBridge(clock)) { referrers.append($0.referrer) }
            let scanned = try #require(URL(string: "https://example.com/get?via=anna"))
            let ed = Fixture.link("ben", age: -1).drop { $0 != "?" }
            let stamped = try #require(URL(string: "https://example.com/get\(ed)"))
            let rendering = Rendering(view)
            rendering.deliver(scanned, as: delivery)
            #expect(referrers == ["anna"])
            // A body in between makes no difference.
            let again = Rendering(view, after: rendering)
            again.deliver(scanned, as: delivery)
            #expect(referrers == ["anna"])
            again.deliver(stamped, as: delivery)
            again.deliver(stamped, as: delivery)
            #expect(referrers == ["anna", "ben"])
            // Another tap.
            clock.now = clock.now.advanced(by: 2)
            again.deliver(scanned, as: delivery)
            #expect(referrers == ["anna", "ben", "anna"])
        }

        @Test(
            "an app's own bridge hears of each link once, on the launch that it starts too",
            arguments: Rendering.Delivery.allCases
        )
        func openLink(_ delivery: Rendering.Delivery) throws {
            var opened: [String] = []
            let clock = TestClock()
            let view = Text("x").onOpenLink(clock: clock.clock) { opened.append($0.absoluteString) }
            let rendering = Rendering(view)
            #expect(rendering.texts == ["x"])
            for address in ["https://example.com/a", "trestle://b", "https://example.com/a"] {
                rendering.deliver(try #require(URL(string: address)), as: delivery)
            }
            #expect(opened == ["https://example.com/a", "trestle://b"])
            clock.now = clock.now.advanced(by: 1.999)
            rendering.deliver(try #require(URL(string: "trestle://b")), as: delivery)
            #expect(opened.count == 2)
            let system = Rendering(Text("x").onOpenLink { opened.append($0.absoluteString) })
            system.deliver(try #require(URL(string: "trestle://c")), as: delivery)
            #expect(opened.last == "trestle://c")
            let other = NSUserActivity(activityType: "com.example.other")
            other.webpageURL = URL(string: "https://example.com/other")
            #expect(system.userActivityActions.allSatisfy { $0.type != other.activityType })
        }

        @Test("a paste and a late answer call the action of the last body")
        func lastAction() async throws {
            let bridge = Fixture.bridge()
            var calls: [String] = []
            func view(_ name: String) -> some View {
                Text("x").onReferral(bridge) { calls.append("\(name): \($0.referrer)") }
            }
            let first = Rendering(view("first"))
            for task in first.tasks { await task() }
            let second = Rendering(view("second"), after: first)
            bridge.handlePaste([Fixture.link("pasted")])
            #expect(calls == ["second: pasted"])
            let third = Rendering(view("third"), after: second)
            let late = try #require(URL(string: "trestle://open\(Fixture.link("opened", age: 500).drop { $0 != "?" })"))
            third.deliver(late)
            _ = Rendering(view("fourth"), after: third)
            bridge.handlePaste([Fixture.link("again", age: 100)])
            #expect(calls == ["second: pasted", "third: opened", "fourth: again"])
        }

        @Test("the modifier keeps to the policy that it is given")
        func policy() async throws {
            UserDefaults.standard.removeObject(forKey: "ReferralBridge")
            defer { UserDefaults.standard.removeObject(forKey: "ReferralBridge") }
            try LedgerRecord(isFirstLaunchOver: true).save(in: UserDefaultsLedger())
            Device.put(try Fixture.freshLink())
            let view = Text("x").onReferral(appID: 1_300_230_302) { _ in
                Issue.record("the first launch is over")
            }
            for task in Rendering(view).tasks { await task() }
            #expect(Device.log.accesses.isEmpty)
        }

        @Test("the paste button takes links copied as addresses and as text")
        func pasteButton() async throws {
            for object in [URL(string: Fixture.link()) as Any, Fixture.link()] {
                #expect(try await outcome(of: NSItemProvider(loading: object))?.isFound == true)
            }
            #expect(Device.log.accesses.isEmpty, "the button is the permission; the pasteboard itself isn't touched")
        }

        @Test("a text that the system promises and doesn't give is an outcome, and a picture can't be pasted")
        func failing() async throws {
            #expect(try await outcome(of: NSItemProvider(loading: CancellationError())) == .emptyOrDenied)
            #expect(try await outcome(of: NSItemProvider(loading: 1)) == nil)
        }

        /// What a press comes to; `nil` if there is nothing to press.
        private func outcome(of provider: NSItemProvider) async throws -> AppStoreBridge.Outcome? {
            let bridge = Fixture.bridge()
            bridge.onArrival = { _ in }
            var outcomes: [AppStoreBridge.Outcome] = []
            let rendering = Rendering(ReferralPasteButton(bridge) { outcomes.append($0) })
            guard try #require(rendering.pasteButtons.first).press([provider]) else { return nil }
            await until("the paste comes to something") { !outcomes.isEmpty }
            return outcomes.first
        }
    }
}
