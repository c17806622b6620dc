import AccessLog
import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import UniformTypeIdentifiers

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
            let rendering = Rendering(Text("x").onReferral(appID: 1_300_230_302) { referrers.append($0.referrer) })
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

        @Test("the modifier keeps to the policy that it is given")
        func policy() async throws {
            UserDefaults.standard.removeObject(forKey: "ReferralBridge")
            defer { UserDefaults.standard.removeObject(forKey: "ReferralBridge") }
            try UserDefaultsLedger().save(LedgerRecord(isFirstLaunchOver: true))
            Device.put(try Fixture.freshLink())
            let view = Text("x").onReferral(appID: 1_300_230_302, attributionPolicy: .firstLaunch) { _ in
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
