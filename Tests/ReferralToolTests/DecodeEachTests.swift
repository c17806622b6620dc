import Foundation
import ReferralBridge
import Testing

/// `referral-tool decode --each`: every string judged by itself.
struct DecodeEachTests {
    private static let now = 1_795_224_750_690.0

    private func decode(_ input: String, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["decode", "--each", "--app-id", "42", "--now", "1795224750690"] + arguments,
            input: Data(input.utf8)
        )
    }

    private static func link(_ referrer: String, secondsAgo: Double = 0, _ parameters: [String: String] = [:]) throws
        -> String
    {
        let tap = Timestamp(milliseconds: now - secondsAgo * 1_000)
        let referral = try Referral(referrer: referrer, timestamp: tap, parameters: parameters)
        return try ReferralLink(page: StorePage(appID: 42), referral: referral).address
    }

    @Test("a line of JSON for each string, in order, and a count of the verdicts")
    func lines() throws {
        let outcome = try decode(
            """
            \(try Self.link("a", ["b": "1", "a": "é\u{1B}"]))
            see you at eight\r

            \t\(try Self.link("\"", secondsAgo: 300)) \r
            \(try Self.link("a", secondsAgo: 299.5))
            https://apps.apple.com/app/id7?ed=x
            """
        )
        #expect(
            outcome.output == #"""
                {"verdict":"found","referrer":"a","timestamp":1795224750690,"parameters":{"a":"é\u001b","b":"1"}}
                {"verdict":"notALink","referrer":null,"timestamp":null,"parameters":null}
                {"verdict":"notALink","referrer":null,"timestamp":null,"parameters":null}
                {"verdict":"expired","referrer":"\"","timestamp":1795224450690,"parameters":{}}
                {"verdict":"found","referrer":"a","timestamp":1795224451190,"parameters":{}}
                {"verdict":"wrongApp","referrer":null,"timestamp":null,"parameters":null}

                """#
        )
        #expect(
            outcome.error == """
                referral-tool: 6 strings: 2 notALink, 1 wrongApp, 1 expired, 2 found

                """
        )
        #expect(outcome.status == 0)
    }

    @Test("a link with bytes that are no UTF-8 is none, as it is one by one")
    func notUTF8() throws {
        let link = Data(try Self.link("a").replacing("?ed=", with: "?x=Ä&ed=").utf8)
        let broken = Data(link.filter { $0 != 0x84 })
        let outcome = try Tool.run(
            ["decode", "--each", "--app-id=42", "--now=1795224750690", "--quiet"],
            input: link + Data("\n".utf8) + broken
        )
        let verdicts = outcome.output.split(separator: "\n").map { $0.dropFirst(12).prefix { $0 != "\"" } }
        #expect(verdicts == ["found", "notALink"])
    }

    @Test("an old log is read without a window")
    func noWindow() throws {
        let outcome = try decode(try Self.link("a", secondsAgo: 1e7), "--window", "none", "--quiet")
        #expect(outcome.output.hasPrefix(#"{"verdict":"found","referrer":"a""#))
        #expect(outcome.error == "")
    }

    @Test("a time that was reported before, and hosts besides the store's")
    func options() throws {
        let link = try Self.link("a")
        #expect(try decode(link, "--reported", "1795224750690").output.contains(#""verdict":"alreadyReported""#))
        let other = link.replacing("apps.apple.com", with: "example.com")
        #expect(try decode(other, "--host", "example.com").output.contains(#""verdict":"found""#))
        #expect(try decode(try Self.link("a", secondsAgo: -31)).output.contains(#""verdict":"fromTheFuture""#))
        #expect(try decode(try Self.link("a", secondsAgo: -31), "--tolerance=31s").output.contains(#""found""#))
    }

    @Test("a row passes through with the verdict behind it; a name that is taken gets another in front")
    func rows() throws {
        let link = try Self.link("a,b", ["p": "1"])
        #expect(
            try decode("n,link\r\n\" 1\",\(link)\r\n2,\"\"\r\n", "--from=csv").output
                == "n,link,verdict,referrer,timestamp,parameters\r\n"
                + "\" 1\",\(link),found,\"a,b\",1795224750690,\"{\"\"p\"\":\"\"1\"\"}\"\r\n2,\"\",notALink,,,\r\n"
        )
        #expect(
            try decode("referrer\tcopied\nx\t\(link)\n", "--from=tsv", "--column=copied").output
                == "referrer\tcopied\tverdict\tdecoded.referrer\ttimestamp\tparameters\n"
                + "x\t\(link)\tfound\ta,b\t1795224750690\t{\"p\":\"1\"}\n"
        )
        #expect(
            try decode("{ \"link\":\"\(link)\",\"verdict\":7 }\n{\"link\":null}\n", "--from=jsonl").output == """
                { "link":"\(link)","verdict":7 ,"decoded.verdict":"found","referrer":"a,b","timestamp":1795224750690,"parameters":{"p":"1"}}
                {"link":null,"verdict":"notALink","referrer":null,"timestamp":null,"parameters":null}

                """
        )
    }

    @Test("what links makes, decode reads, whatever stands in the rows")
    func roundTrip() throws {
        let table = "referrer,ct,param.x\nanna,spring,\n\"b\"\"\nc\",a b,\"1,2\"\né😀,,ü\n"
        let outcome = try Tool.inFolder(["t.csv": Data(table.utf8)]) { folder in
            try Tool.shell(
                "cd \(folder); referral-tool links t.csv --page https://apps.apple.com/app/id42 --pt 9 --ct std --at now "
                    + "| referral-tool decode --each --app-id 42 --from csv --quiet"
            )
        }
        let referrers = ["anna", "\"b\"\"\nc\"", "é😀"]
        #expect(outcome.error == "")
        #expect(outcome.status == 0)
        for referrer in referrers { #expect(outcome.output.contains(",found,\(referrer),")) }
        #expect(outcome.output.hasPrefix("referrer,ct,param.x,link,verdict,decoded.referrer,timestamp,parameters\n"))
    }

    @Test("rows without a string are bad rows")
    func badRows() throws {
        let outcome = try decode("{\"x\":1}\n{\"link\":1}\nnothing\n{\"link\":\"x\"}\n", "--from=jsonl")
        #expect(outcome.output.split(separator: "\n").count == 1)
        #expect(
            outcome.error == """
                standard input:1: link: missing
                standard input:2: link: it must be a string
                standard input:3: the row is not a JSON object
                referral-tool: 1 string: 1 notALink

                """
        )
        #expect(outcome.status == 65)
    }

    @Test("a line longer than any row is judged too, without being kept")
    func longLines() throws {
        let link = try Self.link("a")
        let input =
            "x\n" + String(repeating: " ", count: 1 << 19) + link + String(repeating: "\t", count: 3 << 20) + "\r\n"
            + String(repeating: "x", count: 3 << 20) + "\n" + link + "&x=" + String(repeating: "y", count: 3 << 20)
            + "\n"
            + link
        let verdicts = try decode(input, "--jobs=3").output.split(separator: "\n").map {
            $0.dropFirst(12).prefix { $0 != "\"" }
        }
        #expect(verdicts == ["notALink", "found", "notALink", "tooLong", "found"])
    }

    // MARK: Spreadsheets

    /// What a spreadsheet takes for a formula, and what it doesn't.
    private static let (formulas, texts) = (
        ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=\",\"", "\n=1", "＝1", "＋1", "－1", "＠SUM(A1)", "\u{2212}1"],
        ["a=1", " =1", "'=1", "\"=1\"", "1-1", "é", "＞1", "１"]
    )

    @Test("--guard-formulas puts an apostrophe in front of what a spreadsheet takes for a formula")
    func guardsFormulas() throws {
        for (index, text) in (Self.formulas + Self.texts).enumerated() {
            let isFormula = index < Self.formulas.count
            let link = try Self.link(text)
            func quoted(_ text: String) -> String {
                let isQuoted = text.contains { ["\"", ",", "\r", "\n"].contains($0) }
                return isQuoted ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
            }
            let rows = ["", "'"].map {
                "link,verdict,referrer,timestamp,parameters\n\(link),found,\(quoted($0 + text)),1795224750690,{}\n"
            }
            let guarded = try decode("link\n\(link)\n", "--from=csv", "--guard-formulas")
            #expect(guarded.output == rows[isFormula ? 1 : 0])
            #expect(guarded.status == 0)
            #expect(try decode("link\n\(link)\n", "--from=csv").output == rows[0])
        }
    }

    @Test("a quote in front hides no formula in TSV, where a spreadsheet takes it off")
    func guardsQuotes() throws {
        let row = try decode("link\n\(try Self.link("\"=1\""))\n", "--from=tsv", "--guard-formulas", "--quiet").output
        #expect(row.contains("\tfound\t'\"=1\"\t"))
    }

    @Test("a NUL from a link's JSON isn't written into a table")
    func noNUL() throws {
        let outcome = try decode("link\n\(try Self.link("a\0b"))\nx\n", "--from=csv")
        #expect(outcome.output == "link,verdict,referrer,timestamp,parameters\nx,notALink,,,\n")
        #expect(outcome.error.hasPrefix("standard input:2: referrer: a table can't contain the character NUL\n"))
        #expect(outcome.status == 65)
    }

    @Test("JSON lines hold no formulas")
    func guardsNoJSON() throws {
        for arguments in [[], ["--from=jsonl"]] {
            let outcome = try Tool.run(["decode", "--each", "--app-id=42", "--guard-formulas"] + arguments)
            #expect(outcome.error == "referral-tool: --guard-formulas is for csv and tsv; the output is jsonl\n")
            #expect(outcome.status == 64)
            #expect(outcome.output == "")
        }
        #expect(try Tool.run("decode", "--app-id=42", "--guard-formulas", "x").error.contains("requires --each"))
        #expect(try decode("{\"link\":\"=1\"}\n", "--from=jsonl").error == "referral-tool: 1 string: 1 notALink\n")
    }
}
