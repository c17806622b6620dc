import Foundation
import Testing

struct DecodeTests {
    private static let now = "1795224750690"

    private static func link(_ referrer: String, at time: String = "1795224749690", parameters: [String] = []) throws
        -> String
    {
        let outcome = try Tool.run(
            ["link", "--app-id", "42", "--referrer", referrer, "--at", time] + parameters.flatMap { ["--param", $0] }
        )
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    private func decode(_ arguments: String..., input: String = "") throws -> Tool.Outcome {
        try Tool.run(["decode", "--app-id", "42", "--now", Self.now] + arguments, input: Data(input.utf8))
    }

    @Test("the referrer of the newest tap, from arguments or from lines")
    func found() throws {
        let (old, new) = try (Self.link("old"), Self.link("new", at: "1795224749691"))
        for outcome in try [
            decode("x", old, new), decode("--", "-x", old, new), decode(input: "x\n\n\(old)\n\(new)"),
            decode(input: "\(new)\r\n\(old)\r\n"),
        ] {
            #expect(outcome.output == "new\n")
            #expect(outcome.error == "")
            #expect(outcome.status == 0)
        }
    }

    @Test("with no referral, standard error says how the strings fell and the status is 1")
    func nothing() throws {
        let outcome = try decode("x", "https://apps.apple.com/id9", "y")
        #expect(outcome.output == "")
        #expect(outcome.status == 1)
        let lines = outcome.error.split(separator: "\n")
        #expect(lines.first == "referral-tool: no referral in 3 strings: 2 notALink, 1 wrongApp")
        #expect(lines.count == 4)
        #expect(
            lines[2]
                == "1: wrongApp: The address is that of another app. --app-id names another app."
        )
    }

    @Test("a long list's reasons are counted, not printed, unless they are asked for")
    func manyReasons() throws {
        let list = String(repeating: "x\n", count: 1_000)
        #expect(try decode(input: list).error.count { $0 == "\n" } == 22)
        #expect(try decode(input: list).error.hasSuffix("and 980 more; --explain shows them all\n"))
        #expect(try decode("--explain", input: list).error.count { $0 == "\n" } == 1_001)
    }

    @Test("an empty input is no string, a blank line is one")
    func lines() throws {
        #expect(try decode(input: "").error == "referral-tool: no referral: there are no strings\n")
        #expect(try decode(input: "\n").error.hasPrefix("referral-tool: no referral in 1 string: 1 notALink\n"))
        #expect(try decode(input: "a\n\r\nb").error.hasPrefix("referral-tool: no referral in 3 strings: 3 notALink\n"))
    }

