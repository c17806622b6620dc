import Foundation
import ReferralBridge
import ReferralSiteCheck
import Testing

/// Finding the snippet of a page, and whether a policy allows it.
struct SnippetSearchTests {
    private static let link = "<a href='https://apps.apple.com/app/id42' data-referrer=x></a>"

    private func broken(_ page: String, _ files: [String: String] = [:]) throws -> [String] {
        let page = ["page.html": page + Self.link]
        return try CheckedFolder(files.merging(page) { $1 }).broken
    }

    @Test("a page without links needs none")
    func unneeded() throws {
        #expect(try CheckedFolder.broken(in: "<a href='https://apps.apple.com/app/id42'>") == [])
    }

    @Test(
        "the snippet is missing",
        arguments: [
            "", "<!--<script src=referral-bridge.js></script>-->", "<script>ReferralBridge.link('x', 'y')</script>",
            "<template><b></b><script src=referral-bridge.js></script></template>",
            "<script nomodule src=referral-bridge.js></script>",
            "<noscript><script src=referral-bridge.js></script></noscript>",
            "<script src=https://example.com/app.js></script>",
            "<script>if (globalThis.ReferralBridge == {}) {}</script>",
            "<template/><script src=referral-bridge.js></script>",
        ]
    )
    func missing(_ page: String) throws {
        #expect(try broken(page) == ["no-snippet 1:\(page.count + 1)"])
    }

    @Test(
        "the snippet is there, one way or another",
        arguments: [
            "<script src=referral-bridge.js></script>",
            "<script src='./referral-bridge.js?v=2#x' type=module></script>",
            "<script src='/referral%2Dbridge.js'></script>",
            "<base href=/js/><base href=https://example.com/><script src=../bundle.js></script>",
            "<base href=https://example.com/><script src=js/referral-bridge.js></script>",
            "<base href=//example.com><script src=/referral-bridge.min.js></script>",
            "<template><base href=https://example.com/></template><script src=bundle.js></script>",
            "<script src='//cdn.example/referral-bridge.js'></script>",
            "<script src=/lib/referral-bridge.min.js></script>",
            "<script type=module>import './referral-bridge.js';</script>",
            "<script type=module>import{copy}from\"/referral-bridge.js\"</script>",
            "<script type=module>import 'web+js1.0-x:/referral-bridge.js'</script>",
            "<script type=module src=app.js></script>", "<script>import(`./app.js`)</script>",
            "<script type=module>import { link } from 'referral-bridge'</script>",
            "<script type=module src=referral-bridge.js></script><script type=module>import './referral-bridge.js'</script>",
            "<script src=bundle.js></script>", "</template><template></template><script src=bundle.js></script>",
        ]
    )
    func there(_ page: String) throws {
        let snippet = try CheckedFolder.snippet("referral-bridge.min.js")
        let files = [
            "lib/referral-bridge.min.js": snippet, "app.js": "import * as x from './referral-bridge.js'; x",
            "bundle.js": "let a = 1;\n\(snippet);let b",
        ]
        #expect(try broken(page, files) == [])
    }

    @Test("in XHTML a template may be closed by itself")
    func template() throws {
        let page = "<script src='referral-bridge.js'/></template>" + Self.link
        #expect(try CheckedFolder.broken(in: "<p><template>" + page, name: "a.xhtml") == ["no-snippet 1:59"])
        #expect(try CheckedFolder.broken(in: "<p><template/>" + page, name: "a.xhtml") == [])
    }

    @Test(
        "a file of the snippet that doesn't exist or can't be read, below the site's root",
        arguments: [
            ("<script src=js/referral-bridge.min.js></script>", "js/referral-bridge.min.js"),
            ("<script src=/js/referral-bridge.js?v=1></script>", "js/referral-bridge.js"),
            (
                "<script src=Referral-Bridge.js></script><script src=referral-bridge.min.js></script>",
                "referral-bridge.min.js"
            ),
            ("<base href=/js/><script src=referral-bridge.js></script>", "js/referral-bridge.js"),
            ("<script type=module>import './js/referral-bridge.js'</script>", "js/referral-bridge.js"),
            ("<script src=folder/referral-bridge.js></script>", "folder/referral-bridge.js"),
            ("<script src=utf16/referral-bridge.js></script>", "utf16/referral-bridge.js"),
        ]
    )
    func missingFile(_ page: String, _ path: String) throws {
        let files = [
            "page.html": Data((page + Self.link).utf8), "folder/referral-bridge.js/x": Data(),
            "utf16/referral-bridge.js": Data([0xFF, 0xFE]),
        ]
        let findings = try CheckedFolder(files).findings
        #expect(findings.map(\.rule) == ["missing-file"])
        #expect(findings.first?.message.text.contains("/\(path)': ") == true)
    }

