import AccessLog
import Foundation
import TestSupport
import Testing

@testable import ReferralBasics
@testable import ReferralBridge

#if canImport(UIKit)
import UIKit

/// The general pasteboard and the application of either platform, for tests that run on both.
@MainActor
enum Device {
    static var log: AccessLog { UIPasteboard.forTests.log }

    /// How often something was read that the system asks about.
    static var reads: Int { log.accesses.count { !UIPasteboard.silentAccesses.contains($0.name) } }

    static func put(_ address: String) {
        UIPasteboard.forTests.put(UIPasteboard.Content(urls: URL(string: address).map { [$0] }))
    }

    /// An app at `didFinishLaunching`, and nothing on the pasteboard.
    static func launch() async {
        await Fixture.bridgesAreGone()
        UIPasteboard.forTests.reset()
        UIApplication.forTests.launch()
    }

    static func becomeActive() async { await UIApplication.forTests.becomeActive() }
    static func leaveFront() async { await UIApplication.forTests.enterBackground() }
}
#else
import AppKit

/// The general pasteboard and the application of either platform, for tests that run on both.
@MainActor
enum Device {
    static var log: AccessLog { NSPasteboard.forTests.log }

    /// How often something was read that the system asks about.
    static var reads: Int { log.accesses.count { !NSPasteboard.silentAccesses.contains($0.name) } }

    static func put(_ address: String) { NSPasteboard.forTests.put([[.URL: address]]) }

    /// An app at `didFinishLaunching`, and nothing on the pasteboard.
    static func launch() async {
        await Fixture.bridgesAreGone()
        NSPasteboard.forTests.reset()
        NSApplication.shared.launch()
    }

    static func becomeActive() async { await NSApplication.shared.becomeActive() }
    static func leaveFront() async { await NSApplication.shared.resignActive() }
}
#endif

extension Device {
    /// An app in front, and nothing on the pasteboard.
    static func launchInFront() async {
        await launch()
        await becomeActive()
    }

    /// The person leaves, does something, and comes back.
    static func visitAnotherApp(_ action: () -> Void = {}) async {
        await leaveFront()
        action()
        await becomeActive()
    }

    /// Returns once nothing comes any more of what happened before, also from the pasteboard.
    static func rest() async {
        await TestSupport.rest()
        await withCheckedContinuation { done in SystemPasteboard.queue.async { done.resume() } }
        await TestSupport.rest()
    }
}
