#if canImport(UIKit)
import Foundation
import ReferralBridge
import Testing
import UIKit

extension PlatformTests {
    @MainActor
    struct UIPasteboardTests {
        private let general = UIPasteboard.general

        init() {
            put()
            _ = general.takeLog()
        }

        private func put(
            strings: [String]? = nil,
            urls: [String] = [],
            hasURLs: Bool? = nil,
            looksLikeAnAddress: Bool = false,
            onRead: @escaping () -> Void = {}
        ) {
            var content = UIPasteboard.Content()
            content.strings = strings
            content.urls = urls.isEmpty ? nil : urls.compactMap { URL(string: $0) }
            content.hasURLs = hasURLs ?? !urls.isEmpty
            content.looksLikeAnAddress = looksLikeAnAddress
            content.onRead = onRead
            general.put(content)
        }

        @Test("with nothing on the clipboard nothing that prompts is touched, and three silent looks are all")
        func nothing() async {
            #expect(await Fixture.bridge().checkForReferralLinks() == .nothingToRead)
            let log = general.takeLog()
            #expect(log == ["changeCount", "hasURLs", "detectedPatterns"])
            #expect(UIPasteboard.silentAccesses.isSuperset(of: log))
        }

        @Test("text that is no address is never read")
        func text() async {
            put(strings: ["a password"])
            #expect(await Fixture.bridge().checkForReferralLinks() == .nothingToRead)
            #expect(UIPasteboard.silentAccesses.isSuperset(of: general.takeLog()))
        }

        @Test("an address that was copied as an address, as text, or as both is found once")
        func found() async {
            for (strings, urls) in [
                ([], [Fixture.link()]), ([Fixture.link()], []), ([Fixture.link()], [Fixture.link()]),
            ] {
                put(strings: strings, urls: urls, looksLikeAnAddress: !strings.isEmpty)
                guard case .found(let referral) = await Fixture.bridge().checkForReferralLinks() else {
                    Issue.record("\(strings) \(urls)")
                    continue
                }
                #expect(referral.referrer == "spring")
                #expect(await SystemPasteboard().strings() == [Fixture.link()])
            }
        }

        @Test("a person who declines is asked by one access, not by two")
        func declined() async {
            put(hasURLs: true)
            #expect(await Fixture.bridge().checkForReferralLinks() == .notAllowedOrEmpty)
            #expect(general.takeLog().filter { !UIPasteboard.silentAccesses.contains($0) } == ["urls"])
            put(looksLikeAnAddress: true)
            #expect(await Fixture.bridge().checkForReferralLinks() == .notAllowedOrEmpty)
            #expect(general.takeLog().filter { !UIPasteboard.silentAccesses.contains($0) } == ["strings"])
        }

        @Test("foreign content is read once for each change, from launch to launch")
        func oncePerChange() async throws {
            let ledger = UserDefaultsLedger(try Fixture.defaults())
            put(urls: ["https://example.com"])
            for _ in 0..<3 { await Fixture.bridge(ledger).checkForReferralLinks() }
            #expect(general.takeLog().count { $0 == "urls" } == 1)
            put(urls: [Fixture.link()])
            guard case .found = await Fixture.bridge(ledger).checkForReferralLinks() else {
                Issue.record("what was copied later must be read")
                return
            }
        }

        @Test("the read is made off the main thread, which goes on meanwhile, and a late one is given up")
        func slow() async {
            let threads = Threads()
            let (gate, clock) = (DispatchSemaphore(value: 0), Gate())
            put(urls: [Fixture.link()]) {
                threads.note(isMain: Thread.isMainThread)
                gate.wait()
            }
            let bridge = Fixture.bridge { _ in await clock.wait() }
            async let outcome = bridge.checkForReferralLinks()
            // The main actor is free while the read hangs: it gets to run this loop.
            while threads.reads.isEmpty { await Task.yield() }
            await clock.open()  // the fake clock's time limit is over
            #expect(await outcome == .timedOut)
            #expect(threads.reads == [false])

            gate.signal()
            gate.signal()
            put(urls: [Fixture.link()])
            guard case .found = await Fixture.bridge().checkForReferralLinks() else {
                Issue.record("the tap was used up")
                return
            }
        }

        @Test("clearing empties the pasteboard, unless something else was put there meanwhile")
        func clearing() async {
            put(urls: [Fixture.link()])
            let bridge = Fixture.bridge()
            bridge.clearsPasteboard = true
            await bridge.checkForReferralLinks()
            #expect(general.takeLog().contains("items="))

            put(urls: [Fixture.link(age: 500)], onRead: { [general] in general.put(UIPasteboard.Content()) })
            await bridge.checkForReferralLinks()
            #expect(!general.takeLog().contains("items="))
        }

        @Test("a clipboard full of junk is an outcome")
        func junk() async {
            put(strings: Array(repeating: "junk", count: 1_000), urls: ["https://example.com"])
            guard case .nothingForUs(let result) = await Fixture.bridge().checkForReferralLinks() else {
                Issue.record("another outcome")
                return
            }
            #expect(result.judgements.count == 2, "the same string is judged once")
        }

        @Test("the paste control takes links copied as addresses and as text, and nothing else")
        func pasteControl() async {
            for (object, isTaken) in [(URL(string: Fixture.link()) as Any, true), (Fixture.link(), true), (1, false)] {
                let outcomes = Outcomes()
                let target = ReferralPasteTarget(Fixture.bridge()) { outcomes.all.append($0) }
                let control = UIPasteControl(configuration: UIPasteControl.Configuration())
                control.target = target
                control.press([NSItemProvider(loading: object)])
                if isTaken { while outcomes.all.isEmpty { await Task.yield() } }
                #expect(outcomes.all.count == (isTaken ? 1 : 0))
                if case .found = outcomes.all.first {} else { #expect(!isTaken) }
            }
            #expect(general.takeLog() == [], "the button is the permission; the pasteboard itself is not touched")
        }
    }
}

@MainActor
private final class Outcomes {
    var all: [AppStoreBridge.Outcome] = []
}

private final class Threads: @unchecked Sendable {
    private let lock = NSLock()
    private var isMain: [Bool] = []
    var reads: [Bool] { lock.withLock { isMain } }
    func note(isMain: Bool) { lock.withLock { self.isMain.append(isMain) } }
}

private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
    }
}
#endif
