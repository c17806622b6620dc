import Foundation
import Testing

struct CheckTests {
    private static let store = "https://apps.apple.com/us/app/trestle/id42"
    private static let head = "<!doctype html>\n<script src=referral-bridge.js defer></script>\n"

    /// The rules that a page breaks, with the places, when the page begins with the snippet.
    private func broken(_ body: String, _ arguments: String...) throws -> [String] {
        let checked = try CheckedFolder(["page.html": Self.head + body], arguments)
        #expect(checked.status == (checked.report.findings.isEmpty ? 0 : 1))
        return checked.report.findings.map(\.description)
    }

    // MARK: Good pages

    @Test("the project's own page is a good one")
    func example() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web/example.html")
        let outcome = try Tool.run("check", page.standardized.path(), "--app-id", "1300230302")
        #expect(outcome.output.hasPrefix("nothing wrong in 1 page: 1 link with a referrer, "))
        #expect(outcome.error == "" && outcome.status == 0)
    }

    @Test("what the command writes into a page passes, whatever its form")
    func ownOutput() throws {
        let link = try Tool.run("links", "--app-id", "42", "--to", "html", input: "referrer,param.pack\na&b,gold\n")
            .output
        for form in [["--format", "html"], ["--format", "html", "--min"], ["--format", "html", "--nonce", "abc"]] {
            let snippet = try Tool.run(["snippet"] + form).output
            #expect(try CheckedFolder.findings(in: snippet + link, "--app-id", "42") == [])
            let xhtml =
                "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>\(snippet)</head><body>\(link)</body></html>"
            #expect(try CheckedFolder.findings(in: xhtml, name: "page.xhtml") == [])
        }
    }

    @Test("a line counts what was right")
    func counts() throws {
        let page = """
            <meta http-equiv=content-security-policy content="script-src https://cdn.example">
            <meta name=apple-itunes-app content="app-id=42">
            <script src="https://cdn.example/x/referral-bridge.min.js?v=1"></script>
            <a href="\(Self.store)" data-referrer=x>1</a> <a href="\(Self.store)">2</a> <a href="/about">3</a>
            """
        let outcome = try Tool.inFolder(["a.html": Data(page.utf8), "b.htm": Data("<p>".utf8)]) {
            try Tool.run("check", $0)
        }
        #expect(
            outcome.output == "nothing wrong in 2 pages: 1 link with a referrer, 1 other store link, "
                + "1 snippet (1 not looked into), 1 policy, 1 banner\n"
        )
        #expect(outcome.error == "" && outcome.status == 0)
    }

    @Test(
        "what works is not complained of",
        arguments: [
            #"<a href="https://apps.apple.com/app/id42?pt=9&amp;ct=spring&amp;mt=8" data-referrer="x">"#,
            #"<a href=" //apps.apple.com/app/id42 " data-referrer="x">"#,
            "<a href='https://apps.apple.com/us/\napp/id42' data-referrer=x>",
            #"<a href="itms-apps://itunes.apple.com/app/id42" data-referrer-from="ref" data-referral-on="all">"#,
            #"<map><area href="https://apps.apple.com/app/id42" data-referrer="x" data-referral-level-set="1"></map>"#,
            #"<svg><a xlink:href="https://apps.apple.com/app/id42" data-referrer="x"/></svg>"#,
            #"<store-link href="https://apps.apple.com/app/id42" data-referrer="x"></store-link>"#,
            #"<a href="https://example.com/?ed=4" data-referrerpolicy="x">"#, #"<p data-referral-code="x">"#,
            #"<a href="https://apps.apple.com/app/id42?bed=1&amp;ED=2#ed=3">"#,
            #"<a href="https://apps.apple.com/app/id42?pt=9&amp;ct=%C3%A4123456789012345678901234567890123456%C3%A4">"#,
            #"<!-- <a data-referrer="x"> --><textarea><a data-referrer="x"></textarea>"#,
            #"<script>'<a data-referrer="x">'</script><noscript><a data-referrer="x"></noscript>"#,
            #"<meta name="apple-itunes-app" content="app-argument=https://example.com/?a=1, app-id=7">"#,
        ]
    )
    func fine(_ body: String) throws {
        #expect(try broken(body) == [])
    }

    // MARK: One page a rule

    @Test(
        "links",
        arguments: [
            ("<p>\n  <button data-referrer=x href='\(store)'>", "no-link 4:3"),
            ("<a data-referrer=x>", "no-address 3:1"),
            ("<a href=/get data-referrer=x>", "no-store-page 3:4"),
            ("<a data-referrer=x href='https://apps.apple.com/us/app/trestle'>", "no-store-page 3:20"),
            ("<a href='https://me@apps.apple.com/app/id42' data-referrer-from=ref>", "no-store-page 3:4"),
            ("<a href='\(store)' data-referrer>", "no-referrer 3:54"),
            ("<a href='\(store)' data-referrer='' data-referrer-from=''>", "no-referrer 3:54"),
            ("<a href='\(store)' data-referrer-from=''>", "no-referrer 3:54"),
            ("<a href='\(store)?mt=8&amp;ed=eyJ0' data-referrer=x>", "stale-link 3:4"),
            ("<p>ä😀<a href='\(store)?ed=eyJ0'>", "stale-link 3:9"), ("<a href='\(store)?ct=x'>", "lone-token 3:4"),
            ("<a href='\(store)?pt=9&ct=' data-referrer=x>", "lone-token 3:4"),
            ("<a href='\(store)?pt&ct'>", "lone-token 3:4"),
            ("<a href='\(store)?pt=9&ct=\(String(repeating: "c", count: 41))'>", "long-token 3:4"),
            ("<a href='\(store)' data-referrer=x data-referral-timestamp=1>", "reserved-parameter 3:70"),
            ("<a href='\(store)' data-referrer=x Data-Referral-Referrer=1>", "reserved-parameter 3:70"),
            ("<a href='\(store)' data-referrer=x data-referral-1x=1>", "parameter-name 3:70"),
            ("<a href='\(store)' data-referrer=x data-referral--x=1>", "parameter-name 3:70"),
            ("<a href='\(store)' data-referrer=x data-referralPack=1>", "parameter-name 3:70"),
            ("<a href='\(store)' data-referral-pack=gold data-referral-on=all>", "lost-parameter 3:54"),
        ]
    )
    func links(_ body: String, _ rule: String) throws {
        #expect(try broken(body) == [rule])
    }

    @Test("another app than the one given, and never without it")
    func otherApp() throws {
        let body =
            "<a href='\(Self.store)' data-referrer=x></a>\n<a href='https://apps.apple.com/app/id7' data-referrer=x>"
        #expect(try broken(body) == [])
        #expect(try broken(body, "--app-id", "42") == ["other-app 4:4"])
        // A link without a referrer may lead wherever it likes.
        #expect(try broken("<a href='\(Self.store)'>", "--app-id", "7") == [])
    }

    @Test("a banner of another app, or of none")
    func banner() throws {
        let banner = "<meta name='apple-itunes-app' content='app-id=7, app-argument=x'>"
        #expect(try broken(banner, "--app-id", "7") == [])
        #expect(try broken(banner, "--app-id", "42") == ["banner 3:31"])
        #expect(try broken(banner + "<a href='\(Self.store)' data-referrer=x>") == ["banner 3:31"])
        #expect(try broken("<meta name=apple-itunes-app content='app=7'>") == ["banner 3:29"])
    }

    @Test("a message says what is wrong and what would be right")
    func messages() throws {
        let page = Data("<a href='https://example.com/\u{202E}' data-referrer=x>".utf8)
        let outcome = try Tool.inFolder(["page\u{1B}[31m.html": page, "referral-bridge.js": Data()]) { folder in
            let outcome = try Tool.run("check", folder)
            return (outcome.output.replacing(folder, with: ""), outcome.error)
        }
        #expect(
            outcome.0 == #"""
                page\u{1B}[31m.html:1:1: this page has links with a referrer and no snippet; add what 'referral-tool snippet --format html' prints
                page\u{1B}[31m.html:1:4: a link with a referrer leads to an App Store page, and 'https://example.com/\u{202E}' is none: The host is not the App Store's, apps.apple.com or itunes.apple.com.

                """#
        )
        #expect(outcome.1 == "referral-tool: 2 problems in 1 of 1 page\n")
    }

    @Test("each rule has a line in the help")
    func help() throws {
        let help = try Tool.run("check", "--help").output
        for rule in [
            "no-link", "no-address", "no-store-page", "other-app", "no-referrer", "stale-link", "lone-token",
            "long-token",
            "reserved-parameter", "parameter-name", "lost-parameter", "unclosed", "no-snippet", "second-snippet",
            "other-snippet",
            "policy",
            "banner",
        ] {
            #expect(help.contains("\n  \(rule)  "), "\(rule)")
        }
    }
}