    @Test("--explain gives each string a line on standard error, and standard output stays as it is")
    func explain() throws {
        let link = try Self.link("x")
        let outcome = try decode("--explain", "a", link, link)
        #expect(outcome.output == "x\n")
        #expect(outcome.status == 0)
        #expect(
            outcome.error == """
                0: notALink: It does not begin with https://, http://, itms-apps:// or another scheme of the App Store.
                1: found: The tap was 1 s ago.
                2: superseded: Another tap was found that is newer, or as new and in front of this one.

                """
        )
    }

    @Test("--json prints one object, its members in order")
    func json() throws {
        let link = try Self.link("a\"\\\u{1B}é\u{202E}", parameters: ["b=2", "a=\n"])
        let outcome = try decode("--json", "x", link)
        #expect(
            outcome.output
                == #"{"referrer":"a\"\\\u001bé\u202e","timestamp":1795224749690,"parameters":{"a":"\u000a","b":"2"},"#
                + #""index":1,"ageMilliseconds":1000,"verdicts":[{"index":0,"verdict":"notALink","reason":"It does not begin with "#
                + #"https://, http://, itms-apps:// or another scheme of the App Store."},"#
                + #"{"index":1,"verdict":"found","reason":"The tap was 1 s ago."}]}"# + "\n"
        )
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(object?["referrer"] as? String == "a\"\\\u{1B}é\u{202E}")
    }

    @Test("--json says null for what there is none of, and the status is 1 all the same")
    func jsonNothing() throws {
        let outcome = try decode("--json", input: "")
        #expect(
            outcome.output
                == #"{"referrer":null,"timestamp":null,"parameters":null,"index":null,"ageMilliseconds":null,"verdicts":[]}"#
                + "\n"
        )
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("referral-tool: no referral"))
    }

    @Test(
        "text from outside never reaches a terminal raw",
        arguments: [
            ("\u{1B}[2J", #"\u{1B}[2J"#), ("a\nb\tc", #"a\u{A}b\u{9}c"#), ("\u{7F}\u{9B}", #"\u{7F}\u{9B}"#),
            ("a\u{2028}\u{2029}b", #"a\u{2028}\u{2029}b"#),
            ("\u{202E}x\u{2066}\u{200F}\u{61C}", #"\u{202E}x\u{2066}\u{200F}\u{61C}"#),
            ("čampaň 🎉 日本", "čampaň 🎉 日本"),
        ]
    )
    func terminal(_ referrer: String, shown: String) throws {
        #expect(try decode(Self.link(referrer)).output == shown + "\n")
    }

    // MARK: Standard input

    @Test("a line that is no UTF-8 is notALink, and the others still count")
    func noUTF8() throws {
        let link = Data(try Self.link("x").utf8)
        let broken = link + Data([0xFF, 0x0A]) + Data([0xC3, 0x0A]) + link + Data([0x0A]) + Data([0xF0, 0x9F])
        let outcome = try Tool.run(["decode", "--app-id", "42", "--now", Self.now, "--explain"], input: broken)
        #expect(outcome.output == "x\n")
        #expect(
            outcome.error.split(separator: "\n").map { $0.prefix(11) } == [
                "0: notALink", "1: notALink", "2: found: T", "3: notALink",
            ]
        )
        #expect(outcome.error.contains("1: notALink: It is not UTF-8: its byte 1 is 0xC3.\n"))
    }

    @Test("a link of the greatest length is read from a line, white space around it or not")
    func longest() throws {
        let head = try Self.link("x") + "&pad="
        let longest = head + String(repeating: "p", count: 65_536 - head.utf8.count)
        let spaces = String(repeating: " ", count: 200_000)
        #expect(try decode(input: spaces + longest + spaces + "\r\n").output == "x\n")
        #expect(try decode(input: longest + "p").error.contains("1 tooLong"))
        #expect(try decode(input: longest + spaces + "p").error.contains("1 tooLong"))
        #expect(
            try Tool.run(["decode", "--app-id", "42"], input: Data((longest + spaces).utf8) + Data([0xFF])).error
                .contains("1 notALink")
        )
    }

    // MARK: Streams that fail

    @Test("streams that do not block are waited for")
    func nonBlocking() throws {
        let script = """
            import os, subprocess
            reader, writer = os.pipe()
            os.set_blocking(writer, False)
            source, sink = os.pipe()
            os.set_blocking(source, False)
            tool = subprocess.Popen(["referral-tool", "decode", "--app-id", "42", "--json"], stdin=source, stdout=writer, stderr=2)
            os.close(writer); os.close(source)
            # Another process runs in between, so that the command has read all there is, and waits.
            for part in range(10):
                subprocess.run(["true"])
                os.write(sink, b"x\\n" * 2000)
            os.close(sink)
            # Far more than a pipe holds.
            size = 0
            while chunk := os.read(reader, 65536): size += len(chunk)
            print(size > 1000000, tool.wait())
            """
        let outcome = try Tool.shell("python3 -c '\(script)' 2>/dev/null")
        #expect(outcome.output == "True 1\n", "\(outcome.error)")
    }

    @Test("--play judges the items that Google Play passes to an app, without an app ID and however old the tap is")
    func play() throws {
        let payload = try #require(try Self.link("anna", at: "1479864750690").split(separator: "=").last)
        func play(_ arguments: String..., input: String = "") throws -> Tool.Outcome {
            try Tool.run(["decode", "--play", "--now", Self.now] + arguments, input: Data(input.utf8))
        }
        for outcome in try [
            play("utm_source=x&ed=\(payload)"), play(input: "utm_source=google-play\r\ned=\(payload)\n"),
        ] {
            #expect(outcome.output == "anna\n")
            #expect(outcome.status == 0)
        }
        let organic = try play("utm_source=google-play&utm_medium=organic")
        #expect(organic.status == 1)
        #expect(organic.error.hasPrefix("referral-tool: no referral in 1 string: 1 noPayload\n"))
        #expect(try play("--json", "ed=\(payload)").output.contains(#""verdict":"found""#))
        #expect(try play("--reported", "1479864750690", "ed=\(payload)").error.contains("alreadyReported"))
        for (option, value) in [("--app-id", "42"), ("--window", "none"), ("--host", "x.example"), ("--each", nil)] {
            let outcome = try Tool.run(["decode", "--play", option] + (value.map { [$0] } ?? []) + ["ed=x"])
            #expect(outcome.status == 64)
            #expect(outcome.error.contains("with "), "\(outcome.error)")
        }
    }
}
