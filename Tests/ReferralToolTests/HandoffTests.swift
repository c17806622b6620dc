import DataHandoff
import Foundation
import TestSupport
import Testing

struct HandoffTests {
    /// The cases that an independent reference has judged.
    private struct Vectors: Decodable {
        struct Package: Decodable {
            struct Result: Decodable {
                let ok: Opened?
                let error: String?
            }
            struct Opened: Decodable { let transfer: String }

            let name: String
            let bytes: Data
            let needsInflate: Bool?
            let result: Result
        }
        let cases: [Package]
    }

    private static let link = """
        trestle://handoff?n=AAAAAAAAAAAAAAAAAAAAAA&h=UkJIMQAAAAAA33sidHJhbnNmZXIiOiIzZjI1MDRlMC00Zjg5LTQxZDMtOWEwYy0wMzA1ZTgyY\
        zMzMDEiLCJjcmVhdGVkIjoxNzk1MjI0NzUwNjkwLCJmcm9tIjoiYS5saXRlIiwidG8iOiJhIiwic2NoZW1hIjozLCJmaWxlcyI6W3sibmFtZSI6Im4vYSI\
        sImxlbmd0aCI6NSwic2hhMjU2IjoiMmNmMjRkYmE1ZmIwYTMwZTI2ZTgzYjJhYzViOWUyOWUxYjE2MWU1YzFmYTc0MjVlNzMwNDMzNjI5MzhiOTgyNCJ9X\
        X1oZWxsbw
        """

    private func shown() -> String {
        """
        kind         package
        nonce        00000000000000000000000000000000
        codec        stored
        transfer     3f2504e0-4f89-41d3-9a0c-0305e82c3301
        created      2026-11-21T01:32:30Z (1795224750690)
        from         a.lite
        to           a
        schema       3
        digest       68333f04b6c8664664a3d53b6cd241a25fcb632f6385de645718ed9643c5cff1
        totalLength  5
        5  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824  n/a

        """
    }

    #if canImport(Compression)
    private static let hasDeflate = true
    #else
    private static let hasDeflate = false
    #endif

