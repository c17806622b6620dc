import Foundation
import SimulatedRuntime
import TestSupport
import Testing

/// Broken input: nothing is lost without being counted or named.
struct ReportBadInputTests {
    private typealias Log = ReportLog

    private static func gzip(_ data: Data) throws -> Data {
        try Tool.inFolder(["file": data]) { folder in
            try #require(try Tool.shell("gzip \(folder)file").status == 0)
            return try Data(contentsOf: URL(filePath: folder + "file.gz"))
        }
    }

    @Test("a compressed log is read, and one that is cut off or damaged is an error without noise")
    func compressed() throws {
        let log = (0..<20_000).map { Log.line("/get?ref=r\($0)", client: "203.0.113.\($0 % 250)") }.joined()
        let whole = try Self.gzip(Data(log.utf8))
        var damaged = whole
        damaged[whole.count / 2] ^= 0xFF
        try Tool.inFolder([
            "ok.gz": whole, "cut.gz": whole.dropLast(100), "start.gz": whole.prefix(5), "bad.gz": damaged,
        ]) { folder in
            #expect(try Log.report(Data(), [folder + "ok.gz"]).total.opened == 20_000)
            for name in ["cut.gz", "start.gz", "bad.gz"] {
                for option in [[], ["--log"]] {
                    let outcome = try Tool.run(["report", "--json", folder + "r.json"] + option + [folder + name])
                    #expect(outcome.status == 65)
                    let error = "\(name) is damaged or cut off: gzip can't decompress it to its end\n"
                    #expect(outcome.error.replacing(folder, with: "") == "referral-tool: " + error)
                }
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "r.json"))
            let piped = try Tool.shell("cat \(folder)ok.gz | referral-tool report -")
            #expect(piped.error == "referral-tool: standard input is compressed; pipe it through gzip -dc\n")
        }
    }

    @Test("an empty log is noted, and the others are read")
    func empty() throws {
        try Tool.inFolder([
            "old.log": Data(), "new.log": Data(Log.line("/get?ref=anna").utf8), "old.gz": Self.gzip(Data()),
        ]) { folder in
            let outcome = try Tool.run(
                ["report", "--csv", "-"] + ["old.log", "new.log", "old.gz"].map { folder + $0 }
            )
            #expect(outcome.output == "referrer,opened\nanna,1\n")
            #expect(outcome.status == 0)
            let notes = outcome.error.replacing(folder, with: "").replacing("referral-tool: ", with: "")
            #expect(notes == "old.log is empty\nnew.log is an access log\nold.gz is empty\n")
        }
    }

    @Test("lines that are none are counted, with the first three shown")
    func strangeLines() throws {
        let strange = ["disk full", "\0\0\0", String(repeating: "x", count: 3 << 20), "\u{FEFF}", "[error] child died"]
        let log = strange.map { Log.line("/get?ref=anna") + $0 + "\n" }.joined()
        let report = try Log.report(log)
        #expect(report.lines["notALine"] == 5)
        #expect(report.lines["counted"] == 5)
        #expect(report.notLines == ["disk full", "\0\0\0", String(repeating: "x", count: 160) + "…"])
        let text = try Tool.run("report", "--log", "-", input: log).output
        #expect(text.contains("5 of 10 lines counted; 5 not a line of a log\n"))
        #expect(text.contains("not a line of a log: 'disk full'\n") && !text.contains("\0"))
    }

    @Test("a log that begins with NULs or ends in the middle of a line keeps its other lines")
    func cutOff() throws {
        let line = Log.line("/get?ref=anna")
        for length in [1, 20, 60, 90, line.utf8.count - 2] {
            let report = try Log.report(line + line.prefix(length))
            #expect(report.lines.values.reduce(0, +) == 2)
            #expect(report.lines["notALine"] == 1, "\(length)")
        }
        #expect(try Log.report(String(repeating: "\0", count: 4_096) + line).lines["counted"] == 1)
        #expect(try Log.report(String(line.dropLast())).lines["counted"] == 1)
    }

    @Test("a long line counts like any other, and one of more than a megabyte is shown")
    func longLines() throws {
        let agent = String(repeating: "a", count: 1 << 19)
        let report = try Log.report(
            Log.line("/get?ref=anna", agent: agent) + Log.line("/get?ref=bob", agent: agent + agent + agent)
                + Log.line("/get?ref=cleo")
        )
        #expect(report.referrers.map(\.referrer) == ["anna", "cleo"])
        #expect(report.lines["notALine"] == 1)
    }

    @Test("a CloudFront line with fewer cells than fields is cut off, and after too many fields, none is read")
    func fields() throws {
        let names =
            "date time cs-method cs-uri-stem sc-status c-ip cs(User-Agent) cs(Host) sc-bytes cs(Referer) x-host-header cs-protocol cs-uri-query"
        let line =
            "2026-10-01\t09:30:00\tGET\t/get\t200\t203.0.113.7\tMozilla/5.0%20(iPhone)\td111.cloudfront.net\t512\t-\t-\thttps"
        let report = try Log.report("#Fields: \(names)\n\(line)\tref=anna\n\(line)\n")
        #expect(report["anna"]?.opened == 1)
        #expect(report.lines["notALine"] == 1)
        // Fields that aren't read may be missing.
        let shorter = try Log.report("#Fields: \(names) sc-range-start sc-range-end\n\(line)\tref=anna\t-\n")
        #expect(shorter["anna"]?.opened == 1)
        let documented =
            "2026-10-01\t09:30:00\tFRA56-P4\t512\t203.0.113.7\tGET\td111.cloudfront.net\t/get\t200\t-\tMozilla/5.0%20(iPhone)\tref=anna\n"
        let long = "#Fields: " + String(repeating: "cs-protocol ", count: 100_000) + "\n"
        #expect(try Log.report(documented + long + documented).lines["notALine"] == 2)
    }

    @Test("CloudFront's fields are in the order that the log names, also if it doesn't begin with the date")
    func orderOfFields() throws {
        let names = "cs-method cs-uri-stem cs-uri-query sc-status time date"
        let report = try Log.report("#Fields: \(names)\nGET\t/get\tref=anna\t200\t09:30:00\t2026-10-01\n")
        #expect(report["anna"]?.opened == 1)
    }

    @Test("dates out of order and clocks that jump don't lose a visit, and days that can't be aren't lines")
    func dates() throws {
        let times = ["09:30:00", "03:00:00", "09:40:00", "03:10:00", "23:59:60"].map { "01/Oct/2026:\($0) +0000" }
        let report = try Log.report(times.map { Log.line("/get?ref=anna", at: $0) }.joined())
        #expect(report["anna"]?.opened == 5)
        #expect(report.lines["counted"] == 5)
        for (time, fate) in [
            ("01/Jan/1990:00:30:00 +0100", "notALine"), ("31/Dec/2100:23:30:00 -0100", "notALine"),
            ("31/Feb/2026:09:30:00 +0000", "notALine"),
            ("01/Oct/2026:24:00:00 +0000", "notALine"), ("01/Oct/2026:09:30:00 +2400", "notALine"),
            ("31/Dec/2100:23:59:60 +0000", "counted"),
            ("01/Jan/1990:00:30:00 -0100", "counted"), ("01/Okt/2026:09:30:00 +0000", "notALine"),
        ] {
            let log = Log.line("/get?ref=anna", at: time)
            #expect(try Log.report(log).lines[fate] == 1, "\(time)")
            // A report is always one that can be read again.
            try Tool.inFolder { folder in
                _ = try Tool.run(["report", "--log", "-", "--json", folder + "part"], input: Data(log.utf8))
                #expect(try Tool.run("report", "--partial", folder + "part").status == 0, "\(time)")
            }
        }
    }

    @Test("of many more referrers than are kept, the others are counted together, whatever their order")
    func manyReferrers() throws {
        let count = samples(110_000, long: 210_000)
        let lines = (0..<count).map { Log.line("/get?ref=r\($0)", agent: "Mozilla/5.0 (iPhone)") }
        let report = try Tool.run(["report", "--json", "-", "--log", "-"], input: Data(lines.joined().utf8))
        let reversed = try Tool.run(
            ["report", "--json", "-", "--log", "-"],
            input: Data(lines.reversed().joined().utf8)
        )
        #expect(report.bytes == reversed.bytes)
        let table = try JSONDecoder().decode(Log.Report.self, from: report.bytes)
        #expect(table.referrers.count == 100_001)
        #expect(table.group("other")?.opened == count - 100_000)
        #expect(table.total.opened == count)
    }

    @Test("each line of a mutated log is counted, and its report can be read again", arguments: 0..<20)
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let kinds = [
            Log.line("/get?ref=anna"), Log.line("/count?event=tap&ref=bob&copied=1", method: "POST", status: 204),
            "2026-10-01\t09:30:00\tFRA56-P4\t512\t203.0.113.7\tGET\td111.cloudfront.net\t/get\t200\t-\tMozilla/5.0%20(iPhone)\tref=anna\n",
            #"{"ts":1790847000.25,"request":{"client_ip":"203.0.113.7","method":"GET","uri":"/get?ref=anna","headers":{"User-Agent":["Mozilla/5.0 (iPhone)"]}},"status":200}"#
                + "\n", "#Fields: date time c-ip cs-method cs-uri-stem sc-status cs-uri-query\n",
        ]
        for _ in 0..<samples(5, long: 50) {
            var bytes = (0..<20).flatMap { _ in Array((kinds.randomElement(using: &random) ?? "").utf8) }
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(
                        contentsOf: Array("\"[]\\ \n\t{}%0".utf8).shuffled(using: &random).prefix(2),
                        at: place
                    )
                default: bytes.replaceSubrange(place..<min(bytes.count, place + 9), with: bytes.prefix(5))
                }
            }
            let whole = try Tool.run(["report", "--json", "-", "--log", "-"], input: Data(bytes))
            try #require(whole.status == 0, "\(whole.error)")
            let report = try JSONDecoder().decode(Log.Report.self, from: whole.bytes)
            let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).count - (bytes.last == 10 ? 1 : 0)
            #expect(report.lines.values.reduce(0, +) == lines)
            #expect(report.notLines.count == min(3, report.lines["notALine"] ?? 0))
            let again = try Tool.run(["report", "--json", "-", "--partial", "-"], input: whole.bytes)
            #expect(again.bytes == whole.bytes, "\(again.error)")
        }
    }
}
