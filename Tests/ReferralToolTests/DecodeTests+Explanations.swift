import Foundation
import ReferralBridge
import Testing

/// What `decode` says of strings that don't count, and how they would.
extension DecodeTests {
    private static func link(_ payload: String, encoding: String.Encoding = .utf8) throws -> String {
        let data = try #require(payload.data(using: encoding))
        return "https://apps.apple.com/app/id42?ed=\(data.base64EncodedString())"
    }

    private static let plain = #"{"timestamp":1795224749690,"referrer":"x"}"#

    /// A string, the beginning of its line, and the remedy at its end.
    private static let remedies: [(string: String, beginning: String, remedy: String)] = [
        (
            "Check this out: https://apps.apple.com/app/id42?ed=x", "notALink: It does not begin with https://",
            "The string contains a link; pass the link alone."
        ),
        (
            "<a href=\"https://apps.apple.com/app/id42?ed=x\">", "notALink",
            "The string contains a link; pass the link alone."
        ),
        ("https://example.com/get?a=1&via=anna", "notALink", "pass the copied link, or name the page with --landing."),
        ("https://apps.apple.com/app/id7?ed=x", "wrongApp", "--app-id names another app."),
        ("https://itunes.apple.com/x?id=8", "wrongApp", "--app-id names another app."),
    ]

    @Test("each verdict has a remedy, on the line of its reason", arguments: remedies.indices)
    func remedy(_ index: Int) throws {
        let (string, beginning, remedy) = Self.remedies[index]
        let given = try Tool.run("decode", "--app-id=42", "--now=1795224750690", string)
        let read = try Tool.run("decode", "--app-id=42", "--now=1795224750690", "--explain", input: string + "\n")
        for outcome in [given, read] {
            let line = try #require(outcome.error.split(separator: "\n").last)
            #expect(line.hasPrefix("0: \(beginning)"), "\(line)")
            #expect(line.hasSuffix(remedy), "\(line)")
            #expect(outcome.status == 1)
        }
    }

