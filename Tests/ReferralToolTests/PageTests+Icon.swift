import Foundation
import Testing

/// The picture of the app on the page.
extension PageTests {
    // `web/tests/icon-file.test.mjs` compares the judgment on each kind of file with the builder's.
    @Test("an icon becomes a part of the page")
    func icon() throws {
        try inFolder { folder in
            let (file, bytes) = (
                folder.appending(path: "wrong.png"), Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)
            )
            try bytes.write(to: file)
            let page = try page("--name", "A \"b\"", "--icon", file.path())
            let address = "data:image/svg+xml;base64,\(bytes.base64EncodedString())"
            #expect(try attribute("src", of: "class=\"icon\"", in: page) == address)
            #expect(try attribute("alt", of: "class=\"icon\"", in: page) == "A \"b\"")
            #expect(!page.contains("class=\"icon initial\""))
        }
    }

    @Test("what is no icon is refused, and an old page stays")
    func noIcon() throws {
        try inFolder { folder in
            let (icon, out) = (folder.appending(path: "icon.png"), folder.appending(path: "out.html"))
            try Data("GIF89a".utf8).write(to: icon)
            try Data("old".utf8).write(to: out)
            let options = ["--app-id=42", "--name=T", "--icon=\(icon.path())", "--out=\(out.path())"]
            let outcome = try Tool.run(["page"] + options)
            #expect(outcome.status == 65)
            #expect(outcome.output == "")
            #expect(outcome.error.contains("it is not a PNG, JPEG, WebP or SVG"), "\(outcome.error)")
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
