import Foundation
import Testing

@testable import referral_tool

/// Which requests of a log `report` counts, and as what.
struct ReportRequestTests {
    private typealias Log = ReportLog

    @Test("a request whose query names a referrer opens a landing page, and the count address counts views and taps")
    func requests() throws {
        let log =
            Log.line("/get?via=anna") + Log.line("/count?event=view&via=anna", method: "POST")
            + Log.line("/count?event=tap&via=anna&copied=1", method: "POST", status: 204)
            + Log.line("/count?event=tap&via=bob", status: 304) + Log.line("/get?lang=de&v%69a=J%C3%BCrgen+B")
        let report = try Log.report(log)
        #expect(report.figures(\.opened) == ["anna": 1, "Jürgen B": 1])
        #expect(report.figures(\.openedCounted) == ["anna": 1])
        #expect(report.figures(\.tapped) == ["anna": 1, "bob": 1])
        #expect(report.figures(\.copied) == ["anna": 1])
        #expect(report.lines["counted"] == 5)
    }

    @Test("named pages and a named count address are the only ones, also without a referrer")
    func named() throws {
        let log =
            Log.line("/get") + Log.line("/get?via=anna") + Log.line("/other?via=anna") + Log.line("/count?event=view")
            + Log.line("/else?event=tap&via=anna") + Log.line("/count?event=sold&via=anna")
        let report = try Log.report(log, "--page", "/get", "--count", "/count")
        #expect(report.figures(\.opened) == ["(none)": 1, "anna": 1])
        #expect(report.figures(\.openedCounted) == ["(none)": 1] && report.figures(\.tapped).isEmpty)
        #expect(report.lines["otherRequests"] == 3)
        let renamed = Log.line("/get?from=anna&via=bob")
        #expect(try Log.report(renamed, "--referrer-item", "from")["anna"] != nil)
    }

    @Test(
        "the forms of a path are one page",
        arguments: [
            ("/get", "/get/"), ("/get", "/get.html"), ("/get/index.html", "/%67et"), ("/über", "/%c3%bcber"),
            ("/", "/index.html"), ("/get.html", "https://example.com/get"),
        ]
    )
    func pages(named: String, requested: String) throws {
        let report = try Log.report(Log.line(named) + Log.line(requested), "--page", named)
        #expect(report.group("none")?.opened == 1)
        #expect(report.lines["counted"] == 2)
    }

    @Test("a page whose path ends with * names the referrer there, also in a table of links")
    func paths() throws {
        let targets = "/for/anna /for/zo%c3%ab/ /for/a+b /for/a%2Fb.html /for/?via=bob /for/a/b /tap?event=tap&via=anna"
        let log = targets.split(separator: " ").map { Log.line(String($0)) }.joined()
        let opened = ["anna": 1, "zoë": 1, "a+b": 1, "a/b.html": 1, "(none)": 1]
        let named = try Log.report(log, "--page", "/for/*")
        #expect(named.figures(\.opened) == opened && named.figures(\.tapped) == ["anna": 1])
        let table = try Tool.run("links", "--landing=https://example.com/for/*", input: "referrer\nzoë\na+b\n").output
        try Tool.inFolder(["links.csv": Data(table.utf8)]) { folder in
            let linked = try Log.report(log, "--links", folder + "links.csv")
            #expect(linked.figures(\.opened) == opened)
        }
    }

    @Test("each line that isn't counted is named by its kind")
    func fates() throws {
        for (method, status, fate) in [
            ("GET", 299, "counted"), ("GET", 304, "counted"), ("GET", 301, "failed"), ("GET", 199, "failed"),
            ("POST", 200, "otherRequests"),
        ] {
            #expect(try Log.report(Log.line("/get?via=anna", method: method, status: status)).lines[fate] == 1)
        }
        let log =
            Log.line("/logo.png") + Log.line("/get?via=anna", status: 301)
            + Log.line("/get?via=anna", agent: "curl/8.5.0") + "\n" + Log.line("/get?via=anna")
        let sentence =
            "1 of 5 lines counted; requests for something else: 1; redirects and errors: 1; robots and link previews: 1; comments and empty lines: 1"
        #expect(try Tool.run("report", "--log", "-", input: log).output.contains(sentence))
    }

    @Test(
        "robots and link previews are known by the form of their user agents",
        arguments: [
            ("Mozilla/5.0 (compatible; Example)", "robots"), ("Mozilla/5.0 (iPhone) +https://example.com", "robots"),
            ("Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0", "robots"), ("Viber", "robots"),
            ("Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)", "robots"),
            ("Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36", "counted"),
            ("Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)", "counted"),
            ("Opera/9.80 (Windows NT 6.1)", "counted"),
        ]
    )
    func visitors(agent: String, fate: String) throws {
        #expect(try Log.report(Log.line("/get?via=anna", agent: agent)).lines[fate] == 1)
    }

    @Test("requests that follow each other by less than 30 minutes are one visit, which counts on its first day")
    func visits() throws {
        func days(_ times: String...) throws -> String {
            let log = times.map { Log.line("/get?via=%61nna", at: "\($0) +0000") }.joined()
            return try Tool.run("report", "--by", "day", "--csv", "-", "--log", "-", input: log).output
        }
        let start = "day,group,name,opened\n2026-10-01,,,"
        #expect(try days("01/Oct/2026:09:30:00", "01/Oct/2026:09:59:59") == start + "1\n")
        #expect(try days("01/Oct/2026:09:30:00", "01/Oct/2026:10:00:00") == start + "2\n")
        #expect(try days("01/Oct/2026:23:20:00", "01/Oct/2026:23:45:00", "02/Oct/2026:00:10:00") == start + "1\n")
        // A clock that jumps loses no visit.
        #expect(try days("01/Oct/2026:09:30:00", "01/Oct/2026:03:00:00", "01/Oct/2026:09:40:00") == start + "3\n")
    }