    @Test("text around a link is named, and a payload of btoa")
    func mistakes() throws {
        func explained(_ string: String) throws -> String {
            try Tool.run("decode", "--app-id=42", "--now=1795224750690", "--explain", input: string).error
        }
        let link = try Self.link(Self.plain)
        for text in [" see you", "\tx", ".", "), thanks", "!\u{20}OK"] {
            #expect(try explained(link + text).hasSuffix(" Text follows the link; pass the link alone.\n"), "\(text)")
        }
        // A link of another age is a link too.
        let old = try Self.link(Self.plain.replacing("17952", with: "16952"))
        #expect(try explained(old + " x").hasSuffix(" Text follows the link; pass the link alone.\n"))
        let latin1 = try Self.link(#"{"timestamp":1795224749690,"referrer":"André"}"#, encoding: .isoLatin1)
        #expect(try explained(latin1).contains("malformedPayload: The payload is not UTF-8"))
        for (text, hint) in [
            (link + "%E3%80%82", "Text follows"), (link.replacing("?", with: "?mt=8&amp;"), "&amp; stands for &"),
            (link.replacing("ed=", with: "ed=3D"), "=3D stands for ="), (link + "=⇒", "Text follows"),
            ("\u{A0}" + link, "The string contains"), ("ftp://a.com/x", "the App Store.\n"), (" \(link) \n", "found: "),
        ] {
            #expect(try explained(text).contains(" \(hint)"), "\(text)")
        }
    }

    @Test("--landing judges the address of a landing page as if it was pasted")
    func landing() throws {
        func decode(_ arguments: String...) throws -> Tool.Outcome {
            try Tool.run(["decode", "--app-id=42", "--now=1795224750690"] + arguments)
        }
        let anna = "https://example.com/get?utm=1&via=anna%20b"
        #expect(try decode(anna).status == 1)
        let found = try decode(anna, "--landing", "https://Example.com:443/get/", "--explain")
        #expect(found.output == "anna b\n")
        #expect(found.error == "0: found: The address of the landing page names the referrer.\n")
        #expect(try decode("https://example.com/other?via=anna", "--landing=https://example.com/get").status == 1)
        let json = try decode(
            "--json",
            "--landing=https://example.com/*",
            "--referrer-item=von",
            "--item=open",
            "https://example.com/x?von=a&open=/b&y=1"
        )
        #expect(
            json.output.hasPrefix(#"{"referrer":"a","timestamp":1795224750690,"parameters":{"open":"/b"},"index":0,"#)
        )
        let page = "--landing=https://example.com/get"
        #expect(try decode("https://example.com/get", page).error.contains("1 noPayload"))
        #expect(try decode(anna.replacing("/get?", with: "/get.html?"), page).output == "anna b\n")
        #expect(try decode(anna, page + ".html").output == "anna b\n")
        let inPath = try decode("look: https://example.com/f%c3%bcr/zo%C3%AB!", "--landing=https://example.com/für/*")
        #expect(inPath.output == "zoë\n", "\(inPath.error)")
        #expect(try decode(anna.replacing("&", with: "&amp;"), page).error.contains("&amp; stands for &"))
        #expect(try decode("https://example.com/get?via=ann…", page).error.hasSuffix("Copy the whole address.\n"))
        let mail = try decode("https://example.com/get?via=3Danna", page, "--explain")
        #expect(mail.output == "3Danna\n" && mail.error.contains("=3D stands for ="))
        let source = try decode("https://example.com/get?via=anna&amp;open=1", page, "--explain")
        #expect(source.output == "anna\n" && source.error.contains("&amp; stands for &"))
        let insecure = anna.replacing("https", with: "http")
        #expect(try decode(insecure, page).error.contains("The page is https://, this is http://."))
        for (end, output, reason) in [("", "for-\n", ""), ("the-friends", "", "1: malformedPayload: The address was")] {
            let text = "Get it:\nhttps://example.com/get?via=for-\n\(end)\n"
            let outcome = try Tool.run("decode", "--app-id=42", page, input: text)
            #expect(outcome.output == output && (outcome.error.contains(reason) || reason.isEmpty), "\(outcome.error)")
        }
        let text = try decode("look: https://l.instagram.com/?u=https%3A%2F%2Fexample.com", page)
        #expect(text.error.contains("The address in it has another host. If this is the address of a landing page"))
        #expect(try decode("https://example.com/get?via=", page).error.contains("but it names no referrer."))
        // A link is newer only if its tap is.
        let link = try Self.link(Self.plain)
        #expect(try decode(link, anna, "--landing=https://example.com/get").output == "anna b\n")
        let log = try Tool.run(
            ["decode", "--each", "--app-id=42", "--now=1795224750690", "--landing=https://example.com/get"],
            input: Data("\(anna)\n\(link)\n".utf8)
        )
        #expect(
            log.output == """
                {"verdict":"found","referrer":"anna b","timestamp":1795224750690,"parameters":{}}
                {"verdict":"found","referrer":"x","timestamp":1795224749690,"parameters":{}}

                """
        )
        for (arguments, problem) in [
            (["--landing=https://apps.apple.com/id42"], "a landing page is your own page"),
            (["--landing=example.com"], "a landing page is your own page"),
            (["--item=x"], "--item requires --landing"), (["--referrer-item=x"], "--referrer-item requires --landing"),
        ] {
            let outcome = try Tool.run(["decode", "--app-id=42", anna] + arguments)
            #expect(outcome.status == 64)
            #expect(outcome.error.contains(problem), "\(outcome.error)")
        }
    }

    @Test("--each --explain adds the reason and the remedy to each string")
    func eachReason() throws {
        let link = try Self.link(Self.plain)
        let strings = "\(link) x\nhello\n\(link)\n"
        let arguments = ["decode", "--each", "--app-id=42", "--now=1795224750690", "--explain", "--quiet"]
        let lines = try Tool.run(arguments, input: Data(strings.utf8))
        let reasons = lines.output.split(separator: "\n").compactMap { $0.split(separator: ",\"reason\":").last }
        #expect(reasons.count == 3)
        #expect(reasons.first?.hasSuffix("Text follows the link; pass the link alone.\"}") == true, "\(lines.output)")
        #expect(reasons.last == "\"The tap was 1 s ago.\"}")
        #expect(lines.error == "")
    }
}