    @Test("a missing file isn't a second snippet")
    func missingAndThere() throws {
        let page = "<script src=js/referral-bridge.js></script>\n<script src=referral-bridge.js></script>"
        #expect(try broken(page) == ["missing-file 1:1"])
    }

    @Test("an address without a known root is that of a file that isn't read")
    func unknownRoot() throws {
        let page = "<script src=/js/referral-bridge.js></script>" + Self.link
        #expect(try CheckedFolder(["page.html": Data(page.utf8)], isFile: true).broken == [])
    }

    @Test("a chain of modules is followed for 64 imports", arguments: [(64, true), (65, false)])
    func chain(_ length: Int, _ isFound: Bool) throws {
        var files = [String(length) + ".js": try CheckedFolder.snippet()]
        for index in 0..<length { files["\(index).js"] = "import './\(index + 1).js'" }
        #expect(try broken("<script type=module src=0.js></script>", files) == (isFound ? [] : ["no-snippet 1:39"]))
    }

    @Test("line ends and indentation make no other version")
    func reformatted() throws {
        let lines = CopySnippet(format: .html(nonce: nil)).source.split(separator: "\n")
        #expect(try CheckedFolder(["page.html": lines.map { "    \($0)\r\n\r\n" }.joined() + Self.link]).noted == [])
    }

    @Test("a copy with other line breaks, quotation marks and declarations is the snippet, as bundlers write it")
    func bundled() throws {
        let copy = CopySnippet(isMinified: true).source
            .replacing("\"", with: "'").replacing(";", with: ";\n").replacing("let ", with: "var ")
        let bundle = "(()=>{var a={};\(copy)})();"
        let checked = try CheckedFolder([
            "page.html": "<script src=bundle.js></script>" + Self.link, "bundle.js": bundle,
        ])
        #expect(checked.broken == [])
        #expect(checked.noted == [])
        #expect(checked.counts[.snippets] == 1)
    }

    @Test("a snippet that lacks something is noted, inline and in a file")
    func otherVersion() throws {
        func noted(_ page: String, _ files: [String: String] = [:]) throws -> [String] {
            let checked = try CheckedFolder(files.merging(["page.html": page + Self.link]) { $1 })
            #expect(checked.broken == [])
            return checked.noted
        }
        let old = CopySnippet(isMinified: true).source.replacing("beforecopy", with: "oncopy")
        #expect(try noted("<script>\(old)</script>") == ["other-snippet 1:1"])
        #expect(try noted("\n<script src=x.js></script>", ["x.js": old]) == ["other-snippet 2:1"])
        let empty = "globalThis . a; x.ReferralBridge\n=\n{}"
        #expect(try noted("<script src=a.js></script>", ["a.js": empty]) == ["other-snippet 1:1"])
    }

    @Test("a file with the snippet's name that is something else, and one that leads to the snippet")
    func otherFile() throws {
        let page = "<script type=module src=referral-bridge.js></script>"
        #expect(try broken(page, ["referral-bridge.js": "404"]) == ["missing-file 1:1"])
        let files = ["referral-bridge.js": "import './x.js'", "x.js": try CheckedFolder.snippet()]
        #expect(try broken(page, files) == [])
    }

    @Test("a second one is noted, since it does nothing")
    func second() throws {
        let page =
            "<script src=referral-bridge.js></script>\n<script src=https://a.example/referral-bridge.min.js></script>"
        let checked = try CheckedFolder(["page.html": page + Self.link])
        #expect(checked.broken == [])
        #expect(checked.noted == ["second-snippet 2:1"])
    }

    // MARK: Policies

    private func policy(_ policy: String, _ script: String) throws -> [String] {
        try broken("<meta http-equiv=Content-Security-Policy content=\"\(policy)\">\n\(script)")
            .map { String($0.prefix { $0 != " " }) }
    }

    private static let file = "<script src=referral-bridge.js nonce=abc></script>"

    @Test(
        "a policy that lets the snippet's file in",
        arguments: [
            "", "img-src 'none'", "default-src 'self'", "DEFAULT-SRC 'SELF'", "script-src *", "script-src https:",
            "script-src 'none' 'nonce-abc'", "default-src 'none'; script-src 'self'; script-src 'none'",
            "script-src 'none'; script-src-elem 'self'", "script-src 'strict-dynamic' 'nonce-abc'",
            "script-src example.com",
        ]
    )
    func allowed(_ text: String) throws {
        #expect(try policy(text, Self.file) == [])
    }

    @Test(
        "a policy that keeps the snippet's file out",
        arguments: [
            "default-src 'none'", "script-src", "script-src 'none'", "script-src 'unsafe-inline'",
            "script-src 'nonce-ABC'",
            "script-src 'self'; script-src-elem 'none'", "script-src 'self' 'strict-dynamic'", "script-src data:",
            "script-src 'sha256-abc='",
        ]
    )
    func blocked(_ text: String) throws {
        #expect(try policy(text, Self.file) == ["policy"])
    }