    @Test("another client, user agent, page or referrer is another visit")
    func others() throws {
        let log =
            Log.line("/get?via=anna") + Log.line("/get?via=anna", client: "203.0.113.8")
            + Log.line("/get?via=anna", agent: "Mozilla/5.0 (iPad)") + Log.line("/buy?via=anna")
            + Log.line("/get?via=bob")
        #expect(try Log.report(log).figures(\.opened) == ["anna": 4, "bob": 1])
    }

    @Test("what a client writes into its headers isn't the time or the status of its request")
    func headers() throws {
        let headers = #"{"Date": ["2026-09-01T00:00:00Z"], "Status": ["404"], "User-Agent": ["Mozilla/5.0 (iPhone)"]}"#
        let line =
            #"{"request": {"headers": \#(headers), "method": "GET", "uri": "/get?via=anna"}, "#
            + #""ts": "2026-10-01T09:30:00Z", "status": 200}"# + "\n"
        let report = try Log.report(line, "--from", "2026-10-01", "--to", "2026-10-01")
        #expect(report.figures(\.opened) == ["anna": 1])
    }

    @Test("more visits within half an hour than are remembered are said, and times that go back")
    func manyVisits() {
        let tally = Tally()
        var visit = Digest(.empty)
        for number in 0...400_002 {
            if number == 400_001 { #expect(tally.notes.isEmpty) }
            visit.mix(UInt64(number))
            _ = tally.visits.begins(visit, at: 1...400_001 ~= number ? 1_800 : 0)
        }
        #expect(tally.notes.map { $0.prefix(24) } == ["more than 400,000 visits", "the times go back by hal"])
    }

    @Test("days are in UTC, whatever the log's zone is, and --from and --to are inclusive")
    func days() throws {
        let log =
            Log.line("/get?via=anna", at: "01/Oct/2026:01:30:00 +0200")
            + Log.line("/get?via=bob", at: "01/Oct/2026:23:30:00 -0100")
            + Log.line("/get?via=cleo", at: "01/Oct/2026:12:00:00 +0000")
        let one = try Log.report(log, "--from", "2026-10-01", "--to", "2026-10-01")
        #expect(one.figures(\.opened) == ["cleo": 1] && one.lines["otherDays"] == 2)
        for (time, fate) in [
            ("01/Jan/1990:00:30:00 +0100", "notALine"), ("31/Dec/2100:23:30:00 -0100", "notALine"),
            ("31/Feb/2026:09:30:00 +0000", "notALine"), ("31/Dec/2100:23:59:60 +0000", "counted"),
        ] {
            #expect(try Log.report(Log.line("/get?via=anna", at: time) + Log.line("/")).lines[fate] == 1, "\(time)")
        }
    }

    @Test("lines that can't be read are counted, with the first three shown, and long lines count like any other")
    func strangeLines() throws {
        let strange = ["disk full", "\0\0\0", String(repeating: "x", count: 3 << 20), "\u{FEFF}", "[error] child died"]
        let log = strange.map { Log.line("/get?via=anna") + $0 + "\r\n" }.joined()
        let report = try Log.report(log)
        #expect(report.lines["notALine"] == 5 && report.lines["counted"] == 5)
        #expect(report.notLines == ["disk full", "\0\0\0", String(repeating: "x", count: 160) + "…"])
        for (length, opened) in [(1 << 19, 1), (1 << 21, nil)] {
            let agent = "Mozilla/5.0 " + String(repeating: "a", count: length)
            let report = try Log.report(Log.line("/get?via=anna", agent: agent) + Log.line("/get?via=bob"))
            #expect(report["anna"]?.opened == opened && report["bob"]?.opened == 1)
        }
    }

    @Test("no output has a client's address")
    func addresses() throws {
        let log =
            Log.line("/get?via=anna", client: "203.0.113.77") + Log.line("/get?via=anna", client: "2001:db8::77")
            + "203.0.113.77 - - [01/Oct/2026:0\n" + "2001:db8::77 oops\n" + "host77.example.com - - [01/Oct\n"
        for options in [[], ["--json", "-"], ["--csv", "-"], ["--html", "-"]] {
            let outcome = try Tool.run(["report", "--log", "-"] + options, input: Data(log.utf8))
            #expect(outcome.status == 0)
            for part in ["203.0.113", "db8", "host77"] { #expect(!(outcome.output + outcome.error).contains(part)) }
        }
    }

    @Test("of more referrers than are kept, the others are counted together")
    func manyReferrers() throws {
        let lines = (0..<100_010).map { Log.line("/get?via=r\($0)", agent: "Mozilla/5.0") }
        let report = try Log.report(lines.joined())
        #expect(report.referrers.count == 100_001 && report.group("other")?.opened == 10)
        var table = NameTable()
        for number in 0...100_000 { _ = table.place(of: "r\(number)") }
        #expect(table.place(of: "anna", isKnown: true) == 100_003, "behind the groups and the others")
    }
}