    @Test("each package is whole, damaged, or not to be known, as the reference says")
    func vectors() throws {
        let receiversOwn = ["wrongReceiver", "newerSchema", "unsupportedSchema", "tooManyFiles", "tooLarge"]
        let cases = try readVectors("handoff", as: Vectors.self).cases
        for vector in cases where !receiversOwn.contains(vector.result.error ?? "") {
            let outcome = try Tool.inFolder(["package": vector.bytes]) { folder in
                try Tool.run("handoff", folder + "package", "--json")
            }
            // Without DEFLATE, nobody knows what is wrong with compressed contents.
            let isUnreadable = vector.needsInflate == true && !Self.hasDeflate
            let unknown = isUnreadable || ["sealed", "codecUnavailable"].contains(vector.result.error)
            let isWhole = unknown ? "null" : vector.result.error == nil ? "true" : "false"
            #expect(outcome.output.contains("\"isWhole\":\(isWhole)"), "\(vector.name): \(outcome.output)")
            #expect(outcome.status == (unknown ? 1 : vector.result.error == nil ? 0 : 65), "\(vector.name)")
            if let transfer = vector.result.ok?.transfer { #expect(outcome.output.contains(transfer)) }
        }
    }

    @Test("a link is read from an argument, from a file, and from standard input")
    func link() throws {
        let outcome = try Tool.run("handoff", Self.link)
        #expect(outcome.output == shown())
        #expect(outcome.error == "")
        #expect(outcome.status == 0)
        #expect(try Tool.run("handoff", "-", input: " \(Self.link)\n").output == shown())
        let file = try Tool.inFolder(["link": Data(Self.link.utf8)]) { try Tool.run("handoff", $0 + "link") }
        #expect(file.output == shown())
    }

    @Test("a request and a receipt say what they are")
    func messages() throws {
        let request = try Tool.run("handoff", "trestle-lite://handoff-request?n=AAAAAAAAAAAAAAAAAAAAAA", "--json")
        let zeros = String(repeating: "0", count: 32)
        #expect(request.output == "{\"kind\":\"request\",\"nonce\":\"\(zeros)\",\"isWhole\":true}\n")
        let digest = String(repeating: "a", count: 64)
        let receipt = try Tool.run("handoff", "x://handoff-receipt?n=AAAAAAAAAAAAAAAAAAAAAA&d=\(digest)")
        #expect(receipt.output.hasSuffix("digest  \(digest)\n"))
        #expect(receipt.status == 0)
        let proof = "m=AAAAAAAAAAAAAAAAAAAAAA"
        let link = "https://example.com/handoff-receipt?n=AAAAAAAAAAAAAAAAAAAAAA&d=\(digest)&\(proof)"
        let proven = try Tool.run("handoff", link)
        #expect(proven.output.hasSuffix("digest  \(digest)\nproof   \(zeros)\n"))
        #expect(proven.status == 0)
    }

    @Test("a damaged package says what it was meant to hold, and what is wrong")
    func damaged() throws {
        let outcome = try Tool.run("handoff", String(Self.link.dropLast(2)))
        #expect(outcome.output == shown())
        #expect(outcome.status == 65)
        #expect(outcome.error == "referral-tool: The package is not complete.\n")
    }

    @Test("a package that promises more than the command reads is not opened", arguments: [0, 1] as [UInt8])
    func tooLarge(codec: UInt8) throws {
        func outcome(_ length: Int) throws -> Tool.Outcome {
            let file = #"{"name":"a","length":\#(length),"sha256":"\#(String(repeating: "0", count: 64))"}"#
            let manifest = Data(
                #"{"transfer":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","created":1,"from":"a.lite","to":"a","schema":1,"files":[\#(file)]}"#
                    .utf8
            )
            let package = Data("RBH1".utf8) + Data([codec, 0, 0, 0, 0, UInt8(manifest.count)]) + manifest
            return try Tool.inFolder(["package": package]) { try Tool.run("handoff", $0 + "package", "--json") }
        }
        let limit = 1 << 30
        let message = "The package contains more than \(limit) bytes of files, too many for this command."
        let large = try outcome(limit + 1)
        #expect(large.output == #"{"kind":"package","isWhole":null,"message":"\#(message)"}"# + "\n")
        #expect(large.status == 1)
        if codec == 0 { #expect(try outcome(limit).status == 65) }
    }

    @Test("files are extracted into a new or an empty folder only, where nothing reads what a package brings")
    func extraction() throws {
        try Tool.inFolder { folder in
            let place = folder + "new/place"
            #expect(try Tool.run("handoff", Self.link, "--extract", place).status == 0)
            #expect(try String(contentsOfFile: place + "/n/a", encoding: .utf8) == "hello")
            let again = try Tool.run("handoff", Self.link, "--extract", place)
            #expect(again.status == 74)
            #expect(again.output == "")
            #expect(
                again.error == "referral-tool: '\(place)' has 'n' in it; name a new folder, or an empty one\n"
            )
            // Also for a hidden file, and for names that the package doesn't have.
            let other = folder + "other"
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: other + "/.profile", contents: Data("mine".utf8)))
            let home = try Tool.run("handoff", Self.link, "--extract", other)
            #expect(home.status == 74 && home.error.contains("has '.profile' in it"))
            #expect(try FileManager.default.subpathsOfDirectory(atPath: other) == [".profile"])
            try FileManager.default.removeItem(atPath: other + "/.profile")
            #expect(try Tool.run("handoff", Self.link, "--extract", other).status == 0)
            let cut = try Tool.run("handoff", String(Self.link.dropLast(2)), "--extract", folder + "cut")
            #expect(cut.status == 65)
            #expect(!FileManager.default.fileExists(atPath: folder + "cut"))
        }
    }

    @Test("extracting makes all files and folders")
    func wholeExtraction() throws {
        let package = try HandoffPackage(
            files: [("a/b/c", Data("1".utf8)), ("d/e", Data("2".utf8))],
            schema: 1,
            from: "com.example.trestle.lite",
            to: "com.example.trestle"
        )
        try Tool.inFolder(["boards.handoff": package.bytes()]) { folder in
            let place = folder + "new/deep"
            #expect(try Tool.run("handoff", folder + "boards.handoff", "--extract", place).status == 0)
            let written = try FileManager.default.subpathsOfDirectory(atPath: place).sorted()
            #expect(written == ["a", "a/b", "a/b/c", "d", "d/e"])
        }
    }

    @Test(
        "what can't be read says why",
        arguments: [
            (["handoff"], 64, "which package? Name a link or a file"),
            (["handoff", "a", "b"], 64, "'b' is not expected here"),
            (["handoff", "/nowhere"], 66, "can't read '/nowhere'"),
            (["handoff", "https://example.com/"], 65, "not a handoff link"),
            (["handoff", "/dev/null"], 65, "not a package of data"),
        ]
    )
    func errors(arguments: [String], status: Int32, message: String) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == status, "\(outcome.error)")
        #expect(outcome.error.contains(message))
    }

    @Test("an address of 2009 is read too, with padding or without, and its file can be extracted")
    func oldAddress() throws {
        let file = Data("SQLite format 3\0é".utf8)
        let digits = file.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        let problem =
            "referral-tool: An address of 2009 has no digest, so it isn't known whether the file is complete.\n"
        for query in [digits, digits.replacing("=", with: "")] {
            let address = "myapp://localhost/importDatabase?\(query)"
            try Tool.inFolder(["link": Data((address + "\n").utf8)]) { folder in
                for argument in [address, folder + "link"] {
                    let outcome = try Tool.run("handoff", argument, "--extract", folder + "out\(argument.count)")
                    #expect(
                        outcome.output == """
                            kind         address of 2009
                            address      myapp://localhost/importDatabase
                            totalLength  18
                            18  f21abae62713653c78d21a42bc5dc33a7a1350a44afa9579033bd4f726bd9f11  data

                            """
                    )
                    #expect(outcome.error == problem)
                    #expect(outcome.status == 1)
                    #expect(try Data(contentsOf: URL(filePath: folder + "out\(argument.count)/data")) == file)
                }
            }
            let json = try Tool.run("handoff", "--json", address)
            #expect(json.output.contains("\"totalLength\":18,\"files\":[{\"name\":\"data\",\"length\":18,"))
            #expect(json.output.contains("\"isWhole\":null"))
        }
    }

    @Test(
        "other addresses aren't of 2009",
        arguments: [
            ("https://example.com/get?AAAA", "is not a handoff link"), ("trestle://x?a=AAAA", "is not a handoff link"),
            ("trestle://x", "is not a handoff link"), ("trestle://x?AAAA&b", "is not a handoff link"),
            ("trestle://x?AAAAA", "is damaged"), ("trestle://x?AA=", "is damaged"),
            ("trestle://handoff?AAAA", "contains no data"),
        ]
    )
    func noOldAddress(address: String, problem: String) throws {
        let outcome = try Tool.run("handoff", address)
        #expect(outcome.status == 65)
        #expect(outcome.error.contains(problem), "\(outcome.error)")
    }
}
