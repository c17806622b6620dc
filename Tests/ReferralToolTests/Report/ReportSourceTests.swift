import Foundation
import TestSupport
import Testing

/// What `report` reads beside logs, and which files it refuses.
struct ReportSourceTests {
    private typealias Log = ReportLog

    private static let found =
        #"{"day":"2026-10-01","road":"pasteboard","outcome":"found","referrer":"anna","count":3}"#

    private static func export(_ rows: String, app: String = "1300230302") -> String {
        #"{"version":1,"app":"\#(app)","rows":[\#(rows)],"dropped":3}"#
    }

    private static let dropped = "the app's counts of the oldest days, which devices had no room for"

    @Test("the app's counts are those of one device or of many, and only the outcome found is an arrival")
    func counts() throws {
        let day = #""day":"2026-10-01""#
        let device = Self.export(
            Self.found + #",{\#(day),"event":"first-purchase","referrer":"anna","count":1},"#
                + #"{\#(day),"road":"pasteboard","outcome":"expired","count":2},"#
                + #"{\#(day),"road":"pasteButton","outcome":"found","group":"other","count":4},"#
                + #"{\#(day),"road":"pasteButton","outcome":"found","group":"invitations","count":5},{"day":"soon","count":1}"#
        )
        for (text, count) in [(device, 3), (device + "\n" + Self.export(Self.found), 6)] {
            let report = try Log.report(["--counts", "-"], input: Data(text.utf8))
            #expect(report.figures(\.arrived) == ["anna": count, "(other)": 4, "(invitations)": 5])
            #expect(report["anna"]?.events == ["first-purchase": 1])
            let outcomes = report.roads.first { $0.road == "pasteboard" }?.counts.events
            #expect(outcomes == ["found": count, "expired": 2])
            #expect(report.notes == ["rows of the app's counts that can't be read (1)", "\(Self.dropped) (\(count))"])
        }
    }

    @Test("counts of two apps, of another version or of no form are errors, and one app can be chosen")
    func otherCounts() throws {
        let two = Self.export(Self.found) + "\n" + Self.export(Self.found, app: "2")
        let refused = try Tool.run("report", "--counts", "-", input: two)
        #expect(refused.status == 65)
        let reason = "these counts are of the app 2, and others of 1300230302; choose one with --app-id"
        #expect(refused.error == "referral-tool: standard input:2: \(reason)\n")
        let report = try Log.report(["--counts", "-", "--app-id", "2"], input: Data(two.utf8))
        #expect(report["anna"]?.arrived == 3)
        #expect(report.notes == ["exports of another app (1)", "\(Self.dropped) (3)"])
        let next = two.replacing("\"version\":1", with: "\"version\":2")
        let newer = try Tool.run("report", "--counts", "-", input: next)
        #expect(newer.status == 65 && newer.error.contains("isn't an export of the app's counts, of version 1"))
        #expect(try Tool.run("report", "--counts", "-", input: two + "\n{\n").status == 65)
    }

    @Test("a table of links names the people and their pages, whatever its column of referrers is called")
    func links() throws {
        let bob = "https://apps.apple.com/app/id1?ed=eyJ0aW1lc3RhbXAiOjE3OTYwMTY1OTYwNTMsInJlZmVycmVyIjoidTIifQ=="
        let rows = "u1,https://example.com/get?via=u1,u1\nu2,\(bob),\"B\nob\"\n,x,\nu3\n"
        let log = Data((Log.line("/get?via=u2") + Log.line("/get/?via=u1") + Log.line("/get/") + Log.line("/o")).utf8)
        for column in ["referrer", "Partner code"] {
            try Tool.inFolder(["links.csv": Data("\(column),link,Name\n\(rows)".utf8), "log": log]) { folder in
                let report = try Log.report([folder + "log", "--links", folder + "links.csv"])
                #expect(report.figures(\.opened) == ["u1": 1, "u2": 1, "(none)": 1])
                #expect(report.referrers.compactMap(\.label) == ["B ob"])
                #expect(report.notes == ["rows of a table of links without a referrer (2)"])
            }
        }
        let other = try Tool.run("report", "--links", "-", input: "a,b\n1,2\n")
        #expect(other.status == 65 && other.error.contains("its first line names no column 'link'"))
    }

