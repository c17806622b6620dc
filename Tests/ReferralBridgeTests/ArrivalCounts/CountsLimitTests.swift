import Foundation
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralBridge

/// The file keeps 1,000 rows, those of the newest days.
@MainActor
struct CountsLimitTests {
    @Test("the 1,000th referrer has a row, and further ones count together as other, but for those with a row")
    func referrers() throws {
        let stage = CountsStage()
        for number in 1...1_003 { try stage.open("r\(number)") }
        try stage.open("r1000", after: 2_000)
        stage.counts.record(event: "purchase")
        let rows = try stage.rows
        #expect(rows.count == 1_000)
        #expect(
            rows.suffix(3) == [
                "2026-11-21 opened found r1000 2", "2026-11-21 opened found (other) 3", "2026-11-21 purchase (other) 1",
            ]
        )
    }

    @Test("beyond 1,000 rows, the oldest ones go, and the export has the sum of their counts")
    func days() throws {
        let stage = CountsStage()
        for _ in 1...1_003 {
            stage.counts.record(event: "start")
            stage.wait(days: 1)
        }
        let export = try stage.export()
        #expect(export.rows.count == 1_000 && export.dropped == 3)
        #expect(export.rows[0].day == "2026-11-24")
        stage.counts.reset()
        #expect(try stage.counts.export() == #"{"app":"1300230302","rows":[],"version":1}"#)
    }

    @Test("at random, there are never more than 1,000 rows, and no two are about the same")
    func random() throws {
        var random = SeededGenerator(state: 7)
        var record = CountsRecord(app: "1")
        for _ in 0..<3_000 {
            let day = String(
                format: "2026-%02d-%02d",
                Int.random(in: 1...12, using: &random),
                Int.random(in: 1...28, using: &random)
            )
            let name = "r\(Int.random(in: 0..<200, using: &random))"
            let road = Road.allCases.randomElement(using: &random)
            let verdict = Verdict.allCases.randomElement(using: &random)?.rawValue
            let chance = Bool.random(using: &random)
            record.add(CountsRow(day: day, road: road, outcome: verdict, referrer: chance ? name : nil))
            #expect(record.rows.count <= 1_000)
        }
        #expect(Set(record.rows.map { "\($0)" }).count == record.rows.count)
    }
}
