import Foundation
import Testing

/// Which requests of a log `report` counts, and as what.
struct ReportRequestTests {
    private typealias Log = ReportLog

    @Test("a request whose query names a referrer opens a landing page, and the count address counts views and taps")
    func requests() throws {
        let log =
            Log.line("/get?ref=anna") + Log.line("/count?event=view&ref=anna", method: "POST")
            + Log.line("/count?event=tap&ref=anna&copied=1", method: "POST", status: 204)
            + Log.line("/count?event=tap&ref=bob", status: 304) + Log.line("/get?lang=de&ref=J%C3%BCrgen+B")
        let report = try Log.report(log)
        #expect(report["anna"]?.opened == 1)
        #expect(report["anna"]?.openedCounted == 1)
        #expect(report["anna"]?.tapped == 1)
        #expect(report["anna"]?.copied == 1)
        #expect(report["bob"]?.tapped == 1)
        #expect(report["bob"]?.copied == nil)
        #expect(report["Jürgen B"]?.opened == 1)
        #expect(report.total.tapped == 2)
        #expect(report.lines["counted"] == 5)
    }

    @Test("named pages and a named count address are the only ones, also without a referrer")
    func named() throws {
        let log =
            Log.line("/get") + Log.line("/get?ref=anna") + Log.line("/other?ref=anna")
            + Log.line("/count?event=view") + Log.line("/else?event=tap&ref=anna")
            + Log.line("/count?event=sold&ref=anna")
        let report = try Log.report(log, "--page", "/get", "--count", "/count")
        #expect(report.group("none")?.opened == 1)
        #expect(report.group("none")?.openedCounted == 1)
        #expect(report["anna"]?.opened == 1)
        #expect(report["anna"]?.tapped == nil)
        #expect(report.lines["otherRequests"] == 3)
        let renamed = try Log.report(Log.line("/get?from=anna&ref=bob"), "--ref", "from")
        #expect(renamed.referrers.map(\.referrer) == ["anna"])
    }

    @Test(
        "only GET opens a page, and only a status from 200 to 399 counts",
        arguments: [
            ("GET", 200, "counted"), ("GET", 399, "counted"), ("GET", 400, "failed"), ("GET", 199, "failed"),
            ("POST", 200, "otherRequests"), ("HEAD", 200, "otherRequests"), ("get", 200, "otherRequests"),
        ]
    )
    func methods(method: String, status: Int, fate: String) throws {
        let report = try Log.report(Log.line("/get?ref=anna", method: method, status: status))
        #expect(report.lines[fate] == 1)
        #expect(report["anna"]?.opened == (fate == "counted" ? 1 : nil))
    }

    @Test(
        "robots and link previews are counted apart, by their user agents",
        arguments: [
            ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "robots"),
            ("curl/8.5.0", "robots"),
            ("-", "robots"), ("", "robots"), ("facebookexternalhit/1.1 Facebot Twitterbot/1.0", "previews"),
            ("WhatsApp/2.23.20.0", "previews"),
            ("Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36", "counted"),
            ("Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 [FBAN/FBIOS;FBAV/450.0]", "counted"),
        ]
    )
    func visitors(agent: String, fate: String) throws {
        #expect(try Log.report(Log.line("/get?ref=anna", agent: agent)).lines[fate] == 1)
    }

    @Test(
        "requests that follow each other by less than 30 minutes are one visit",
        arguments: [("09:59:59", 1), ("10:00:00", 2), ("09:30:00", 1)]
    )
    func visits(second: String, count: Int) throws {
        let log = Log.line("/get?ref=anna") + Log.line("/get?ref=anna", at: "01/Oct/2026:\(second) +0000")
        #expect(try Log.report(log)["anna"]?.opened == count)
    }

    @Test("another client, user agent, page or referrer is another visit")
    func others() throws {
        let log =
            Log.line("/get?ref=anna") + Log.line("/get?ref=anna", client: "203.0.113.8")
            + Log.line("/get?ref=anna", agent: "Mozilla/5.0 (iPad)") + Log.line("/buy?ref=anna")
            + Log.line("/get?ref=bob")
        let report = try Log.report(log)
        #expect(report["anna"]?.opened == 4)
        #expect(report["bob"]?.opened == 1)
    }

    @Test("a long visit goes on as long as each request is near the one before, and counts on its first day")
    func longVisit() throws {
        let times = ["23:20:00", "23:45:00"].map { "01/Oct/2026:\($0) +0000" } + ["02/Oct/2026:00:10:00 +0000"]
        let log = times.map { Log.line("/get?ref=anna", at: $0) }.joined()
        let outcome = try Tool.run("report", "--by", "day", "--csv", "-", "--log", "-", input: log)
        #expect(outcome.output == "day,opened\n2026-10-01,1\n")
    }

    @Test("days are in UTC, whatever the log's zone is, and --from and --to are inclusive")
    func days() throws {
        let log =
            Log.line("/get?ref=anna", at: "01/Oct/2026:01:30:00 +0200")
            + Log.line("/get?ref=bob", at: "01/Oct/2026:23:30:00 -0100")
            + Log.line("/get?ref=cleo", at: "01/Oct/2026:12:00:00 +0000")
        let all = try Tool.run("report", "--by", "day", "--csv", "-", "--log", "-", input: log)
        #expect(all.output == "day,opened\n2026-09-30,1\n2026-10-01,1\n2026-10-02,1\n")
        let one = try Log.report(log, "--from", "2026-10-01", "--to", "2026-10-01")
        #expect(one.referrers.map(\.referrer) == ["cleo"])
        #expect(one.lines["otherDays"] == 2)
    }

    @Test("no output has a client's address")
    func addresses() throws {
        let log =
            Log.line("/get?ref=anna", client: "203.0.113.77") + Log.line("/get?ref=anna", client: "2001:db8::77")
            + "203.0.113.77 - - [01/Oct/2026:0\n" + "2001:db8::77 oops\n" + "host77.example.com - - [01/Oct\n"
        for option in ["--json", "--csv", "--html"] {
            let outcome = try Tool.run("report", option, "-", "--log", "-", input: log)
            #expect(outcome.status == 0)
            #expect(
                !outcome.output.contains("203.0.113") && !outcome.output.contains("db8")
                    && !outcome.output.contains("host77")
            )
        }
        let outcome = try Tool.run("report", "--log", "-", input: log)
        #expect(outcome.output.contains("not a line of a log: '[address] - - [01/Oct/2026:0'"))
        #expect(
            !outcome.output.contains("203.0.113") && !outcome.output.contains("db8")
                && !outcome.output.contains("host77")
        )
    }
}
