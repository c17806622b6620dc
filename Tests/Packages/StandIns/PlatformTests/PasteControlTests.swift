#if canImport(UIKit)
import AccessLog
import Foundation
import TestSupport
import Testing
import UIKit

@testable import ReferralBridge

extension PlatformTests {
    /// The button of UIKit: pressing it is the permission.
    @MainActor
    struct PasteControlTests {
        private let control = UIPasteControl(configuration: UIPasteControl.Configuration())

        init() async {
            await Device.launchInFront()
            UIPasteboard.forTests.ask(.declines)
            control.frame = CGRect(x: 0, y: 0, width: 120, height: 34)
        }

        @Test("it takes a link that was copied as an address, as text, or as both, and asks nobody", arguments: 0..<3)
        func link(_ way: Int) async throws {
            let url = try #require(URL(string: Fixture.link()))
            let providers = [
                NSItemProvider(loading: url), NSItemProvider(loading: Fixture.link()),
                NSItemProvider(loading: url, Fixture.link()),
            ]
            #expect(await outcome(of: providers[way])?.isFound == true)
            #expect(UIPasteboard.forTests.questions == 0)
            #expect(Device.log.accesses.isEmpty, "the pasteboard itself isn't touched")
        }

        @Test("a text that the system promises and doesn't give is an outcome")
        func failing() async {
            #expect(await outcome(of: NSItemProvider(loading: CocoaError(.fileReadUnknown))) == .emptyOrDenied)
        }

        @Test("there is nothing to press while a picture is on the pasteboard")
        func picture() async {
            #expect(await outcome(of: NSItemProvider(loading: 1)) == nil)
        }

        @Test("a control of less than 34 points is empty")
        func small() async {
            control.frame.size.height = 33
            #expect(await outcome(of: NSItemProvider(loading: Fixture.link())) == nil)
        }

        @Test("the control doesn't keep its target")
        func letGo() {
            control.target = PasteTarget(Fixture.bridge()) { _ in }
            #expect(control.target == nil)
            #expect(!control.press([NSItemProvider(loading: Fixture.link())]))
        }

        @Test("the stand-in asks the person if the target itself says what can be pasted")
        func asking() {
            let target = AskingTarget()
            control.target = target
            #expect(!control.press([NSItemProvider(loading: Fixture.link())]))
            #expect(UIPasteboard.forTests.questions == 1)
        }

        /// What a press comes to; `nil` if there is nothing to press.
        private func outcome(of provider: NSItemProvider) async -> AppStoreBridge.Outcome? {
            let bridge = Fixture.bridge()
            bridge.onArrival = { _ in }
            var outcomes: [AppStoreBridge.Outcome] = []
            let target = PasteTarget(bridge) { outcomes.append($0) }
            control.target = target
            guard control.press([provider]) else { return nil }
            await until("the paste comes to something") { !outcomes.isEmpty }
            withExtendedLifetime(target) {}
            return outcomes.first
        }
    }
}

private final class PasteTarget: NSObject, UIPasteConfigurationSupporting {
    var pasteConfiguration: UIPasteConfiguration? = UIPasteConfiguration(
        acceptableTypeIdentifiers: ["public.url", "public.plain-text"]
    )
    private let bridge: AppStoreBridge
    private let completion: @MainActor (AppStoreBridge.Outcome) -> Void

    init(_ bridge: AppStoreBridge, completion: @escaping @MainActor (AppStoreBridge.Outcome) -> Void) {
        (self.bridge, self.completion) = (bridge, completion)
    }

    func paste(itemProviders: [NSItemProvider]) {
        Task { completion(await bridge.handlePaste(itemProviders: itemProviders)) }
    }
}

private final class AskingTarget: NSObject, UIPasteConfigurationSupporting {
    var pasteConfiguration: UIPasteConfiguration?
    func paste(itemProviders: [NSItemProvider]) {}
    func canPaste(_ itemProviders: [NSItemProvider]) -> Bool { false }
}
#endif
