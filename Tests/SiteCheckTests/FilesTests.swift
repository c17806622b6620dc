import Foundation
import ReferralSiteCheck
import Testing

/// What is read, and what can't be.
struct FilesTests {
    private static let badFiles: [([UInt8], String)] = [
        ([0xFF, 0xFE, 0x3C, 0], "the file is in UTF-16; save it as UTF-8"),
        ([0xFE, 0xFF, 0, 0x3C], "the file is in UTF-16; save it as UTF-8"),
        ([0x3C, 0, 0x61, 0], "the file is in UTF-16; save it as UTF-8"),
        ([0, 0x3C, 0, 0x61, 0, 0x3E], "the file is in UTF-16; save it as UTF-8"),
        (Array("<p>\n\r\né<p>é".utf8) + [0xE9], "the file is not UTF-8, first in line 3; save it as UTF-8"),
    ]

    @Test("what can't be looked at is told of, and the rest is looked at", arguments: badFiles)
    func badFile(_ content: [UInt8], _ problem: String) throws {
        let checked = try CheckedFolder(["a.html": Data(content), "b.html": Data("<a data-referrer-from=via>".utf8)])
        #expect(checked.failures.map(\.problem.text) == [problem])
        #expect(checked.counts[.pages] == 1)
    }

    @Test(
        "a file without a tag is noted, and no page",
        arguments: [
            [0x3C, 0, 0x61], [0, 0, 0, 0], [0x3C, 0, 0x61, 0x62], [0, 0x3C, 0x3E, 0x61],
            Array("just text < a > b".utf8),
            [], Array("google-site-verification: google0123456789abcdef.html".utf8),
            Array("---\nlayout: home\n---\n".utf8),
        ]
    )
    func noPage(_ content: [UInt8]) throws {
        let checked = try CheckedFolder(["a.html": Data(content), "b.html": Data("<p>".utf8)])
        #expect(checked.failures.isEmpty)
        #expect(checked.broken == [])
        #expect(checked.noted == ["no-page 1:1"])
        #expect(checked.counts[.pages] == 1)
    }

    @Test("a link to nowhere may have been a page, but no folder")
    func brokenLinks() throws {
        let links = ["lost": "nowhere", "loop": "loop", "lost.html": "nowhere", "loop.html": "loop.html"]
        let checked = try CheckedFolder(["a.html": Data("<p>".utf8)], links: links)
        #expect(
            checked.failures.map(\.problem.text) == ["Too many levels of symbolic links", "No such file or directory"]
        )
    }

    @Test("a folder above the working directory")
    func relative() throws {
        let page = "<script src=a.js></script><a href=https://apps.apple.com/id42 data-referrer=x>"
        let files = ["a.html": page, "a.js": try CheckedFolder.snippet()].mapValues { Data($0.utf8) }
        #expect(try CheckedFolder(files, isRelative: true).broken == [])
    }

    @Test("nothing outside of the folder is read: a link to it is noted")
    func outside() throws {
        let link = "<a href=https://apps.apple.com/id42 data-referrer=x>"
        let files = [
            "site/a.html": "<script src=far.js></script><script src=../up.js></script>" + link,
            "site/near.html": "<p>", "other/b.html": link, "other/apple-app-site-association": "{}",
            "up.js": try CheckedFolder.snippet(),
        ]
        let links = [
            "site/root": "..", "site/other": "../other", "site/b.html": "../other/b.html", "site/far.js": "../up.js",
            "site/far.html": "../other/b.html", "site/near": "../site", "site/.well-known": "../other",
        ]
        let checked = try CheckedFolder(files.mapValues { Data($0.utf8) }, links: links, folder: "site")
        #expect(checked.counts[.pages] == 2)
        #expect(checked.filed == ["no-snippet site/a.html 1:59"])
        let places = [
            ".well-known/apple-app-site-association 1:1", "b.html 1:1", "far.html 1:1", "other 1:1", "root 1:1",
        ].map { "outside-link site/\($0)" }
        #expect(checked.filedNotes.filter { $0.hasPrefix("outside") } == places, "\(checked.filedNotes)")
    }
}
