#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation
import ReferralBridge
import TestSupport
import Testing
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// The general pasteboard of a Mac or a simulator.
///
/// It is somebody's clipboard, so these tests run only with `REAL_PASTEBOARD=1` in the environment. The system asks nobody,
/// since the tests read what they have put there themselves.
@Suite(.serialized, .enabled(if: RealPasteboard.isThere), .endsIfHung)
@MainActor
struct RealPasteboardTests {
    let pasteboard = SystemPasteboard()

    @Test("a link that was copied as a page copies it is detected, and read once")
    func link() async throws {
        RealPasteboard.put(Fixture.link(), isAddress: true)
        #expect(try await pasteboard.mayHoldLink())
        let contents = try await pasteboard.contents()
        #expect(contents.strings == [Fixture.link()])
        #expect(await contents.changeCount == pasteboard.changeCount)
    }

    @Test("a link that was copied as text alone is detected too")
    func plainText() async throws {
        RealPasteboard.put(Fixture.link(), isAddress: false)
        #expect(try await pasteboard.mayHoldLink())
        #expect(try await pasteboard.contents().strings.contains(Fixture.link()))
    }

    @Test("other text isn't a link, so that nobody is asked for it")
    func otherText() async throws {
        RealPasteboard.put("see you at eight", isAddress: false)
        #expect(try await !pasteboard.mayHoldLink())
    }

    @Test("whatever is put there changes the count")
    func changeCount() async throws {
        RealPasteboard.put("one", isAddress: false)
        let first = try #require(await pasteboard.changeCount)
        RealPasteboard.put("two", isAddress: false)
        #expect(await pasteboard.changeCount != first)
    }

    @Test("a bridge finds the link on it")
    func bridge() async throws {
        RealPasteboard.put(Fixture.link("real"), isAddress: true)
        let clock = DeviceClock(now: { Fixture.now })
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: Fixture.app),
            pasteboard: pasteboard,
            ledger: InMemoryLedger(),
            clock: clock
        )
        var referrers: [String] = []
        bridge.onArrival = { referrers.append($0.referrer) }
        await bridge.checkForReferralLinks()
        #expect(referrers == ["real"])
    }
}

private enum RealPasteboard {
    /// Whether the tests may use it, and whether there is one: not on a Mac where nobody has logged in, and perhaps not in a
    /// simulator, where a package's tests run without an app around them.
    static let isThere: Bool = {
        guard ProcessInfo.processInfo.environment["REAL_PASTEBOARD"] == "1" else { return false }
        let before = changeCount
        put("is there a pasteboard", isAddress: false)
        return changeCount != before
    }()

    #if canImport(UIKit)
    private static var changeCount: Int { UIPasteboard.general.changeCount }

    /// Puts a text there, as a page's script does it: with or without an address beside it.
    static func put(_ text: String, isAddress: Bool) {
        var item: [String: Any] = ["public.utf8-plain-text": text]
        if isAddress { item["public.url"] = URL(string: text) }
        UIPasteboard.general.items = [item]
    }
    #else
    private static var changeCount: Int { NSPasteboard.general.changeCount }

    static func put(_ text: String, isAddress: Bool) {
        let pasteboard = NSPasteboard.general
        pasteboard.clearContents()
        pasteboard.setString(text, forType: .string)
        if isAddress { pasteboard.setString(text, forType: .URL) }
    }
    #endif
}
#endif
