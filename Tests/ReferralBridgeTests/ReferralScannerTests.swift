import Testing

@testable import ReferralBridge

struct ReferralScannerTests {
    let scanner = ReferralScanner(appID: Fixture.app)

    @Test(
        "window and tolerance can be set",
        arguments: [
            (AttributionWindow(duration: 1.001), 1_000, Verdict.found),
            (AttributionWindow(duration: 1.001), 1_001, .expired),
            (AttributionWindow(duration: 0), 0, .expired), (AttributionWindow(duration: 0.001), 0, .found),
            (AttributionWindow(duration: 300, clockTolerance: 0), -1, .fromTheFuture),
            (AttributionWindow(duration: .infinity), 1e12, .found),
            (AttributionWindow(duration: .infinity), -30_001, .fromTheFuture),
        ] as [(AttributionWindow, Double, Verdict)]
    )
    func otherWindows(_ window: AttributionWindow, age: Double, expected: Verdict) {
        let scanner = ReferralScanner(appID: Fixture.app, window: window)
        #expect(scanner.judge(Fixture.link(age: age), now: Fixture.now).verdict == expected)
    }

    @Test("fractions of a millisecond count")
    func fractions() {
        let link = Fixture.link(payload: #"{"timestamp":1795224450690.25,"referrer":"x"}"#)
        #expect(scanner.judge(link, now: Fixture.now).verdict == .found, "the tap is 299,999.75 ms old")
    }

    @Test("if now isn't a number, a scan finds nothing rather than everything")
    func noNumber() {
        let result = scanner.scan([Fixture.link()], now: Timestamp(milliseconds: .nan))
        #expect(result.verdicts == [.expired])
        #expect(!result.judgments[0].reason.isEmpty)
    }

    @Test("the newest tap is found, on a tie the first in the list, and every string gets its verdict")
    func newest() {
        let strings = [
            "see you at eight", Fixture.link("old", age: 3_000), "https://example.com/",
            Fixture.link("first", age: 1_000),
            Fixture.link("second", age: 1_000), "", Fixture.link("older", age: 2_000),
            Fixture.link("gone", age: 300_000),
        ]
        let result = scanner.scan(strings, now: Fixture.now)
        #expect(result.referral?.referrer == "first")
        #expect(result.referralIndex == 3)
        #expect(
            result.verdicts == [
                .notALink, .superseded, .notALink, .found, .superseded, .notALink, .superseded, .expired,
            ]
        )
    }

    @Test(
        "a judgment says its reason in a sentence, and nothing of what was on the clipboard",
        arguments: [
            (Fixture.link(age: 65_000), "The tap was 1 min 5 s ago."),
            (Fixture.link(age: 299_999), "The tap was 4 min 59 s 999 ms ago."),
            (Fixture.link(age: -1), "The tap lies 1 ms after now."),
            (Fixture.link(age: 90_061_001), "The tap was 1 d 1 h 1 min 1 s 1 ms ago; it counts for less than 5 min."),
            (Fixture.link(age: -30_001), "The tap lies 30 s 1 ms after now; the clock tolerance is 30 s."),
            ("secret", "It does not begin with https://, http://, itms-apps:// or another scheme of the App Store."),
            (
                "https://secret.example/",
                "The host is not the App Store's, apps.apple.com or itunes.apple.com."
            ),
            ("https://apps.apple.com/id9?secret", "The address is that of another app."),
            (
                "https://apps.apple.com/id1300230302?secret",
                "The address carries no referral: it has no query item ed, or an empty one."
            ),
        ]
    )
    func reasons(_ string: String, reason: String) {
        #expect(scanner.judge(string, now: Fixture.now).reason == reason)
    }

    @Test("a reason never contradicts its verdict")
    func roundedReasons() {
        let ahead = Fixture.link(payload: #"{"timestamp":1795224780690.5,"referrer":"x"}"#)
        #expect(scanner.judge(ahead, now: Fixture.now).reason.hasPrefix("The tap lies 30 s 1 ms after now"))
        let old = Fixture.link(payload: #"{"timestamp":1795224450690.5,"referrer":"x"}"#)
        #expect(scanner.judge(old, now: Fixture.now).reason == "The tap was 4 min 59 s 999 ms ago.")
    }
}