    @Test("logs are read in the order of their times, so that a visit across a rotation is one")
    func order() throws {
        func log(_ times: String...) -> Data {
            Data(times.map { Log.line("/get?via=anna", at: "01/Oct/2026:\($0):00 +0000") }.joined().utf8)
        }
        try Tool.inFolder(["access.log": log("10:20", "10:45"), "access.log.1": log("09:30", "09:55")]) { folder in
            let report = try Log.report([folder + "access.log", folder + "access.log.1"])
            #expect(report["anna"]?.opened == 1)
        }
    }

    @Test("a log that is named twice, or has the bytes of another one, is an error that names both")
    func twice() throws {
        let log = Data((0..<100).map { Log.line("/get?via=r\($0)") }.joined().utf8)
        try Tool.inFolder(["a.log": log, "b.log": log, "c.log": log.dropLast(1) + [32]]) { folder in
            try #require(try Tool.shell("ln -s a.log \(folder)link.log").status == 0)
            for (other, status) in [("./a.log", 64), ("link.log", 64), ("b.log", 65), ("c.log", 0)] as [(String, Int32)]
            {
                let outcome = try Tool.run("report", "--csv", "-", folder + "a.log", folder + other)
                #expect(outcome.status == status, "\(other): \(outcome.error)")
                if status != 0 { #expect(outcome.error.contains("a.log") && outcome.error.contains(other)) }
            }
        }
    }

    @Test("a compressed log is an error that says how to read it in its order")
    func compressed() throws {
        try Tool.inFolder(["a.log": Data(Log.line("/get?via=anna").utf8), "b.log": Data()]) { folder in
            let outcome = try Tool.shell(
                "cd \(folder); gzip -k a.log; printf 'PK\\3\\4' >z; referral-tool report z; referral-tool report a.log.gz; zcat -f a.log.gz b.log | referral-tool report --csv - -"
            )
            #expect(outcome.error.contains("z is an archive; unpack it\n"))
            #expect(outcome.error.contains("a.log.gz is compressed: zcat -f $(ls -tr access.log*) | referral-tool"))
            #expect(outcome.output == "referrer,group,name,opened\nanna,,,1\n")
        }
    }

    @Test("the fields of a log are those of its last line #Fields, also where it is long")
    func fields() throws {
        let line = "2026-10-01 09:30:00 10.0.0.1 GET /get via=anna 203.0.113.7 Mozilla/5.0+(iPhone) 200\n"
        let names = "date time s-ip cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status"
        let other =
            "#Fields: time date cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\n09:30:00\t2026-10-01\tGET\t/get\tvia=bob\t200\tMozilla/5.0\n"
        let lines = String(repeating: line, count: samples(10_000, long: 100_000))
        let report = try Log.report("#Fields: \(names)\n" + lines + other + "2026-10-01 09:30:00 cut off\n")
        #expect(report.figures(\.opened) == ["anna": 1, "bob": 1])
        #expect(report.lines["comments"] == 2 && report.lines["notALine"] == 1)
    }

    @Test(
        "a file that is no source is an error that shows its first line",
        arguments: [
            ("referrer,score\nanna,1\n", "referrer,score"), (#"{"a":1}"#, #"{"a":1}"#),
            ("203.0.113.7 logged in\n", "[address] logged in"),
        ]
    )
    func others(text: String, line: String) throws {
        for option in ["-", "--log=-"] {
            let outcome = try Tool.run("report", option, input: text)
            #expect(outcome.error.hasSuffix("its first line is '\(line)'\n"))
            #expect(outcome.status == 65 && outcome.output == "")
        }
    }
}
