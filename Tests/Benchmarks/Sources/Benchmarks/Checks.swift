import ReferralBridge

extension Benchmarks {
    /// A pasteboard as a launch finds it nearly always: without a link, and with the same content as before.
    struct QuietPasteboard: Pasteboard {
        let changeCount: Int?
        let strings: [String]

        func mayHoldLink() async -> Bool { !strings.isEmpty }

        func contents() async -> PasteboardContents {
            PasteboardContents(strings: strings, changeCount: changeCount)
        }
    }

    /// Times a check that finds nothing, from the call to its outcome.
    @MainActor
    static func check() async {
        print("a check that finds nothing")
        let text = String(plain)
        await check("an unchanged pasteboard", QuietPasteboard(changeCount: 1, strings: [text]), .unchanged)
        await check("the probe finds no link", QuietPasteboard(changeCount: 1, strings: []), .noLinkDetected)
        await check("1 kB is read and isn't a link", QuietPasteboard(changeCount: nil, strings: [text]), nil)
    }

    @MainActor
    private static func check(
        _ name: String,
        _ pasteboard: some Pasteboard,
        _ expected: AppStoreBridge.Outcome?
    ) async {
        let bridge = AppStoreBridge(appID: appID, pasteboard: pasteboard, ledger: InMemoryLedger())
        bridge.attributionPolicy = .everyone
        let clock = ContinuousClock()
        var times: [Double] = []
        for run in 0...5_000 {
            let start = clock.now
            let outcome = await bridge.checkForReferralLinks()
            let duration = clock.now - start
            guard run > 0 else { continue }  // the first run warms up, and reads what is unchanged later
            precondition(expected == nil ? outcome.arrival == nil : outcome == expected, "\(name): \(outcome)")
            times.append(Double(duration.components.attoseconds) / 1e12)
        }
        print("  \(name): \(median(times).formatted(.number.precision(.significantDigits(2)))) µs")
    }
}
