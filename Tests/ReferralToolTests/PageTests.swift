import Foundation
import Testing

/// `referral-tool page`. `web/tests/landing-page.test.mjs` compares the pages, and what is refused, with the builder's,
/// `web/tests/icon-file.test.mjs` the judgment on icons, and `web/tests/browsers/test_landing.py` tests the pages in browsers.
struct PageTests {
    @Test(
        "a store's address stays as it is, but for an old referral",
        arguments: [
            ("https://apps.apple.com/us/app/a/id42?a=%20b+&ct=1&mt=8#top", nil),
            ("https://apps.apple.com/id42", nil),
            ("itms-apps://itunes.apple.com/app/id42?ppid=x", nil),
            ("https://apps.apple.com/id42?ed=eyJ9", "https://apps.apple.com/id42"),
            ("https://apps.apple.com/id42?ed=1&a=1&ed=2#ed=3", "https://apps.apple.com/id42?a=1#ed=3"),
        ]
    )
    func address(_ address: String, expected: String?) throws {
        let page = try Tool.run("page", "--page", address, "--name", "T").output
        let escaped = (expected ?? address).replacing("&", with: "&amp;")
        for element in ["class=\"button\"", "class=\"plain\""] {
            let tag = page.firstMatch(of: try Regex("<a[^>]*\(element)[^>]*>"))?.0
            #expect(tag?.contains(" href=\"\(escaped)\"") == true, "\(page)")
        }
    }

    @Test("a note says who copies nothing, and which counts ad blockers refuse")
    func notes() throws {
        let copies = "as in ?by=anna, copies nothing; for these visitors, give --referrer\n"
        for (options, note) in [
            ("--referrer-item=by", copies), ("--referrer=x --count-to=/tap", ""), ("--invitations", ""),
            ("--referrer=x --count-to=/count?a", "to /count?a"), ("--invitations --count-to=https://a.com", "https:"),
        ] {
            let arguments = ["page", "--app-id=42", "--name=T"] + options.split(separator: " ").map(String.init)
            let error = try Tool.run(arguments).error
            #expect(note.isEmpty ? error.isEmpty : error.contains(note), "\(options)")
        }
    }

    @Test("with --ct-from-referrer, the page's own token is optional, also in its address")
    func tokenFromReferrer() throws {
        for (options, address) in [
            (["--app-id=42", "--pt=9"], "id42?pt=9&amp;mt=8"),
            (["--page=https://apps.apple.com/app/id42?pt=9"], "id42?pt=9"),
            (["--page=https://apps.apple.com/app/id42?ct=own", "--pt=9"], "id42?pt=9&amp;ct=own&amp;mt=8"),
        ] {
            let page = try Tool.run(["page", "--name=T", "--referrer=x", "--ct-from-referrer"] + options).output
            #expect(page.contains("\(address)\" data-referrer-from=\"via\" data-referrer-ct=\"\" "), "\(options)")
        }
    }

    @Test("an icon may have 256 KiB and not a byte more")
    func iconSize() throws {
        func page(icon: String) throws -> Tool.Outcome {
            try Tool.run("page", "--app-id=42", "--name=T", "--referrer=x", "--icon", icon)
        }
        for (count, status) in [(262_144, 0), (262_145, 65)] as [(Int, Int32)] {
            let bytes = Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: count - 3))
            let outcome = try Tool.inFolder(["icon": bytes]) { try page(icon: $0 + "icon") }
            #expect(outcome.status == status)
            #expect(status == 0 || outcome.error.contains("it has \(count) bytes, and an icon has at most 262144"))
        }
        #expect(try page(icon: "/dev/zero").error.contains("too large"))
        #expect(try page(icon: "/tmp").error.contains("it is a directory"))
    }

    @Test("web/example.html is what web/make-example makes now")
    func example() throws {
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")
        try Tool.inFolder { folder in
            let file = folder + "example.html"
            let outcome = try Tool.shell("REFERRAL_TOOL='\(Tool.path)' '\(web.path)/make-example' '\(file)'")
            #expect(outcome.status == 0, "\(outcome.error)")
            let example = try Data(contentsOf: web.appending(path: "example.html"))
            #expect(try Data(contentsOf: URL(filePath: file)) == example, "run web/make-example")
        }
    }
}
