import Foundation
import Testing

/// `links --sheet`: a page with a code for each row. The browsers' tests look at it.
struct SheetTests {
    private func sheet(_ table: String, _ arguments: String...) throws -> (page: String, outcome: Tool.Outcome) {
        try Tool.inFolder { folder in
            let outcome = try Tool.run(
                ["links", "--landing=https://example.com/get", "--sheet", folder + "sheet.html"] + arguments,
                input: Data(table.utf8)
            )
            return (try String(contentsOf: URL(filePath: folder + "sheet.html"), encoding: .utf8), outcome)
        }
    }

    /// The rows of the page: each link, referrer and name.
    private func codes(_ page: String) -> [[String]] {
        page.matches(of: /<figure data-link="(.*?)" data-referrer="(.*?)"><figcaption dir="auto">(.*?)<\/figcaption>/)
            .map { [String($0.1), String($0.2), String($0.3)] }
    }

    @Test("each row with a link has a code, with its name and its referrer, and the links come out as usual")
    func rows() throws {
        let get = "https://example.com/get?via="
        let expected = [
            [get + "anna", "anna", "<bdi>Anna &amp; &lt;b&gt;</bdi> (<bdi>anna</bdi>)"],
            [get + "bob", "bob", "<bdi>bob</bdi>"], [get + "%C3%A9", "é", "<bdi>{qr}&quot;</bdi> (<bdi>é</bdi>)"],
        ]
        let tables: [(String, [String])] = [
            ("referrer,Name\nanna,\"Anna &\n<b>\"\n,x\nbob,\n,\né,\"{qr}\"\"\"\n", []),
            (
                """
                {"referrer":"anna","name":"Anna &\\r\\n<b>"}
                {"referrer":"bob"}
                {"referrer":"é","name":"{qr}\\""}
                """, ["--from=jsonl"]
            ),
        ]
        for (table, options) in tables {
            for jobs in ["1", "3"] {
                let (page, outcome) = try sheet(table, "--jobs", jobs, options.first ?? "--from=csv")
                #expect(codes(page) == expected)
                #expect(outcome.output.contains("https://example.com/get?via=anna"))
                #expect(!outcome.error.contains("no effect"), "the name is on the sheet: \(outcome.error)")
            }
        }
        // Also without notes, and with links alone on standard output.
        let (page, outcome) = try sheet("referrer\nanna\n", "--quiet", "--to=txt")
        #expect(codes(page) == [[get + "anna", "anna", "<bdi>anna</bdi>"]])
        #expect(outcome.output == get + "anna\n")
    }

    @Test("a sheet has at most 2,000 codes, and the rest is noted")
    func many() throws {
        let table = "referrer\n" + (0..<3_000).map { "r\($0)\n" }.joined()
        let (page, outcome) = try sheet(table, "--jobs=3")
        #expect(codes(page).map(\.[1]) == (0..<2_000).map { "r\($0)" })
        #expect(outcome.error == "referral-tool: the sheet has the first 2,000 links; divide the table for more\n")
        #expect(outcome.output.split(separator: "\n").count == 3_001)
        let exact = try sheet("referrer\n" + (0..<2_000).map { "r\($0)\n" }.joined())
        #expect(codes(exact.page).count == 2_000)
        #expect(exact.outcome.error == "")
    }
}
