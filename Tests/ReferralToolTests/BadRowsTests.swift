import Foundation
import TestSupport
import Testing

/// Bad rows and bad tables: what is said, what is kept, and that everything else comes out.
struct BadRowsTests {
    func links(_ table: Data, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["links", "--app-id", "42", "--at", LinksTests.at, "--pt", "9", "--ct", "std"] + arguments,
            input: table
        )
    }

    // MARK: Rows

    @Test(
        "a bad row is reported with its line and its reason, and the others come out",
        arguments: [
            ("a,\(String(repeating: "c", count: 41)),,", "ct: 41 bytes, at most 40"),
            ("a,\(String(repeating: "é", count: 21)),,", "ct: 42 bytes, at most 40"),
            (",x,,", "referrer: missing"),
            ("\"\",x,,", "referrer: missing"),
            ("a,x,,,", "5 cells, but 4 columns"),
            ("a", "1 cell, but 4 columns"),
            ("a,x,nowhere,", "page: It does not begin with https://"),
            ("a,x,https://example.com/id42,", "page: The host is not the App Store's"),
            ("a,x\0,,", "there is a NUL byte in the row"),
            ("a,,,x\0", "there is a NUL byte in the row"),
            ("\"a\"b,x,,", "there is text after a closing quote"),
            ("\(String(repeating: "r", count: 8_200)),x,,", "referrer: with its parameters, the payload is"),
        ]
    )
    func badRow(row: String, reason: String) throws {
        let table = "referrer,ct,page,note\ngood,x,,\n\(row)\n\"more\ngood\",x,,\nlast,x,,\n\(row)"
        try Tool.inFolder { folder in
            let outcome = try links(Data(table.utf8), "--rejects", folder + "rejects.csv", "--jobs", "1")
            let reports = outcome.complaints.split(separator: "\n")
            #expect(reports.count == 2)
            #expect(reports.first?.hasPrefix("standard input:3: \(reason)") == true, "\(outcome.complaints)")
            #expect(reports.last?.hasPrefix("standard input:7: \(reason)") == true, "\(outcome.complaints)")
            #expect(outcome.status == 65)
            let referrers = outcome.output.components(separatedBy: ",x,,,https").map { $0.split(separator: "\n").last }
            #expect(referrers.dropLast() == ["good", "good\"", "last"])
            // As it stood, behind its reason and its line.
            let rejects = String(decoding: try Data(contentsOf: URL(filePath: folder + "rejects.csv")), as: UTF8.self)
            #expect(rejects.hasPrefix("reason,line,referrer,ct,page,note\n"))
            for line in [3, 7] { #expect(rejects.components(separatedBy: ",\(line),\(row)\n").count == 2) }
        }
    }

    @Test("a header of several lines counts as such")
    func headerLines() throws {
        let outcome = try links(Data("referrer,\"x\n\ny\"\na,1\n,2\n".utf8))
        #expect(outcome.complaints == "standard input:5: referrer: missing\n")
    }

    @Test("a row that is not UTF-8 where it matters")
    func notUTF8() throws {
        let outcome = try links(Data("referrer,ct\n".utf8) + [0xC3] + Data(",x\na,".utf8) + [0xFF])
        #expect(
            outcome.complaints == """
                standard input:2: referrer: not UTF-8; save the table as CSV UTF-8
                standard input:3: ct: not UTF-8; save the table as CSV UTF-8

                """
        )
        let header = try links(Data("referrer,Stra".utf8) + [0xDF] + Data("e\n".utf8))
        #expect(header.error == "referral-tool: standard input:1: it is not UTF-8; save the table as CSV UTF-8\n")
        #expect(outcome.output == "referrer,ct,link\n")
        let json = try links(Data("{\"referrer\":\"".utf8) + [0xFF] + Data("\"}\n".utf8), "--from=jsonl")
        #expect(json.complaints == "standard input:1: the row is not UTF-8; save it as UTF-8\n")
    }

    @Test(
        "bad JSON lines",
        arguments: [
            ("[]", "the row is not a JSON object"), ("{\"referrer\":\"a\"", "the row is not a JSON object"),
            ("{\"referrer\":1}", "referrer: it must be a string"), ("{}", "referrer: missing"),
            ("{\"referrer\":\"a\",\"referrer\":\"b\"}", "referrer: it is given twice"),
            ("{\"referrer\":\"a\",\"param.x\":\"1\",\"PARAM.x\":\"2\"}", "PARAM.x: it is given twice"),
            ("{\"referrer\":\"a\",\"param.x\":2}", "param.x: it must be a string"),
            (
                "{\"referrer\":\"a\",\"param.referrer\":\"1\"}",
                "param.referrer: a payload already has a member with that name"
            ),
            ("{\"referrer\":\"a\",\"link\":\"1\"}", "link: the row has one already"),
            (String(repeating: "[", count: 100_000), "the row is not a JSON object"),
            ("{\"x\":" + String(repeating: "[", count: 100_000), "the row has more than 64 levels of nesting"),
        ]
    )
    func badObject(row: String, reason: String) throws {
        try Tool.inFolder { folder in
            let table = "{\"referrer\":\"good\"}\n\(row)\r\n{\"referrer\":\"last\"}\n"
            let outcome = try links(Data(table.utf8), "--from=jsonl", "--rejects", folder + "rejects")
            #expect(outcome.complaints == "standard input:2: \(reason)\n")
            #expect(outcome.status == 65)
            #expect(outcome.output.split(separator: "\n").count == 2)
            let reject = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder + "rejects")))
            let members = try #require(reject as? [String: Any])
            #expect(members["reason"] as? String == reason)
            if !row.hasSuffix("}") || row == "[]" { #expect(members["row"] as? String == row) }
        }
    }

    @Test("twenty bad rows are told of, the others counted, and all are kept")
    func many() throws {
        let rows = (0..<50_000).map { "\($0.isMultiple(of: 2) ? "" : "r\($0)"),x\n" }.joined()
        try Tool.inFolder { folder in
            for jobs in ["1", "3"] {
                let outcome = try links(Data("referrer,ct\n\(rows)".utf8), "--rejects", folder + "r", "--jobs", jobs)
                let lines = outcome.complaints.split(separator: "\n").map(String.init)
                #expect(lines.dropLast() == (0..<20).map { "standard input:\(2 * $0 + 2): referrer: missing" }[...])
                #expect(lines.last == "referral-tool: 24,980 more rows rejected")
                #expect(outcome.output.split(separator: "\n").count == 25_001)
                let rejects = String(decoding: try Data(contentsOf: URL(filePath: folder + "r")), as: UTF8.self)
                let numbered = (0..<25_000).map { "referrer: missing,\(2 * $0 + 2),,x\n" }.joined()
                let isNumbered = rejects == "reason,line,referrer,ct\n" + numbered
                #expect(isNumbered)
            }
        }
    }

    @Test("a byte order mark stays in front of everything")
    func byteOrderMark() throws {
        try Tool.inFolder { folder in
            _ = try links(Data("\u{FEFF}\"referrer\",x\r\n,1\r\n".utf8), "--rejects", folder + "r")
            let rejects = try Data(contentsOf: URL(filePath: folder + "r"))
            #expect(rejects == Data("\u{FEFF}reason,line,\"referrer\",x\r\nreferrer: missing,2,,1\r\n".utf8))
        }
    }

    @Test("a row longer than the buffer counts the line breaks in its cells")
    func veryLongRows() throws {
        let row = "a,\"y\ny\ny\ny\",\(String(repeating: "z", count: 2 << 20))"
        let outcome = try links(Data("referrer,x\n\(row)\nbad\nc,1\n".utf8))
        #expect(
            outcome.complaints.hasPrefix(
                "standard input:2: the row is longer than 1 MiB, and what is kept of it may be cut\nstandard input:6: 1 cell, but"
            )
        )
    }

    @Test("without bad rows the file for them is empty, whatever was in it")
    func noBadRows() throws {
        try Tool.inFolder(["r": Data("old".utf8)]) { folder in
            #expect(try links(Data("referrer\na\n".utf8), "--rejects", folder + "r").status == 0)
            let rejects = try Data(contentsOf: URL(filePath: folder + "r"))
            #expect(rejects.isEmpty)
        }
    }

    #if os(Linux)
    @Test("work that can't begin leaves the file for bad rows as it was")
    func noWork() throws {
        try Tool.inFolder(["r": Data("old".utf8)]) { folder in
            let outcome = try Tool.shell(
                "cd \(folder); echo referrer | referral-tool links --app-id 42 --at now --rejects r >/dev/full; echo $?; cat r"
            )
            #expect(outcome.output == "74\nold")
        }
    }
    #endif

    @Test("a row over 1 MiB is a bad row", arguments: [1 << 20, (1 << 20) + 1, 3 << 20])
    func longRow(count: Int) throws {
        let reason = "the row is longer than 1 MiB, and what is kept of it may be cut"
        let text = String(repeating: "x", count: count)
        let formats = [
            ("csv", "referrer,x\n", "good,y", "a,\"\(text.dropLast(4))\""),
            ("csv", "referrer,x\n", "good,y", "a,\(text.dropLast(2))"),
            ("tsv", "referrer\tx\n", "good\ty", "a\t\(text.dropLast(2))"),
            ("jsonl", "", "{\"referrer\":\"good\"}", "{\"referrer\":\"a\",\"x\":\"\(text.dropLast(23))\"}"),
        ]
        // Quotes are skipped quickly, and nothing else is in a build for debugging.
        for (format, header, good, row) in formats.prefix(samples(1, long: formats.count)) {
            #expect(row.utf8.count == count)
            try Tool.inFolder { folder in
                let table = Data("\(header)\(good)\n\(row)\n\(good)\n\(row)".utf8)
                let outcome = try links(table, "--from", format, "--rejects", folder + "r", "--jobs=3")
                let isBad = count > 1 << 20
                let line = header.isEmpty ? 2 : 3
                #expect(outcome.status == (isBad ? 65 : 0))
                #expect(outcome.bytes.count { $0 == 10 } == (isBad ? line : line + 2))
                let reports = [line, line + 2].map { "standard input:\($0): \(reason)\n" }.joined()
                #expect(outcome.complaints == (isBad ? reports : ""))
                let rejects = try Data(contentsOf: URL(filePath: folder + "r"))
                #expect((rejects.count > 1 << 20) == isBad)
            }
        }
    }

    @Test(
        "nobody knows where the next row begins after a quote that never closes, or closes within another line's text",
        arguments: ["\"bad,x\n", "a\",\"\n", "a\",\"\"\"\n"],
        ["", "\"x\n"]
    )
    func openQuote(row: String, end: String) throws {
        let rows = String(repeating: row, count: samples(50_000, long: 500_000))
        let outcome = try links(Data("referrer,ct\na,b\n\(rows)\(end)".utf8), "--jobs=3")
        #expect(
            outcome.complaints.hasPrefix(
                "standard input:3: an opening quote has no closing quote, so this is the last row"
            )
        )
        #expect(outcome.status == 65)
        #expect(outcome.output.split(separator: "\n").count == 2)
    }
}
