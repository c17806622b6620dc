import Foundation
import ReferralBridge
import Testing

/// Custom product pages: the table that `site` writes, and `check` with it. The rule is tested in `SiteCheckTests`.
struct ProductPageTests {
    private static let options = [
        "site", "--app-id", "42", "--team", "ABCDE12345", "--bundle", "com.example.app", "--domain", "example.com",
        "--scheme", "trestle",
    ]
    private static let ids = ["45812c9b-c296-43d3-c6a0-c5a02f74bf6e", "45812C9B-C296-43D3-C6A0-C5A02F74BF6F"]
    /// Addresses, and the referrer of each.
    private static let rows = [
        ("https://example.com/get?ref=spring", "spring"),
        ("https://example.com/get/?ref=Gr%C3%BC%C3%9Fe,+2", "Grüße, 2"),
        ("trestle://get?ref=autumn&open=/boards/42", "autumn"),
    ]
    private static let association = [
        "apple-app-site-association": Data(
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[{"/":"/get","?":{"ref":"?*"}}]}]}}"#
                .utf8
        )
    ]

    private func site(_ pages: [(String, String)], _ more: [String] = []) throws -> Tool.Outcome {
        try Tool.run(Self.options + pages.flatMap { ["--product-page", "\($0)=\($1)"] } + more)
    }

    /// Checks a site with a table of product pages. Paths in the result are relative.
    private func check(_ table: Data, name: String = "pages.csv", json: Bool = false) throws -> Tool.Outcome {
        try Tool.inFolder(Self.association.merging([name: table]) { $1 }) { folder in
            let outcome = try Tool.run(["check", folder, "--product-pages", folder + name] + (json ? ["--json"] : []))
            return Tool.Outcome(
                bytes: Data(outcome.output.replacing(folder, with: "").utf8),
                error: outcome.error.replacing(folder, with: ""),
                status: outcome.status
            )
        }
    }

    // MARK: site

    @Test("the pages are a table and a step, and the app's landing pages include those of a scheme")
    func written() throws {
        try Tool.inFolder { folder in
            let pages = [(Self.ids[0], Self.rows[1].0), (Self.ids[1], Self.rows[2].0)]
            let outcome = try site(pages, ["--out", folder + "site"])
            #expect(outcome.status == 0, "\(outcome.error)")
            let table = try String(contentsOfFile: folder + "site/product-pages.csv", encoding: .utf8)
            #expect(table == "ppid,link\n\(pages[0].0),\"\(pages[0].1)\"\n\(pages[1].0),\(pages[1].1)\n")
            let steps = outcome.output
            for part in [
                "In App Store Connect, enter these deep links", "not yet tested on a device",
                "       \(pages[0].0)  \(pages[0].1)\n", #"LandingPage("trestle://get")"#,
                "--product-pages product-pages.csv\n",
            ] {
                #expect(steps.contains(part), "\(part)")
            }
            let page = try Tool.run("page", "--app-id", "42", "--name", "T", "--out", folder + "site/get.html")
            #expect(page.status == 0)
            let checked = try Tool.run(
                [
                    "check", folder + "site", "--entitlements", folder + "site/App.entitlements", "--info-plist",
                    folder + "site/Info.plist", "--product-pages", folder + "site/product-pages.csv",
                ]
            )
            #expect(checked.status == 0, "\(checked.output)")
            #expect(
                checked.output.contains("product-pages.csv:2:38: note: opens the app with the referrer 'Grüße, 2'\n")
            )
            #expect(
                checked.output.contains("product-pages.csv:3:38: note: opens the app with the referrer 'autumn', if ")
            )
            #expect(checked.output.hasSuffix(", 1 association file, 2 product pages' addresses\n"))
        }
    }

    @Test("without a product page, there is no table and no step")
    func none() throws {
        let outcome = try site([])
        #expect(!outcome.output.contains("product"))
        #expect(outcome.status == 0)
    }

    @Test("the app accepts the addresses as they are", arguments: rows)
    func accepted(_ link: String, _ referrer: String) throws {
        #expect(try site([(Self.ids[0], link)]).status == 0)
        var scanner = ReferralScanner(appID: 42)
        scanner.landingPages = [LandingPage("https://example.com/get"), LandingPage("trestle://get")]
        let judgment = scanner.judge(opened: link)
        #expect(judgment.verdict == .found)
        #expect(judgment.arrival?.referrer == referrer)
        #expect(judgment.arrival?.road == .opened)
    }

    @Test(
        "a page that can't lead to the app is refused with the reason",
        arguments: [
            ("\(ids[0])", "write the product page's UUID, an equals sign and an address"),
            ("spring=https://example.com/get?ref=a", "'spring' isn't the UUID of a product page"),
            ("\(ids[0])=", "the address is missing"),
            ("\(ids[0])=https://example.com/get", "names no referrer"),
            ("\(ids[0])=https://example.com/get?ref=a\u{1B}", "isn't an address"),
            ("\(ids[0])=http://example.com/get?ref=a", "write https://"),
            ("\(ids[0])=https://other.example/get?ref=a", "its host is 'other.example', and --domain is 'example.com'"),
            ("\(ids[0])=https://example.com/got?ref=a", "add its path with --path"),
            ("\(ids[0])=paid://get?ref=a", "name the scheme with --scheme paid"),
        ]
    )
    func refused(_ value: String, _ reason: String) throws {
        let outcome = try Tool.run(Self.options + ["--product-page", value])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains(reason), "\(outcome.error)")
        #expect(outcome.error.hasPrefix("referral-tool: --product-page '"))
        #expect(outcome.output == "")
    }

    @Test("a page is given once, whatever the case of its UUID")
    func twice() throws {
        let outcome = try site([(Self.ids[0], Self.rows[0].0), (Self.ids[0].uppercased(), Self.rows[0].0)])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("the product page is given twice"))
    }

    // MARK: check

    @Test("the output of links is a table of product pages")
    func links() throws {
        let input = "name,referrer,ppid\nSpring,spring,\(Self.ids[0])\n\"A, B\",a b,\(Self.ids[1])\n"
        let table = try Tool.run("links", "--landing", "https://example.com/get", input: input)
        let checked = try check(table.bytes)
        #expect(checked.status == 0)
        #expect(
            checked.output == """
                pages.csv:2:52: note: opens the app with the referrer 'spring', if the association file is on 'example.com'
                pages.csv:3:49: note: opens the app with the referrer 'a b', if the association file is on 'example.com'
                no problem in 1 association file, 2 product pages' addresses

                """
        )
    }

    @Test(
        "a problem has its line and column, whatever the form of the table",
        arguments: [
            ("pages.csv", "ppid,link\nx,@\n", ["2:1", "2:3"]),
            ("pages.csv", "\u{FEFF}PPID;Link\r\n\"x\";\"@\"\r\n", ["2:1", "2:5"]),
            ("pages.csv", "ppid\tlink\n\t\nx\t@", ["3:1", "3:3"]),
            ("pages.csv", "link,ppid\r@,x\r", ["2:1", "2:25"]),
            ("pages.tsv", "ppid\tlink\nx\t@\n", ["2:1", "2:3"]),
            ("pages.csv", "\"a\nb\",ppid,link\n\n\"é\n\",x,@", ["5:3", "5:5"]),
        ]
    )
    func places(_ name: String, _ table: String, _ places: [String]) throws {
        let outcome = try check(Data(table.replacing("@", with: "https://example.com/get").utf8), name: name)
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        for (line, place) in zip(lines, places) {
            #expect(line.hasPrefix("\(name):\(place): 'x' ") || line.hasPrefix("\(name):\(place): 'https"))
        }
    }

    @Test("findings are in JSON, too")
    func json() throws {
        let outcome = try check(Data("ppid,link\nx,https://example.com/get?ref=a\n".utf8), json: true)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(#""file":"pages.csv","line":2,"column":1,"rule":"product-page""#))
        #expect(outcome.output.contains(#""column":3,"rule":"product-page","message":"opens the app"#))
        #expect(outcome.output.contains(#""productPages":1"#))
    }

    @Test(
        "a file that isn't a table of product pages ends the command",
        arguments: [
            ("", "pages.csv is empty; it must begin with the columns' names"),
            ("ppid,link\n", "pages.csv has no product page"), ("ppid,link\n,\n\n", "pages.csv has no product page"),
            ("<!doctype html>\n", "pages.csv:1: there is no column 'ppid', only '<!doctype html>'"),
            ("ppid,address\nx,y\n", "pages.csv:1: there is no column 'link', only 'ppid', 'address'"),
            ("ppid,link,Link\nx,y,z\n", "pages.csv:1: two columns are called 'link', number 2 and number 3"),
            ("ppid,link\n\n\"a\nb\",c\nx,y,z\n", "pages.csv:5: 3 cells, but 2 columns"),
            ("ppid,link\nx,\"y\nx,y\n", "pages.csv:2: an opening quote has no closing quote"),
            ("ppid,link\nx,a\u{0}b\n", "pages.csv:2: there is a NUL byte in the row"),
            ("p\u{0}pid,link\nx,y\n", "pages.csv:1: there is a NUL byte"),
            ("PK\u{3}\u{4}", "pages.csv is a spreadsheet file; save it as CSV"),
            ("ppid,link\nx,\(String(repeating: "y", count: 3 << 20))", "pages.csv:2: the row is longer than 1 MiB"),
        ]
    )
    func notATable(_ text: String, _ reason: String) throws {
        let outcome = try check(Data(text.utf8))
        #expect(outcome.status == 65)
        #expect(outcome.error.hasPrefix("referral-tool: \(reason)"), "\(outcome.error)")
        #expect(outcome.output == "")
    }

    @Test(
        "text in another encoding is refused",
        arguments: [([0x78, 0x2C, 0xE9, 0x0A], ":2: the row is not UTF-8"), ([], "")]
    )
    func encoding(_ row: [UInt8], _ reason: String) throws {
        let bytes = row.isEmpty ? Data([0xFF, 0xFE]) + Data("p\u{0}".utf8) : Data("ppid,link\n".utf8) + Data(row)
        let outcome = try check(bytes)
        #expect(outcome.status == 65)
        #expect(
            outcome.error.hasPrefix("referral-tool: pages.csv" + (row.isEmpty ? " is UTF-16" : reason)),
            "\(outcome.error)"
        )
    }

    @Test("a list of JSON lines isn't a table, and a missing file has a status of its own")
    func otherFiles() throws {
        let lines = try check(Data("{}\n".utf8), name: "pages.jsonl")
        #expect(lines.status == 64)
        #expect(lines.error.contains("a table of product pages is csv or tsv, not jsonl"))
        let missing = try Tool.run("check", "-", "--product-pages", "/nowhere/pages.csv")
        #expect(missing.status == 66)
        #expect(missing.error.contains("can't read '/nowhere/pages.csv': No such file or directory"))
    }
}
