import Foundation
import Testing

/// `referral-tool catalog --files` and `--write-files`.
struct CatalogFilesTests {
    /// The SHA-256 digests of two contents.
    private static let digests = [
        "hello\n": "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
        "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ]
    private static let hello = digests["hello\n"] ?? ""
    private static let empty = digests[""] ?? ""

    /// A catalog with one item, `gold`, with these files.
    private static func catalog(_ files: String, after: String = "") -> String {
        #"""
        {"format":1,"revision":1,"items":[
        {"id":"gold","kind":"nonConsumable","free":true,"grants":["g"],"files":[
        \#(files)]}\#(after)]}
        """#
    }

    private static func file(_ path: String, length: Int = 6, digest: String = hello) -> String {
        #"{"path":"\#(path)","url":"https://example.com/a","length":\#(length),"sha256":"\#(digest)"}"#
    }

    /// What the command prints, without the folder's path, its status, and the catalog after it.
    private struct Outcome {
        let output: String
        let error: String
        let status: Int32
        let catalog: String
    }

    /// Runs the command in a folder with a catalog and a folder `f` with files, and others beside it.
    private func run(
        _ catalog: String,
        _ files: [String: String] = [:],
        _ options: String...,
        prepare: (String) throws -> Void = { _ in }
    ) throws -> Outcome {
        var all = ["c.json": Data(catalog.utf8), "f/other": Data()]
        for (path, text) in files {
            all[path.hasPrefix("../") ? String(path.dropFirst(3)) : "f/" + path] = Data(text.utf8)
        }
        return try Tool.inFolder(all) { folder in
            try prepare(folder)
            let outcome = try Tool.run(["catalog", folder + "c.json", "--files", folder + "f"] + options)
            return Outcome(
                output: outcome.output.replacing(folder, with: ""),
                error: outcome.error.replacing(folder, with: ""),
                status: outcome.status,
                catalog: try String(contentsOfFile: folder + "c.json", encoding: .utf8)
            )
        }
    }

    // MARK: Comparing

    @Test("a missing file, a wrong length and a wrong digest are shown where they are")
    func different() throws {
        let catalog = Self.catalog(
            "\(Self.file("a", length: 5)),\n\(Self.file("b", digest: Self.empty)),\n\(Self.file("boards/c"))"
        )
        let outcome = try run(catalog, ["a": "hello\n", "b": "hello\n"])
        #expect(
            outcome.output == """
                c.json:3:43: The file 'a' has 6 bytes in f.
                c.json:4:54: The file 'b' has the sha256 \(Self.hello) in f.
                c.json:5:2: The file 'boards/c' isn't in f.
                c.json: revision 1, 1 item, 0 rewards, 0 left out, 3 files

                """
        )
        #expect(outcome.status == 1)
        #expect(outcome.catalog == catalog)
    }

    @Test("a file in the folder with the item's name comes before the one at its path")
    func itemFolder() throws {
        let silver =
            #"{"id":"silver","kind":"nonConsumable","free":true,"grants":["s"],"files":["#
            + Self.file("a", length: 0, digest: Self.empty) + "]}"
        let catalog = Self.catalog(Self.file("a"), after: ",\n" + silver)
        #expect(try run(catalog, ["gold/a": "hello\n", "silver/a": ""]).status == 0)
        #expect(try run(catalog, ["a": "hello\n", "silver/a": ""]).status == 0)
        #expect(try run(catalog, ["gold": "", "a": "hello\n", "silver/a": ""]).status == 0)
        #expect(try run(catalog, ["a": "hello\n"]).output.contains("c.json:4:"))
    }

    @Test("an item's name can't lead out of the folder", arguments: ["..", "../g", "x/../..", "/", ".", "x\\u0000"])
    func itemNames(name: String) throws {
        let catalog = Self.catalog(Self.file("a")).replacing("\"gold\"", with: "\"\(name)\"")
        let outcome = try run(catalog, ["a": "hello\n", "x/b": "", "../a": "", "../g/a": ""])
        #expect(outcome.output == "c.json: revision 1, 1 item, 0 rewards, 0 left out, 1 file\n")
    }

    @Test("a symbolic link may lead to a file in the folder, and not out of it")
    func links() throws {
        func outcome(_ link: String, to target: String) throws -> Outcome {
            let files = ["b/a": "hello\n", "boards/x": "", "../out": "hello\n", "../f2/a": "hello\n"]
            return try run(Self.catalog(Self.file("boards/a")), files) { folder in
                try? FileManager.default.removeItem(atPath: folder + link)
                try FileManager.default.createSymbolicLink(atPath: folder + link, withDestinationPath: target)
            }
        }
        #expect(try outcome("f/boards/a", to: "../b/a").status == 0)
        #expect(try outcome("f/boards", to: "b").status == 0)
        for (link, target) in [
            ("f/boards/a", "../../out"), ("f/boards", "../f2"), ("f/gold", ".."), ("f/boards/a", "/dev/zero"),
        ] {
            let outcome = try outcome(link, to: target)
            guard link != "f/gold" else { continue }
            #expect(outcome.output.hasPrefix("c.json:3:2: The file 'boards/a' is outside of f.\n"), "\(outcome.output)")
            #expect(outcome.status == 1)
        }
        #expect(
            try outcome("f/boards/a", to: "a").output.contains(
                "'boards/a' can't be read: Too many levels of symbolic links."
            )
        )
        #expect(try outcome("f/boards/a", to: "nothing").output.contains("The file 'boards/a' isn't in f."))
    }

    @Test("a pipe or a folder in a file's place is no file, and nothing waits for it")
    func noFiles() throws {
        let pipe = try run(Self.catalog(Self.file("a"))) { folder in
            let made = try Tool.shell("mkfifo '\(folder)f/a'")
            #expect(made.status == 0)
        }
        for outcome in [pipe, try run(Self.catalog(Self.file("a")), ["a/b": ""])] {
            #expect(outcome.output.hasPrefix("c.json:3:2: The file 'a' isn't a regular file in f.\n"))
        }
        let inside = try run(Self.catalog(Self.file("a/b")), ["a": ""])
        #expect(inside.output.hasPrefix("c.json:3:2: The file 'a/b' isn't in f.\n"))
    }

    @Test("a folder that isn't there, or is none, is refused before a catalog is read")
    func noFolder() throws {
        try Tool.inFolder(["c.json": Data(Self.catalog("").utf8)]) { folder in
            for name in ["f", "c.json"] {
                let outcome = try Tool.run("catalog", folder + "c.json", "--files", folder + name)
                #expect(outcome.error == "referral-tool: can't read '\(folder)\(name)': it is not a folder\n")
                #expect(outcome.status == 66)
                #expect(outcome.output == "")
            }
        }
    }

    // MARK: Writing

    @Test("lengths and digests are replaced or added in the catalog's own form, and nothing else is changed")
    func written() throws {
        for (files, expected) in [
            (
                #"{ "path" : "a", "url" : "https://example.com/a" }"#,
                #"{ "path" : "a", "url" : "https://example.com/a", "length" : 6, "sha256" : "\#(Self.hello)" }"#
            ),
            (
                "{\r\n\t\"url\": \"https://example.com/a\",\r\n\t\"path\": \"a\"\r\n}",
                "{\r\n\t\"url\": \"https://example.com/a\",\r\n\t\"path\": \"a\",\r\n\t\"length\": 6,\r\n\t"
                    + "\"sha256\": \"\(Self.hello)\"\r\n}"
            ),
            (
                #"{"sha256":null,"url":"https://example.com/\u0061","note":{"é":[1.0e2]},"path":"\u0061","length" : "5"}"#,
                #"{"sha256":"\#(Self.hello)","url":"https://example.com/\u0061","note":{"é":[1.0e2]},"path":"\u0061","length" : 6}"#
            ),
            (
                #"{"length":1,"path":"a","url":"https://example.com/a","length":2}"#,
                #"{"length":1,"path":"a","url":"https://example.com/a","length":6,"sha256":"\#(Self.hello)"}"#
            ),
            (
                "\(Self.file("b", length: 1)),\n\(Self.file("a", digest: Self.empty))",
                "\(Self.file("b", length: 0, digest: Self.empty)),\n\(Self.file("a"))"
            ),
        ] {
            let outcome = try run(Self.catalog(files), ["a": "hello\n", "b": ""], "--write-files")
            #expect(outcome.catalog == Self.catalog(expected))
            #expect(outcome.status == 0, "\(outcome.output)")
            let again = try run(outcome.catalog, ["a": "hello\n", "b": ""], "--write-files")
            #expect(again.output.hasSuffix(" files, 0 changes\n") || again.output.hasSuffix(" 1 file, 0 changes\n"))
            #expect(again.catalog == outcome.catalog)
        }
    }

    @Test("if anything else is wrong, nothing is written")
    func nothingWritten() throws {
        let file = Self.file("a", length: 5)
        for (catalog, files) in [
            (Self.catalog("\(file),\n\(Self.file("b"))"), ["a": "hello\n"]),
            (Self.catalog("\(file),7"), ["a": "hello\n"]),
            (Self.catalog(file).replacing(#""free""#, with: #""icon":7,"free""#), ["a": "hello\n"]),
        ] {
            let outcome = try run(catalog, files, "--write-files")
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("The file 'a' has 6 bytes in f."))
            #expect(outcome.output.hasSuffix(", nothing written\n"))
            #expect(outcome.catalog == catalog)
        }
    }

    @Test("a pipe isn't written")
    func pipe() throws {
        let catalog = Self.catalog(Self.file("a", length: 5))
        try Tool.inFolder(["c.json": Data(catalog.utf8), "a": Data("hello\n".utf8)]) { folder in
            let outcome = try Tool.shell(
                """
                cd '\(folder)'; mkfifo pipe; cat c.json > pipe &
                cd '\(folder)'; or_end referral-tool catalog pipe --files . --write-files
                """
            )
            #expect(outcome.error == "referral-tool: can't write 'pipe': it is not a regular file\n")
            #expect(outcome.status == 74)
        }
    }

    @Test("a new catalog is signed after it is written")
    func signed() throws {
        try Tool.withKey { folder, _ in
            try Data(Self.catalog(Self.file("a", length: 5)).utf8).write(to: URL(filePath: folder + "c.json"))
            try Data("hello\n".utf8).write(to: URL(filePath: folder + "a"))
            let arguments = [
                "catalog", folder + "c.json", "--files", folder, "--write-files", "--sign", folder + "key.pem",
            ]
            #expect(try Tool.run(arguments).output.hasSuffix(", 1 file, 1 change, signed\n"))
            let signature = try String(contentsOfFile: folder + "c.json.sig", encoding: .utf8)
            #expect(try Tool.run(arguments).output.hasSuffix(", 1 file, 0 changes, signed\n"))
            // Ed25519 signs the same bytes in the same way.
            #expect(try String(contentsOfFile: folder + "c.json.sig", encoding: .utf8) == signature)
        }
    }
}
