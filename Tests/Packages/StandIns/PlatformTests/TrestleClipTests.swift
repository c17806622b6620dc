#if canImport(UIKit)
import AccessLog
import Foundation
import ReferralBridge
import SwiftUI
import Testing

@testable import TrestleClip

extension PlatformTests {
    /// The example's App Clip, and the app that replaces it.
    @MainActor
    struct TrestleClipTests {
        init() async { await Device.launchInFront() }

        private func open(_ address: String, in rendering: Rendering) throws {
            #expect(rendering.userActivityActions.count == 1)
            rendering.deliver(try #require(URL(string: address)), as: .activity)
        }

        @Test("the clip leaves its address, offers the app, and the app knows who sent the user without asking")
        func carries() async throws {
            let group = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: group) }
            let view = ClipScreen(handover: ClipHandover(group: group))
            try open("https://example.com/boards/42?via=anna", in: Rendering(view))
            #expect(Rendering(view).texts.contains("anna invited you to a board."))
            #expect(Rendering(view).storeOverlays.count == 1)
            let folder = group.appending(path: "ReferralBridge").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["clip.json"])

            Device.put(try Fixture.freshLink("from the web"))
            var scanner = ReferralScanner(appID: 1_300_230_302)
            scanner.landingPages = [LandingPage("https://example.com/boards/*", opensPath: true)]
            let bridge = AppStoreBridge(scanner: scanner)
            bridge.clipHandover = ClipHandover(group: group)
            var arrivals: [Arrival] = []
            bridge.onArrival = { arrivals.append($0) }
            await bridge.checkForReferralLinks()
            #expect(arrivals.map(\.referrer) == ["anna"])
            #expect(arrivals.map(\.destination) == ["/boards/42"])
            #expect(arrivals.map(\.road) == [.appClip])
            #expect(Device.log.accesses.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }

        @Test("a clip that isn't in the app group says so, and shows of a name only letters and digits")
        func withoutGroup() throws {
            let view = ClipScreen(handover: nil)
            try open("https://example.com/get?via=ann%0Aa%20has%20won", in: Rendering(view))
            #expect(Rendering(view).texts.contains("ann invited you to a board."))
            #expect(Rendering(view).texts.contains { $0.contains("app group") })
        }
    }
}
#endif
