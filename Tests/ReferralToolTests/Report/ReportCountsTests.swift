import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

/// What the library counts on many devices, and what the command reads.
@MainActor
struct ReportCountsTests {
    /// What the test knows.
    private struct Known: Equatable {
        /// By the bytes of the names.
        var arrived: [[UInt8]: Int] = [:]
        var outcomes: [String: [String: Int]] = [:]
        var events: [[UInt8]: [String: Int]] = [:]
        var days: [String: Int] = [:]
    }

    @Test("the exports of 200 devices give the numbers that are known, for each referrer, road, outcome, event and day")
    func report() async throws {
        var random = SeededGenerator(state: 11)
        var known = Known()
        var lines: [String] = []
        for _ in 0..<200 { lines.append(try await device(&known, &random)) }

        let outcome = try Tool.run(
            ["report", "--json", "-", "--counts", "-"],
            input: Data(lines.joined(separator: "\n").utf8)
        )
        try #require(outcome.status == 0, "\(outcome.error)")
        let report = try JSONDecoder().decode(ReportLog.Report.self, from: outcome.bytes)
        var read = Known(outcomes: report.outcomes["before"] ?? [:])
        for row in report.referrers {
            let name = Array((row.referrer ?? row.group ?? "").utf8)
            if let count = row.counts?.arrived { read.arrived[name] = count }
            if let events = row.counts?.events { read.events[name] = events }
        }
        for row in try JSONDecoder().decode(Days.self, from: outcome.bytes).days {
            if let count = row.arrived { read.days[row.day] = count }
        }
        #expect(read == known)
        #expect(report.sources == ["counts": 200])
        #expect(report.leftOut == [:])
        #expect(known.arrived.count == 7 && known.outcomes.count == 4 && known.days.count == 4)
    }

    @Test("events weeks after the last visit don't stretch the drawing of the days")
    func lateEvent() throws {
        let rows = [
            #"{"day":"2026-10-01","road":"opened","outcome":"found","referrer":"anna","count":1}"#,
            #"{"day":"2026-10-03","road":"opened","outcome":"found","referrer":"anna","count":1}"#,
            #"{"day":"2026-10-31","event":"purchase","referrer":"anna","count":1}"#,
        ]
        let counts = #"{"version":1,"app":"1300230302","rows":[\#(rows.joined(separator: ","))]}"#
        let page = try Tool.run("report", "--html", "-", "--counts", "-", input: counts).output
        #expect(page.contains("<span>2026-10-01</span><span>2026-10-03</span>"))
        #expect(page.contains("<h1>Links, <time>2026-10-01</time> to <time>2026-10-31</time></h1>"))
    }

    private struct Days: Decodable {
        struct Row: Decodable {
            var day: String
            var arrived: Int?
        }

        var days: [Row]
    }

    /// Lets things happen on a device, and returns its export.
    private func device(_ known: inout Known, _ random: inout SeededGenerator) async throws -> String {
        // An hour before midnight in UTC.
        let clock = TestClock(Timestamp(milliseconds: 1_790_895_600_000))
        let storage = InMemoryLedger()
        let counts = ArrivalCounts(appID: 1_300_230_302, storage: storage, clock: clock.clock)
        var last: [UInt8]?
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            clock.milliseconds += Double(Int.random(in: 1...20, using: &random)) * 3_600_000
            let day = clock.now.date.formatted(.iso8601.year().month().day())
            let code = "4F7K-9Q2M-XRKQ"
            let referrer =
                ["anna", "ben", "caf\u{E9}", "cafe\u{301}", "\u{202E}x", code, "a,\"b"].randomElement(using: &random)
                ?? ""
            let name = Array((referrer == code ? "invitations" : referrer).utf8)
            func arrive(_ road: String) {
                known.arrived[name, default: 0] += 1
                known.outcomes[road, default: [:]]["found", default: 0] += 1
                known.days[day, default: 0] += 1
                last = name
            }
            func end(_ road: String, _ outcome: String) { known.outcomes[road, default: [:]][outcome, default: 0] += 1 }
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                await bridge([try link(referrer, at: clock.now)], counts, clock).checkForReferralLinks()
                arrive("pasteboard")
            case 1:
                await bridge([], counts, clock).checkForReferralLinks()
                end("pasteboard", "noLinkDetected")
            case 2:
                let tap = clock.now.advanced(by: -300)
                await bridge([try link(referrer, at: tap)], counts, clock).checkForReferralLinks()
                end("pasteboard", "expired")
            case 3:
                bridge([], counts, clock).handlePaste([try link(referrer, at: clock.now)])
                arrive("pasteButton")
            case 4:
                let query = try link(referrer, at: clock.now).drop { $0 != "?" }
                bridge([], counts, clock).handle(try #require(URL(string: "trestle://open\(query)")))
                arrive("opened")
            case 5:
                counts.record(Arrival(try Referral(referrer: referrer, timestamp: clock.now), road: .typed))
                arrive("typed")
            default:
                counts.record(event: "purchase")
                known.events[last ?? Array("none".utf8), default: [:]]["purchase", default: 0] += 1
            }
        }
        return try counts.export()
    }

    private func link(_ referrer: String, at moment: Timestamp) throws -> String {
        let referral = try Referral(referrer: referrer, timestamp: moment)
        return try ReferralLink(page: StorePage(appID: 1_300_230_302), referral: referral).address
    }

    private func bridge(_ strings: [String], _ counts: ArrivalCounts, _ clock: TestClock) -> AppStoreBridge {
        let bridge = AppStoreBridge(
            scanner: ReferralScanner(appID: 1_300_230_302),
            pasteboard: InMemoryPasteboard(strings),
            ledger: InMemoryLedger(),
            clock: clock.clock
        )
        bridge.attributionPolicy = .everyone
        bridge.timeLimit = 600
        bridge.onArrival = { _ in }
        counts.observe(bridge)
        return bridge
    }
}
