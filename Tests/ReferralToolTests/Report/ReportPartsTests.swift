import Foundation
import SimulatedRuntime
import TestSupport
import Testing

/// The reports of parts, and their sum.
struct ReportPartsTests {
    private typealias Log = ReportLog

    /// A log with visits that go on for different times, in any order that a seed gives.
    private func lines(_ random: inout some RandomNumberGenerator) -> [String] {
        var second = 0
        return (0..<Int.random(in: 2...300, using: &random)).map { _ in
            second += [0, 1, 20, 400].randomElement(using: &random) ?? 0
            // A few lines are late, and a few clocks are wrong.
            let late = Int.random(in: 0..<20, using: &random) == 0 ? Int.random(in: -8_000...8_000, using: &random) : 0
            let time = max(0, second + late)
            let clock = [time / 3_600 % 24, time / 60 % 60, time % 60].map { String(format: "%02d", $0) }.joined(
                separator: ":"
            )
            let day = String(format: "%02d", 1 + time / 86_400 % 28)
            let client = "203.0.113.\(Int.random(in: 1...4, using: &random))"
            let targets = [
                "/get?ref=anna", "/get?ref=bob&utm_campaign=spring", "/count?event=tap&ref=anna&copied=1", "/logo.png",
            ]
            let target = targets.randomElement(using: &random) ?? ""
            return Log.line(target, at: "\(day)/Oct/2026:\(clock) +0000", client: client)
        }
    }

    private func report(_ arguments: [String]) throws -> Data {
        let outcome = try Tool.run(["report", "--json", "-"] + arguments)
        try #require(outcome.status == 0, "\(outcome.error)")
        return outcome.bytes
    }

    @Test(
        "the sum of the parts is byte for byte the whole, wherever the log is cut",
        arguments: 0..<UInt64(samples(20, long: 100))
    )
    func sums(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let lines = lines(&random)
        let cuts = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            Int.random(in: 0...lines.count, using: &random)
        }.sorted()
        let bounds = zip([0] + cuts, cuts + [lines.count])
        try Tool.inFolder(["whole.log": Data(lines.joined().utf8)]) { folder in
            var partials: [String] = []
            for (start, end) in bounds {
                let path = "\(folder)\(partials.count / 2)"
                try Data(lines[start..<end].joined().utf8).write(to: URL(filePath: path + ".log"))
                try report(["--log", path + ".log"]).write(to: URL(filePath: path + ".json"))
                partials += ["--partial", path + ".json"]
            }
            let (sum, whole) = (try report(partials), try report(["--log", folder + "whole.log"]))
            #expect(sum == whole)
        }
    }

    @Test("a long log that several threads count has the report of one that is read as it comes")
    func threads() throws {
        var random = SeededGenerator(state: 7)
        func cloudFront(_ fields: String, _ numbers: Range<Int>, _ line: (Int) -> String) -> String {
            "#Fields: \(fields)\n" + numbers.map { line($0) + "\n" }.joined()
        }
        func clock(_ number: Int) -> String {
            [number / 3_600 % 24, number / 60 % 60, number % 60].map { String(format: "%02d", $0) }.joined(
                separator: ":"
            )
        }
        let logs = [
            // Visits that go on, lines that are none, and a line that is longer than two parts.
            (0..<200).map { _ in lines(&random).joined() + "disk full\n\r\n" }.joined(),
            String(repeating: "x", count: 3 << 20) + "\n" + Log.line("/get?ref=anna")
                + String(repeating: "y", count: 1 << 20) + "\n"
                + String(repeating: Log.line("/get?ref=bob"), count: 9_000),
            // The fields change in the first part.
            cloudFront("date time cs-method cs-uri-stem sc-status c-ip cs-uri-query", 0..<12_000) {
                "2026-10-01\t\(clock($0))\tGET\t/get\t200\t203.0.113.\($0 % 9)\tref=r\($0 % 50)"
            }
                + cloudFront("date time cs-uri-query cs-method cs-uri-stem sc-status c-ip", 12_000..<60_000) {
                    "2026-10-01\t\(clock($0))\tref=r\($0 % 50)\tGET\t/get\t200\t203.0.113.\($0 % 9)"
                },
        ]
        for log in logs {
            #expect(log.utf8.count > 3 << 20)
            try Tool.inFolder(["long.log": Data(log.utf8)]) { folder in
                let asItComes = try Tool.run(["report", "--json", "-", "--log", "-"], input: Data(log.utf8))
                #expect(try report(["--log", folder + "long.log"]) == asItComes.bytes)
            }
        }
    }

    @Test("a part of another version, of other pages or without its end is refused with the reason")
    func refusals() throws {
        let part = try report(["--log", "/dev/null", "--page", "/get"])
        let text = String(decoding: part, as: UTF8.self)
        try Tool.inFolder([
            "part.json": part,
            "new.json": Data(text.replacing("\"referralReport\":1", with: "\"referralReport\":2").utf8),
            "cut.json": part.dropLast(20), "other.json": try report(["--log", "/dev/null"]),
        ]) { folder in
            func error(_ arguments: String...) throws -> String {
                let outcome = try Tool.run(["report"] + arguments)
                #expect(outcome.status == 65)
                return outcome.error.replacing(folder, with: "")
            }
            let new = try error("--partial", folder + "new.json")
            let version =
                "new.json is a report of version 2, and this command reads version 1; make it again with this command"
            #expect(new == "referral-tool: \(version)\n")
            let cut = try error("--partial", folder + "cut.json")
            #expect(cut == "referral-tool: cut.json is damaged: it isn't a report as --json writes it\n")
            let other = try error("--partial", folder + "part.json", "--partial", folder + "other.json")
            #expect(other == "referral-tool: other.json was made with other values of --page; make it again\n")
            let page = try error("--partial", folder + "part.json", "--page", "/x")
            #expect(page.contains("other values of --page"))
        }
    }
}
