import Foundation
import Testing

/// The outputs of `report`.
struct ReportOutputTests {
    private typealias Log = ReportLog

    /// A campaign of three visits, two taps, a copied link and an arrival.
    private static let log =
        Log.line("/get?ref=anna&utm_campaign=spring") + Log.line("/get?ref=anna", client: "203.0.113.8")
        + Log.line("/get?ref=bob", at: "02/Oct/2026:09:30:00 +0000")
        + Log.line("/count?event=tap&ref=anna&copied=1", method: "POST", status: 204)
        + Log.line("/count?event=tap&ref=bob", at: "02/Oct/2026:09:31:00 +0000", method: "POST", status: 204)
    private static let counts =
        #"{"version":1,"rows":[{"day":"2026-10-02","road":"pasteboard","outcome":"found","referrer":"anna","count":1},"#
        + #"{"day":"2026-10-02","road":"pasteButton","outcome":"emptyOrDenied","count":1},"#
        + #"{"day":"2026-10-02","event":"first-purchase","referrer":"anna","count":1}]}"#

    private func run(_ arguments: String...) throws -> String {
        try Tool.inFolder(["log": Data(Self.log.utf8), "counts": Data(Self.counts.utf8)]) { folder in
            let files = ["--log", folder + "log", "--counts", folder + "counts"]
            let outcome = try Tool.run(["report"] + arguments + files)
            #expect(outcome.status == 0)
            #expect(outcome.error == "")
            return outcome.output
        }
    }

    @Test("the text has each step with its source, what is lost in words, the table and what was read")
    func text() throws {
        let text = try run()
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for line in [
            "2026-10-01 to 2026-10-02", "Opened the page 3 (log: landing page)",
            "Of 3 visits 2 tapped; 1 left without a tap.",
            "Of 2 taps 1 copied the link; 1 copied nothing: another device, or no permission.",
            "Of 2 taps 1 arrived; 1 declined to paste, or had nothing to paste.",
            "referrer opened (page) tapped copied arrived first-purchase",
            "anna 2 1 1 1 1",
            "bob 1 1 0 0 0",
            "access log, Combined: 5 requests", "the app's counts: 1 export", "5 of 5 lines counted",
        ] {
            #expect(lines.contains(line), "\(line)\n\(text)")
        }
    }

    @Test(
        "the table's rows are referrers, campaigns, days or roads",
        arguments: [
            (
                "referrer",
                "referrer,opened,tapped,copied,arrived,first-purchase\nanna,2,1,1,1,1\nbob,1,1,0,0,0\n(no referrer),0,0,0,0,0\n"
            ),
            (
                "campaign",
                "campaign,opened,tapped,copied,arrived,first-purchase\n(no campaign),2,2,1,1,1\nspring,1,0,0,0,0\n"
            ),
            ("day", "day,opened,tapped,copied,arrived,first-purchase\n2026-10-01,2,1,1,0,0\n2026-10-02,1,1,0,1,1\n"),
            ("road", "road,emptyOrDenied,found\npasteButton,1,0\npasteboard,0,1\n"),
        ]
    )
    func groupings(grouping: String, table: String) throws {
        #expect(try run("--csv", "-", "--by", grouping) == table.replacing("(no referrer),0,0,0,0,0\n", with: ""))
    }

    @Test("two reports side by side are those of the days before a day and from it on")
    func comparison() throws {
        let table =
            "referrer,opened.before,tapped.before,copied.before,arrived.before,first-purchase.before,"
            + "opened.after,tapped.after,copied.after,arrived.after,first-purchase.after\n"
            + "anna,2,1,1,0,0,0,0,0,1,1\nbob,0,0,0,0,0,1,1,0,0,0\n"
        #expect(try run("--csv", "-", "--compare", "2026-10-02") == table)
        let text = try run("--compare", "2026-10-02")
        for title in ["Before: 2026-10-01", "After: 2026-10-02"] {
            #expect(text.contains("\n\(title)\n") || text.hasPrefix(title))
        }
        #expect(text.contains("Of 2 visits 1 tapped") && text.contains("Of 1 visit 1 tapped"))
        let page = try run("--html", "-", "--compare", "2026-10-02")
        #expect(page.contains("<title>Links, before and after</title>"))
        #expect(page.ranges(of: "<ol class=\"funnel\">").count == 2)
        let days = try run("--csv", "-", "--by", "day", "--compare", "2026-10-02")
        #expect(days.hasSuffix("2026-10-01,2,1,1,0,0,0,0,0,0,0\n2026-10-02,0,0,0,0,0,1,1,0,1,1\n"))
    }

