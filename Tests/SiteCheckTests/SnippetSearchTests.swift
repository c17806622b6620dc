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

    @Test("the snippet is missing", arguments: PageCases.all("missing").map(\.1))
    func missing(_ page: String) throws {
        #expect(try broken(page) == ["no-snippet 1:\(page.count + 1)"])
    }

    @Test("the snippet is there, one way or another", arguments: PageCases.all("there").map(\.1))
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

    @Test("a file of the snippet that doesn't exist or can't be read", arguments: PageCases.all("missing files"))
    func missingFile(_ path: String, _ page: String) throws {
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

    @Test("a snippet that lacks something is noted, inline and in a file")
    func otherVersion() throws {
        func noted(_ page: String, _ files: [String: String] = [:]) throws -> [String] {
            let checked = try CheckedFolder(files.merging(["page.html": page + Self.link]) { $1 })
            #expect(checked.broken == [])
            return checked.noted
        }
        let old = CopySnippet().source.replacing("beforecopy", with: "oncopy")
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
}
