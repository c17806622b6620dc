import Foundation
import Testing

/// The picture of the app on the page.
extension PageTests {
    private static let icons: [(name: String, bytes: [UInt8], kind: String)] = [
        ("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1], "image/png"),
        ("a.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 2, 3], "image/jpeg"),
        ("no-extension", Array("RIFF1234WEBPVP8 ".utf8), "image/webp"),
        ("wrong.png", Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), "image/svg+xml"),
    ]

    @Test("an icon is told by its first bytes and becomes a part of the page", arguments: icons.indices)
    func icon(_ index: Int) throws {
        let icon = Self.icons[index]
        try inFolder { folder in
            let file = folder.appending(path: icon.name)
            try Data(icon.bytes).write(to: file)
            let page = try page("--name", "A \"b\"", "--icon", file.path())
            #expect(
                try attribute("src", of: "class=\"icon\"", in: page)
                    == "data:\(icon.kind);base64,\(Data(icon.bytes).base64EncodedString())"
            )
            #expect(try attribute("alt", of: "class=\"icon\"", in: page) == "A \"b\"")
            #expect(!page.contains("class=\"icon initial\""))
        }
    }

    // `web/tests/icon-file.test.mjs` has more of them.
    private static let noIcons: [(text: String, problem: String)] = [
        ("", "it is empty"), ("GIF89a", "it is not a PNG, JPEG, WebP or SVG"),
        ("<html xmlns=\"http://www.w3.org/2000/svg\">", "it is not a PNG, JPEG, WebP or SVG"),
        (
            "<svg viewBox=\"0 0 10 10\"><path d=\"M0 0h10v10z\"/></svg>",
            "a browser shows it only with a namespace; add xmlns=\"http://www.w3.org/2000/svg\" to its <svg>"
        ),
        ("<!--", "it is not a PNG"), ("<!DOCTYPE svg [", "it is not a PNG"), ("<?", "it is not a PNG"),
    ]

    @Test("what is no icon is refused, and an old page stays", arguments: noIcons.indices)
    func noIcon(_ index: Int) throws {
        try inFolder { folder in
            let (icon, out) = (folder.appending(path: "icon.png"), folder.appending(path: "out.html"))
            try Data(Self.noIcons[index].text.utf8).write(to: icon)
            try Data("old".utf8).write(to: out)
            let outcome = try Tool.run(
                "page",
                "--app-id",
                "42",
                "--name",
                "T",
                "--icon",
                icon.path(),
                "--out",
                out.path()
            )
            #expect(outcome.status == 65)
            #expect(outcome.output == "")
            #expect(outcome.error.contains(Self.noIcons[index].problem), "\(outcome.error)")
            #expect(try String(contentsOf: out, encoding: .utf8) == "old")
        }
    }

    @Test("an icon may have 256 KiB and not a byte more")
    func iconSize() throws {
        try inFolder { folder in
            let file = folder.appending(path: "icon")
            for (count, status) in [(262_144, 0), (262_145, 65), (5_000_000, 65)] {
                try Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: count - 3)).write(to: file)
                let outcome = try Tool.run("page", "--app-id", "42", "--name", "T", "--icon", file.path())
                #expect(outcome.status == Int32(status))
                #expect(status == 0 || outcome.error.contains("it has \(count) bytes, and an icon has at most 262144"))
            }
        }
        let endless = try Tool.run("page", "--app-id", "42", "--name", "T", "--icon", "/dev/zero")
        #expect(endless.status == 65)
        #expect(endless.error.contains("too large"))
    }

    @Test(
        "an icon that is not there",
        arguments: [("/nowhere/icon.png", "No such file"), ("/tmp", "it is a directory")]
    )
    func missingIcon(_ path: String, problem: String) throws {
        let outcome = try Tool.run("page", "--app-id", "42", "--name", "T", "--icon", path)
        #expect(outcome.status == 66)
        #expect(outcome.error.contains(problem))
        #expect(outcome.output == "")
    }
}
