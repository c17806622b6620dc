import Foundation
import Testing

/// Links to a landing page of the app's maker.
extension LinksTests {
    @Test(
        "a landing page takes the referrer from its own address",
        arguments: [
            ("https://example.com/get", [], "https://example.com/get?via=a%20%26b"),
            ("https://example.com", ["--referrer-item", "von wem"], "https://example.com?von%20wem=a%20%26b"),
            (
                "https://example.com?von+wem=x&von%20wem&von", ["--referrer-item", "von wem"],
                "https://example.com?von&von%20wem=a%20%26b"
            ),
            ("https://example.com?v%69a=x&via%=y", [], "https://example.com?via%=y&via=a%20%26b"),
            (
                "https://example.com?\u{E9}=\u{301}x&e\u{301}=1", ["--referrer-item", "\u{E9}"],
                "https://example.com?e%CC%81=1&%C3%A9=a%20%26b"
            ),
            (
                "HTTP://example.com/?x=%20+&&via=old&y=#f?via=1", [],
                "HTTP://example.com/?x=%20+&y=&via=a%20%26b#f?via=1"
            ),
            ("https://example.com/?reference=1&via", [], "https://example.com/?reference=1&via=a%20%26b"),
            ("HTTPS://Bücher.example:8/gét#ü", [], "https://xn--bcher-kva.example:8/g%C3%A9t?via=a%20%26b#%C3%BC"),
            ("https://example.com/für/*?via=x&y=1#z", [], "https://example.com/f%C3%BCr/a%20%26b?y=1#z"),
        ]
    )
    func landing(address: String, options: [String], link: String) throws {
        let table = Data("referrer,ct\na &b,\n\(String(repeating: "plain", count: 2)),\n".utf8)
        let outcome = try Tool.run(["links", "--landing", address, "--to", "txt"] + options, input: table)
        #expect(outcome.output == link + "\n" + link.replacing("a%20%26b", with: "plainplain") + "\n")
        let reason = "the landing page has its own link to the App Store"
        #expect(outcome.error == "referral-tool: no effect on the links: the column 'ct': \(reason)\n")
        #expect(outcome.status == 0)
        let html = try Tool.run(["links", "--landing", address, "--to", "html"] + options, input: table)
        #expect(html.output.hasPrefix("<a href=\"\(link.replacing("&", with: "&amp;"))\">Get the app</a>\n"))
    }

    @Test(
        "to a landing page's link the parts of a page are columns like any other, in a plain row and in one with quotes"
    )
    func landingColumns() throws {
        let table = Data("referrer,ct\na,".utf8) + [0xFF] + Data("\n\"c\",".utf8) + [0xFF] + Data("\n".utf8)
        let options = ["links", "--landing", "https://example.com", "--to", "txt", "--quiet"]
        let outcome = try Tool.run(options, input: table)
        #expect(outcome.output == "https://example.com?via=a\nhttps://example.com?via=c\n")
        #expect(outcome.error == "")
    }

    @Test("a parameter on a landing address without a signature makes a bad row, since the page would never see it")
    func unsignedParameters() throws {
        func reason(_ name: String) -> String {
            "a link to a landing page can contain it only if --item names it or if the link is signed; "
                + "give --item \(name) or --sign, or omit --landing"
        }
        let landing = ["links", "--landing", "https://example.com", "--to", "txt"]
        let table = "referrer,param.board\na,\nb,wood\n\"c\",\"\"\nd,\"x\"\n"
        let outcome = try Tool.run(landing, input: Data(table.utf8))
        #expect(outcome.output == "https://example.com?via=a\nhttps://example.com?via=c\n")
        #expect(outcome.status == 65)
        #expect(
            outcome.error == """
                standard input:3: param.board: \(reason("board"))
                standard input:5: param.board: \(reason("board"))

                """
        )
        let objects = """
            {"referrer":"a","param.board":""}
            {"referrer":"b","param.board":"wood"}
            {"referrer":"c","param.x":"","param.pack":"gold"}
            {"referrer":"d","param.x":null}

            """
        let json = try Tool.run(landing + ["--from=jsonl"], input: Data(objects.utf8))
        #expect(json.output == "https://example.com?via=a\nhttps://example.com?via=d\n")
        #expect(json.status == 65)
        #expect(
            json.error == """
                standard input:2: param.board: \(reason("board"))
                standard input:3: param.pack: \(reason("pack"))

                """
        )
    }

    @Test("the parameters that --item names are items of the address, in order, and nothing before them counts")
    func items() throws {
        let table = "referrer,param.pack,param.open\nanna,,/boards/42\nbob,gold & co,\n\"eve\",\"x\",\"/\"\n"
        let inPath = ["links", "--landing=https://example.com/for/*", "--item=open", "--item", "pack", "--to=txt"]
        let paths = try Tool.run(inPath, input: table + "..,,\n").output.split(separator: "\n")
        let ends = ["anna?open=%2Fboards%2F42", "bob?pack=gold%20%26%20co", "eve?open=%2F&pack=x"]
        #expect(paths.map { $0.dropFirst(24) } == ends.map { $0[...] })
        let outcome = try Tool.run(
            ["links", "--landing=https://example.com/get?open=x&a=1", "--item=open", "--item", "pack", "--to=txt"],
            input: Data(table.utf8)
        )
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                https://example.com/get?a=1&via=anna&open=%2Fboards%2F42
                https://example.com/get?a=1&via=bob&pack=gold%20%26%20co
                https://example.com/get?a=1&via=eve&open=%2F&pack=x

                """
        )
    }

    @Test(
        "an item has the name of a parameter, once, and needs a landing page without a signature",
        arguments: [
            ["--landing=https://example.com", "--item=sig"], ["--landing=https://example.com", "--item=Open"],
            ["--landing=https://example.com", "--item=via"],
            ["--landing=https://example.com", "--referrer-item=from", "--item=from"], ["--app-id=42", "--item=open"],
        ]
    )
    func wrongItems(_ options: [String]) throws {
        let outcome = try Tool.run(["links"] + options, input: Data("referrer\na\n".utf8))
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("--item"))
    }
}