    @Test("a comparison is that of two reports of the days, side by side")
    func comparedWithTwo() throws {
        for (name, member, options) in [
            ("before", "counts", ["--to", "2026-10-01"]), ("after", "countsAfter", ["--from", "2026-10-02"]),
        ] {
            let one =
                try JSONSerialization.jsonObject(
                    with: Data(
                        try Tool.inFolder(["log": Data(Self.log.utf8)]) { folder in
                            try Tool.run(["report", "--json", "-", "--log", folder + "log"] + options).output
                        }.utf8
                    )
                ) as? [String: Any]
            let both =
                try JSONSerialization.jsonObject(
                    with: Data(
                        try Tool.inFolder(["log": Data(Self.log.utf8)]) { folder in
                            try Tool.run(["report", "--json", "-", "--log", folder + "log", "--compare", "2026-10-02"])
                                .output
                        }.utf8
                    )
                ) as? [String: Any]
            let total = (one?["totals"] as? [String: [String: Int]])?["counts"]
            #expect(total?.isEmpty == false)
            #expect((both?["totals"] as? [String: [String: Int]])?[member] == total, "\(name)")
        }
    }

    @Test("names with markup, formulas and direction marks are text in each output")
    func hostileNames() throws {
        let names = ["<script>alert(1)</script>", "=1+1", "@x", "\u{2212}1", "a\u{202E}b", "a,\"b\"\nc", "&amp;"]
        let log = names.map { name in
            Log.line("/get?ref=" + (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
        }.joined()
        let report = try Log.report(log)
        #expect(Set(report.referrers.map(\.referrer)) == Set(names))
        func run(_ option: String...) throws -> String {
            try Tool.run(["report", "--log", "-"] + option, input: Data(log.utf8)).output
        }
        let page = try run("--html", "-")
        #expect(!page.contains("<script>alert") && !page.contains("\u{202E}"))
        #expect(page.contains("<td><bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi></td>"))
        #expect(page.contains("<td><bdi>&amp;amp;</bdi></td>"))
        let csv = try run("--csv", "-")
        for cell in ["'=1+1", "'@x", "'\u{2212}1", "\"a,\"\"b\"\"\nc\""] {
            #expect(csv.contains("\n\(cell),1\n"), "\(csv)")
        }
        let text = try run()
        #expect(!text.contains("\u{202E}") && text.contains("a\\u{202E}b"))
    }

    @Test("a report without a number says what to do first")
    func advice() throws {
        for arguments in [["report"], ["report", "--log", "-"]] {
            let outcome = try Tool.run(arguments + ["--html", "-"])
            #expect(outcome.status == 0)
            #expect(
                outcome.output.contains("What to do first")
                    && outcome.output.contains("referral-tool report access.log")
            )
            #expect(!outcome.output.contains("<table"))
        }
        #expect(try Tool.run("report").output.hasPrefix("There is nothing to count yet.\n  1. "))
    }

    @Test("files for all outputs are written at once, and none is one of the inputs")
    func files() throws {
        try Tool.inFolder(["log": Data(Self.log.utf8)]) { folder in
            let log = folder + "log"
            let outputs = ["--html", folder + "r.html", "--csv", folder + "r.csv", "--json", folder + "r.json"]
            let outcome = try Tool.run(["report", "--log", log] + outputs)
            #expect(outcome.status == 0 && outcome.output == "")
            let csv = try String(contentsOfFile: folder + "r.csv", encoding: .utf8)
            #expect(csv == "referrer,opened,tapped,copied\nanna,2,1,1\nbob,1,1,0\n")
            let again = try Tool.run(["report", "--partial", folder + "r.json", "--csv", "-"])
            #expect(again.output == csv)
            let same = try Tool.run(["report", "--log", log, "--csv", log])
            #expect(same.status == 64 && same.error.contains("is both read and written; name another file"))
            #expect(try Data(contentsOf: URL(filePath: log)) == Data(Self.log.utf8))
        }
    }
}
