import Foundation
import ReferralBridge
import SwiftUI
import Testing
import UniformTypeIdentifiers

extension PlatformTests {
    @MainActor
    struct SwiftUITests {
        private final class Referrers {
            var all: [String] = []
        }

        private func put(_ link: String) {
            #if canImport(UIKit)
            var content = UIPasteboard.Content()
            content.urls = URL(string: link).map { [$0] }
            content.hasURLs = true
            UIPasteboard.general.put(content)
            #else
            NSPasteboard.general.put([[.URL: link]])
            #endif
        }

        @Test("one modifier does the launch and the links that open the app")
        func modifier() async throws {
            UserDefaults.standard.removeObject(forKey: "ReferralBridge")
            defer { UserDefaults.standard.removeObject(forKey: "ReferralBridge") }
            let referrers = Referrers()
            put(try Fixture.freshLink("from the web"))
            let rendering = Rendering(Text("x").onReferral(appID: 1_300_230_302) { referrers.all.append($0.referrer) })
            #expect(rendering.texts == ["x"])
            for task in rendering.tasks { await task() }
            #expect(referrers.all == ["from the web"])

            // A tap of the same millisecond would not be newer.
            try await Task.sleep(nanoseconds: 2_000_000)
            let ed = try Fixture.freshLink("opened").drop { $0 != "?" }
            let url = try #require(URL(string: "trestle://open\(ed)"))
            rendering.urlActions.forEach { $0(url) }
            #expect(referrers.all == ["from the web", "opened"])
        }

        @Test("the paste button takes links copied as addresses and as text")
        func pasteButton() async throws {
            for object in [URL(string: Fixture.link()) as Any, Fixture.link(), CancellationError()] {
                var outcomes: [AppStoreBridge.Outcome] = []
                let rendering = Rendering(ReferralPasteButton(Fixture.bridge()) { outcomes.append($0) })
                let button = try #require(rendering.pasteButtons.first)
                #expect(button.contentTypes == [.url, .plainText])
                button.action([NSItemProvider(loading: object)])
                while outcomes.isEmpty { await Task.yield() }
                if object is any Error {
                    #expect(outcomes == [.notAllowedOrEmpty], "what cannot be loaded is an outcome too")
                } else if case .found = outcomes[0] {
                } else {
                    Issue.record("\(outcomes)")
                }
            }
        }
    }
}