    @Test(
        "a script from another host",
        arguments: [
            ("https://cdn.example", true), ("cdn.example", true), ("*.example", true), ("http://cdn.example", true),
            ("https://cdn.example:443/lib/", true), ("cdn.example:*", true), ("https:", true), ("'self'", true),
            ("https://cdn.example/lib/referral-bridge.js", true), ("https://cdn.example/lib/", true),
            ("'sha384-aBc/'", true),
            ("cdn.example:8443", false), ("*.cdn.example", false), ("example", false),
            ("https://cdn.example/other/", false),
            ("https://cdn.example/lib", false), ("'sha384-aBc-'", false), ("http:", true), ("wss://cdn.example", false),
        ]
    )
    func host(_ source: String, _ isAllowed: Bool) throws {
        let script = "<script src='https://CDN.example/lib/referral-bridge.js?v=1' integrity='sha384-aBc_'></script>"
        #expect(try policy("script-src \(source)", script) == (isAllowed ? [] : ["policy"]))
        let base =
            "<base href=https://cdn.example/lib/x/y>" + script.replacing("https://CDN.example/lib/", with: ".././")
        #expect(try policy("script-src \(source)", base) == (isAllowed ? [] : ["policy"]))
    }

    @Test(
        "a script that isn't encrypted",
        arguments: [
            ("cdn.example", true), ("http://cdn.example:80", true), ("http:", true), ("https://cdn.example", false),
            ("https:", false), ("cdn.example:443", false),
        ]
    )
    func plainHost(_ source: String, _ isAllowed: Bool) throws {
        let script = "<script src='http://cdn.example:80/referral-bridge.js'></script>"
        #expect(try policy("script-src \(source)", script) == (isAllowed ? [] : ["policy"]))
    }

    @Test(
        "a policy is asked about each script on the way to the snippet, and complained of once",
        arguments: [
            ("'self' 'unsafe-inline'", true), ("'nonce-abc'", true), ("'self'", false), ("'unsafe-inline'", false),
            ("'none'", false),
        ]
    )
    func imported(_ sources: String, _ isAllowed: Bool) throws {
        let script = "<script type=module nonce=abc>import './referral-bridge.js'</script>"
        #expect(try policy("script-src \(sources)", script) == (isAllowed ? [] : ["policy"]))
    }

    @Test("an inline snippet by its hash, which the message gives")
    func hash() throws {
        let script = CopySnippet(format: .html(nonce: nil), isMinified: true).source.replacing("\n", with: "\r\n")
        let meta = "<meta http-equiv=Content-Security-Policy content=\"script-src 'self'\">"
        let checked = try CheckedFolder(["page.html": meta + script])
        let message = try #require(checked.findings.first?.message.text)
        #expect(checked.broken == ["policy 1:42"])
        let source = try #require(message.split(separator: " ").last.map(String.init))
        #expect(source.hasPrefix("'sha256-"))
        #expect(source.count == 53)
        #expect(try policy("script-src \(source)", script) == [])
        #expect(try policy("script-src \(source.replacing("+", with: "-").replacing("/", with: "_"))", script) == [])
        #expect(try policy("script-src 'sha256-\(String(repeating: "A", count: 43))='", script) == ["policy"])
        let start = try #require(script.firstIndex(of: ">"))
        let end = try #require(script.range(of: "</script>")).lowerBound
        let text = script[script.index(after: start)..<end].replacing("\r\n", with: "\n")
        #expect(source == SHA256.policySource(of: text.utf8))
    }

    @Test(
        "'unsafe-inline' counts where nothing safer stands beside it",
        arguments: [
            ("'unsafe-inline'", true), ("'UNSAFE-inline' 'self'", true), ("'unsafe-inline' 'nonce-x'", false),
            ("'unsafe-inline' 'sha256-abc='", false), ("'unsafe-inline' 'strict-dynamic'", false),
            ("'nonce-abc'", true),
            ("'nonce-'", false), ("'self' https:", false), ("'unsafe-hashes'", false),
            // Such a hash may be right, so nothing is said.
            ("'sha384-abc='", true), ("'sha512-abc='", true),
        ]
    )
    func inline(_ sources: String, _ isAllowed: Bool) throws {
        let script = CopySnippet(format: .html(nonce: CopySnippet.Nonce("abc"))).source
        #expect(try policy("script-src \(sources)", script) == (isAllowed ? [] : ["policy"]))
    }

    @Test("a policy counts in the head, for what stands behind it")
    func place() throws {
        let meta = "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">"
        #expect(try broken(Self.file + meta) == [])
        #expect(try broken("<p>" + meta + Self.file) == [])
        #expect(try broken("text" + meta + Self.file) == [])
        #expect(try broken("<html> <head><title>a</title>" + meta + Self.file).count == 1)
    }
}
