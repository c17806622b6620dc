import Foundation
import Testing

/// The outputs of `report`.
struct ReportOutputTests {
    private typealias Log = ReportLog

    /// A campaign of three visits, two taps, a copied link and an arrival.
    private static let log =
        Log.line("/get?via=anna&utm_campaign=spring") + Log.line("/get?via=anna", client: "203.0.113.8")
        + Log.line("/count?event=tap&via=anna&copied=1", method: "POST", status: 204)
        + Log.line("/get?via=bob", at: "02/Oct/2026:09:30:00 +0000")
        + Log.line("/count?event=tap&via=bob", at: "02/Oct/2026:09:31:00 +0000", method: "POST", status: 204)
    private static let counts =
        #"{"version":1,"rows":[{"day":"2026-10-02","road":"pasteboard","outcome":"found","referrer":"anna","count":1},"#
        + #"{"day":"2026-10-02","road":"pasteButton","outcome":"emptyOrDenied","count":1},"#
        + #"{"day":"2026-10-02","event":"first-purchase","referrer":"anna","count":1}]}"#

    private func run(_ arguments: String...) throws -> String {
        try Tool.inFolder(["log": Data(Self.log.utf8), "counts": Data(Self.counts.utf8)]) { folder in
            let outcome = try Tool.run(
                ["report"] + arguments + ["--log", folder + "log", "--counts", folder + "counts"]
            )
            #expect(outcome.status == 0 && outcome.error == "")
            return outcome.output
        }
    }

    @Test("the text has each step with its source, what is lost in words, the table and what was read")
    func text() throws {
        let text = try run()
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for line in [
            "2026-10-01 to 2026-10-02", "Opened 3 (log: landing page)", "Tapped 2 66.7% of visits (log: count address)",
            "Copied 1 50% of taps (log: count address)", "Arrived 1 50% of taps (app)",
            "first-purchase 1 100% of arrivals (app)",
            "Of 3 visits 2 tapped; 1 left without a tap.",
            "Of 2 taps 1 copied the link; 1 copied nothing: another device, or no permission.",
            "Of 2 taps 1 arrived; 1 declined to paste, or had nothing to paste.",
            "referrer Opened Tapped Copied Arrived first-purchase", "anna 2 1 1 1 1", "bob 1 1 0 0 0",
            "- 5 of 5 lines counted",
        ] {
            #expect(lines.contains(line), "\(line)\n\(text)")
        }
    }

    @Test(
        "the table's rows are referrers, campaigns, days or roads",
        arguments: [
            ("referrer", ["anna,,,2,1,1,1,1", "bob,,,1,1,0,0,0"]),
            ("campaign", [",none,,2,2,1,1,1", "spring,,,1,0,0,0,0"]),
            ("day", ["2026-10-01,,,2,1,1,0,0", "2026-10-02,,,1,1,0,1,1"]),
        ]
    )
    func groupings(grouping: String, rows: [String]) throws {
        let header = "\(grouping),group,name,opened,tapped,copied,arrived,first-purchase"
        #expect(try run("--csv", "-", "--by", grouping) == ([header] + rows).joined(separator: "\n") + "\n")
        let roads = "road,group,name,found,emptyOrDenied\npasteButton,,,0,1\npasteboard,,,1,0\n"
        #expect(try run("--csv", "-", "--by", "road") == roads)
    }

    @Test("names with markup, formulas and direction marks are text in each output")
    func hostileNames() throws {
        let names = ["<script>alert(1)</script>", "=1+1", "@x", "\u{2212}1", "a\u{202E}b", "a,\"b\"\nc", "&amp;"]
        let log = Log.lines(for: names)
        #expect(try Set(Log.report(log).referrers.map(\.referrer)) == Set(names))
        func run(_ option: String...) throws -> String {
            try Tool.run(["report", "--log", "-"] + option, input: Data(log.utf8)).output
        }
        let csv = try run("--csv", "-")
        for cell in ["'=1+1", "'@x", "'\u{2212}1", "\"a,\"\"b\"\"\nc\""] {
            #expect(csv.contains("\n\(cell),,,1\n"), "\(csv)")
        }
        let text = try run()
        #expect(!text.contains("\u{202E}") && text.contains("a\\u{202E}b"))
    }

    @Test("a referrer that is called like a group doesn't look like it, and names that look alike are noted")
    func lookalikes() throws {
        let log = ["(other)", "(no%20referrer)", "", "Anna", "anna", "caf%C3%A9", "cafe%CC%81"].map {
            Log.line("/get?via=\($0)")
        }.joined()
        let csv = try Tool.run("report", "--csv", "-", "--log", "-", input: log)
        #expect(csv.output.contains("\n(other),,,1\n") && csv.output.contains("\n,none,,1\n"))
        let text = try Tool.run("report", "--log", "-", input: log).output
        for part in ["'(other)' ", "'(no referrer)' ", "  (no referrer) "] { #expect(text.contains(part), "\(text)") }
        #expect(text.contains("- 'Anna' and 'anna' differ only by letter case, white space, composition or"))
        #expect(text.ranges(of: "differ only by").count == 2)
        let names = ["한국", "\u{1112}\u{1161}\u{11AB}국", "a  b", "a b", "an\u{200B}na", "anna", "άννας", "ΆΝΝΑΣ"]
        let apart = try Tool.run("report", "--log", "-", input: Log.lines(for: names)).output
        for row in ["한국", #"\u{1112}\u{1161}\u{11AB}\u{AD6D}"#, #"a\u{20}\u{20}b"#, #"an\u{200B}na"#] {
            #expect(apart.contains("\n  \(row) "), "\(apart)")
        }
        #expect(apart.contains("\n  - 'ΆΝΝΑΣ' and 'άννας' differ only by"))
    }

    @Test("a visit with one of the links' names and something around it is noted, and another name isn't")
    func surrounded() throws {
        let odd = ["anna!", "anna。", "3Danna", "anna’s", "Anna…", "annaです", "“zoë”", "Acme Inc", "anna</a>"]
        let other = ["spring-2027", "Anna", "zo", "annab", "anna", "zoé", "…", "3D"]
        let links = "link,referrer\n,anna\n,zoë\n,Acme Inc.\n,spring\n,…\n"
        let names = ["anna", "anna", "anna", "anna", "anna", "anna", "zoë", "Acme Inc.", "anna"]
        let expected = zip(odd, names).map { "'\($0)' is '\($1)' of the links with something around it (2 visits)" }
        try Tool.inFolder(["links.csv": Data(links.utf8)]) { folder in
            let report = try Log.report(Log.lines(for: odd + odd + other), "--links", folder + "links.csv")
            #expect(Set(report.notes.filter { $0.contains("something around it") }) == Set(expected))
        }
    }

    @Test("a report without a number says what to do first")
    func advice() throws {
        #expect(try Tool.run("report").output.hasPrefix("There is nothing to count yet.\n\nWhat to do first\n  - Read"))
        #expect(try Tool.run("report", "--log", "-", input: Log.line("/")).output.contains("- Name the landing page"))
    }
}
