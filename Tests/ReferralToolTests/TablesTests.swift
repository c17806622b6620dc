import Foundation
import Testing

/// Tables as spreadsheets and people write them: what is accepted as it is, what is noted, and what stays silent.
struct TablesTests {
    private func links(_ table: some Sequence<UInt8>, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["links", "--landing", "https://example.com/get"] + arguments, input: Data(table))
    }

    /// The links of rows, without the other columns.
    private func referrers(_ outcome: Tool.Outcome) -> [String] {
        outcome.output.split(separator: "\n").compactMap { line in
            line.components(separatedBy: "https://example.com/get?via=").dropFirst().last
        }
    }

    // MARK: Accepted

    @Test(
        "columns without a name, unused columns of one name, rows without a value, and a CR alone are accepted as they are",
        arguments: [
            ("referrer,name,,\nanna,Anna,,\n", "referrer,name,,,link\nanna,Anna,,,LINKanna\n"),
            ("referrer,note,note\nanna,a,b\n", "referrer,note,note,link\nanna,a,b,LINKanna\n"),
            (",,referrer\n1,2,anna\n", ",,referrer,link\n1,2,anna,LINKanna\n"),
            (
                "referrer,x\nanna,1\n,\n\"\",\"\"\nbob,2\n,",
                "referrer,x,link\nanna,1,LINKanna\n,,\n\"\",\"\",\nbob,2,LINKbob\n,,\n"
            ),
            ("referrer;x\r\n;\r\nanna;\r\n", "referrer;x;link\r\n;;\r\nanna;;LINKanna\r\n"),
            ("referrer,x\nanna,1\r2\n", "referrer,x,link\nanna,1\r2,LINKanna\n"),
            ("referrer,x\r\nanna,1\r2\r\n", "referrer,x,link\r\nanna,1\r2,LINKanna\r\n"),
            ("\"x\ry\",referrer\n1,anna\n", "\"x\ry\",referrer,link\n1,anna,LINKanna\n"),
        ]
    )
    func acceptedTables(table: String, output: String) throws {
        let outcome = try links(table.utf8)
        #expect(outcome.output == output.replacing("LINK", with: "https://example.com/get?via="))
        #expect(outcome.complaints == "")
        #expect(!outcome.error.contains("''"))
        #expect(outcome.status == 0)
    }

    @Test("a row without a value gets no link in other formats either, and one with other values needs a referrer")
    func emptyRows() throws {
        let table = "referrer,x\n,\nanna,1\n,2\n"
        for format in ["html", "txt"] {
            let outcome = try links(table.utf8, "--to", format)
            #expect(outcome.complaints == "standard input:4: referrer: missing\n")
            #expect(outcome.output.split(separator: "\n").count == 1)
            #expect(outcome.status == 65)
        }
        // Another number of separators isn't the table's.
        #expect(try links("referrer,x\n,,\n".utf8).complaints == "standard input:2: 3 cells, but 2 columns\n")
    }

    @Test("--referrer-column names the column or the member with the referrers")
    func referrerColumn() throws {
        let outcome = try links("Name,Code,referrer\nAnna,a1,x\nBob,,y\n".utf8, "--referrer-column=code")
        #expect(referrers(outcome) == ["a1"])
        #expect(
            outcome.error == """
                standard input:3: code: missing
                referral-tool: no effect on the links: the column 'Name', the column 'referrer'

                """
        )
        let objects = try links("{\"code\":\"a1\",\"referrer\":7}\n".utf8, "--from=jsonl", "--referrer-column=code")
        #expect(objects.output == "{\"code\":\"a1\",\"referrer\":7,\"link\":\"https://example.com/get?via=a1\"}\n")
        #expect(objects.status == 0)
        // Any column can be it.
        #expect(referrers(try links("ct,param.x\na,b\n".utf8, "--referrer-column=CT", "--item=x")) == ["a&x=b"])
        #expect(referrers(try links("ct,param.x\na,b\n".utf8, "--referrer-column=param.x")) == ["b"])
    }

    @Test("white space around a referrer isn't a part of it, and that is said once")
    func trimmed() throws {
        let table = "referrer\n anna\nbob\t\n\u{FEFF}\u{A0}eve\u{3000}\nd e\n \u{85}x\n"
        let outcome = try links(table.utf8)
        #expect(outcome.error == "referral-tool: white space around a referrer isn't a part of it: 4 rows\n")
        #expect(Array(referrers(outcome).prefix(4)) == ["anna", "bob", "eve", "d%20e"])
        #expect(try links(table.utf8, "--quiet").error == "")
    }

    @Test("referrers that look alike are noted once, with examples, and each gets its link")
    func lookalikes() throws {
        let names = "anna bob Anna zoë anna zoe\u{308} a\u{200B}nna STRASSE straße".replacing(" ", with: "\n")
        let table = "referrer\n" + names + "\nspring  sale\nspring sale\n"
        let outcome = try links(table.utf8)
        #expect(
            outcome.error == #"""
                referral-tool: 9 referrers differ only by letter case, white space, composition or invisible characters, and count \#
                apart: 'Anna' and 'anna' and 'a\u{200B}nna'; 'spring\u{20}sale' and 'spring\u{20}\u{20}sale'; 'straße' and 'STRASSE'

                """#
        )
        #expect(referrers(outcome).count == 11)
        #expect(try links(table.utf8, "--quiet").error + links("referrer\nanna\nanna\nann\n".utf8).error == "")
    }
}
