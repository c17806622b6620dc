import Foundation
import ReferralBridge
import Testing

/// `referral-tool links`: which link a row gets, and what comes out besides.
struct LinksTests {
    static let at = "1795224750690"

    /// The link that the library makes.
    static func link(
        _ referrer: String,
        page: String = "https://apps.apple.com/app/id42",
        _ parameters: [String: String] = [:]
    ) throws -> String {
        let tap = Timestamp(milliseconds: 1_795_224_750_690)
        let referral = try Referral(referrer: referrer, timestamp: tap, parameters: parameters)
        return try ReferralLink(page: StorePage(page), referral: referral).address
    }

    /// What comes of a table, whose rows are all good. Columns may set nothing.
    func links(_ table: String, _ arguments: String...) throws -> String {
        let options = ["links", "--app-id", "42", "--at", Self.at, "--quiet"]
        let outcome = try Tool.run(options + arguments, input: Data(table.utf8))
        #expect(outcome.error == "")
        #expect(outcome.status == 0)
        return outcome.output
    }

    // MARK: Rows

    @Test("everything comes out as it stood, in order, with the link behind it")
    func passesThrough() throws {
        let (anna, bob) = (try Self.link("anna"), try Self.link("b\"ob, jr"))
        #expect(
            try links("note,referrer,\"na\"\"me\"\n a ,anna,\"x,\"\n\"1\n2\",\"b\"\"ob, jr\",é")
                == "note,referrer,\"na\"\"me\",link\n a ,anna,\"x,\",\(anna)\n\"1\n2\",\"b\"\"ob, jr\",é,\(bob)\n"
        )
        #expect(
            try links("\u{FEFF}referrer,x\r\nanna,1\r\n\"anna\",2\r\n")
                == "\u{FEFF}referrer,x,link\r\nanna,1,\(anna)\r\n\"anna\",2,\(anna)\r\n"
        )
        // Blank lines are no rows.
        #expect(try links("referrer,x\n\nanna,1\n\n\n") == "referrer,x,link\nanna,1,\(anna)\n")
        // A quote inside of a cell is a character.
        #expect(try links("referrer,x\nanna,5\" disk\n") == "referrer,x,link\nanna,5\" disk,\(anna)\n")
    }

    @Test("bytes that are no UTF-8 pass through in columns that are not ours")
    func passesBytesThrough() throws {
        let table = Data("referrer,x\nanna,".utf8) + [0xFF, 0xC3] + Data("\n".utf8)
        let outcome = try Tool.run(["links", "--app-id", "42", "--at", Self.at], input: table)
        #expect(
            outcome.bytes == Data("referrer,x,link\nanna,".utf8) + [0xFF, 0xC3]
                + Data(",\(try Self.link("anna"))\n".utf8)
        )
        #expect(outcome.status == 0)
        #expect(outcome.error == "referral-tool: no effect on the links: the column 'x'\n")
    }

    @Test("a row's own page, campaign and parameters override the options where they are not empty")
    func overrides() throws {
        let ppid = "45812c9b-c296-43d3-c6a0-c5a02f74bf6e"
        let table = """
            referrer,ct,pt,ppid,slug,storefront,page,param.pack,param.a b
            a,,,,,,,,
            b,spring,,,,,,gold,x
            c,spring sale,9,\(ppid),my app,de,,,
            d,x,,,,,https://itunes.apple.com/fr/app/other/id7?l=fr#top,,1
            """
        let output = try links(table, "--pt", "1", "--ct", "std", "--to", "txt").split(separator: "\n").map(String.init)
        let page = "https://apps.apple.com/app/id42?pt=1&ct="
        #expect(
            output == [
                try Self.link("a", page: page + "std&mt=8"),
                try Self.link("b", page: page + "spring&mt=8", ["pack": "gold", "a b": "x"]),
                try Self.link(
                    "c",
                    page: "https://apps.apple.com/de/app/my%20app/id42?ppid=\(ppid)&pt=9&ct=spring%20sale&mt=8"
                ),
                try Self.link(
                    "d",
                    page: "https://itunes.apple.com/fr/app/other/id7?l=fr&pt=1&ct=x&mt=8#top",
                    ["a b": "1"]
                ),
            ]
        )
    }

    @Test("without an option for the page each row has its own")
    func pages() throws {
        let outcome = try Tool.run(
            "links",
            "--at",
            Self.at,
            "--to",
            "txt",
            input: "page,referrer\nhttps://apps.apple.com/app/id42,a\n,b\n"
        )
        #expect(outcome.output == (try Self.link("a")) + "\n")
        #expect(outcome.error == "standard input:3: page: missing, and no --page or --app-id is given\n")
        #expect(outcome.status == 65)
    }

    @Test(
        "columns and options without an effect are named in one line",
        arguments: [
            ("referrer,email\n", [], "no effect on the links: the column 'email'"),
            ("email,referrer,ct,pags\n", [], ": the column 'email', the column 'pags'"),
            ("c1,c2,c3,c4,c5,c6,c7,c8,c9,referrer\n", [], ", the column 'c8', others"),
            (
                "referrer,ct,email\n", ["--landing=https://example.com", "--pt=9", "--app-id=42"],
                "--app-id, --pt, the column 'ct', the column 'email': the landing page has its own link to the App Store"
            ),
            ("referrer\n", ["--landing=https://example.com", "--at=now"], "no effect on the links: --at: the landing"),
            (
                "{\"referer\":\"a\",\"x\":1}\n{\"x\":2,\"link\":1}\n", ["--from=jsonl", "--to=txt"],
                "the member 'referer', the member 'x', the member 'link'"
            ),
        ]
    )
    func ignoredColumns(table: String, options: [String], note: String) throws {
        let page = options.contains { $0.hasPrefix("--landing") } ? [] : ["--app-id=42", "--at=now"]
        let outcome = try Tool.run(["links"] + page + options, input: Data(table.utf8))
        let notes = outcome.error.split(separator: "\n").filter { $0.contains("no effect on the links") }
        #expect(notes.count == 1, "\(outcome.error)")
        #expect(notes.first?.contains(note) == true, "\(outcome.error)")
        #expect(outcome.status == (outcome.error.contains("missing") ? 65 : 0))
        let quiet = try Tool.run(["links", "--quiet"] + page + options, input: Data(table.utf8))
        #expect(!quiet.error.contains("no effect on the links"))
    }

    @Test("the last row ends as the first line does, in a plain row and in one with quotes")
    func lastLine() throws {
        for row in ["a", "\"a\""] {
            #expect(try links("referrer\r\n\(row)") == "referrer,link\r\n\(row),\(try Self.link("a"))\r\n")
            #expect(try links("referrer\n\(row)", "--to=txt") == "\(try Self.link("a"))\n")
        }
    }

    @Test("stamped links live as long as the window, and that is said once")
    func warning() throws {
        func error(_ table: String, _ arguments: String...) throws -> String {
            try Tool.run(["links", "--app-id", "42"] + arguments, input: Data(table.utf8)).error
        }
        let table = "referrer\na\nb\n"
        let warning = try error(table)
        #expect(warning.hasPrefix("referral-tool: these links expire in five minutes"))
        #expect(warning.hasSuffix("\n"))
        #expect(warning.split(separator: "\n").count == 1)
        #expect(try error("referrer\na\n") == warning)
        #expect(try error("referrer,x\n,1\n").contains("expire") == false)
        for silent in [["--at", "now"], ["--quiet"], ["--to", "html"]] {
            #expect(try Tool.run(["links", "--app-id", "42"] + silent, input: Data(table.utf8)).error == "")
        }
        #expect(try Tool.run("links", "--landing", "https://example.com", input: table).error == "")
        let rows = "referrer\n" + (0..<100_000).map { "r\($0)\n" }.joined()
        #expect(try error(rows, "--jobs", "3").split(separator: "\n").count == 1)
    }
}
