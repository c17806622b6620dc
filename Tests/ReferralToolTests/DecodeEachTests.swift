import Foundation
import ReferralBridge
import Testing

/// `referral-tool decode --each`: every string judged by itself.
struct DecodeEachTests {
    private static let now = 1_795_224_750_690.0

    private func decode(_ input: String, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["decode", "--each", "--app-id", "42", "--now", "1795224750690"] + arguments,
            input: Data(input.utf8)
        )
    }

    private static func link(_ referrer: String, secondsAgo: Double = 0, _ parameters: [String: String] = [:]) throws
        -> String
    {
        let tap = Timestamp(milliseconds: now - secondsAgo * 1_000)
        let referral = try Referral(referrer: referrer, timestamp: tap, parameters: parameters)
        return try ReferralLink(page: StorePage(appID: 42), referral: referral).address
    }

    @Test("a line of JSON for each string, in order, and a count of the verdicts")
    func lines() throws {
        let outcome = try decode(
            """
            \(try Self.link("a", ["b": "1", "a": "é\u{1B}"]))
            see you at eight\r

            \t\(try Self.link("\"", secondsAgo: 300)) \r
            \(try Self.link("a", secondsAgo: 299.5))
            https://apps.apple.com/app/id7?ed=x
            """
        )
        #expect(
            outcome.output == #"""
                {"verdict":"found","referrer":"a","timestamp":1795224750690,"parameters":{"a":"é\u001b","b":"1"}}
                {"verdict":"notALink","referrer":null,"timestamp":null,"parameters":null}
                {"verdict":"notALink","referrer":null,"timestamp":null,"parameters":null}
                {"verdict":"expired","referrer":"\"","timestamp":1795224450690,"parameters":{}}
                {"verdict":"found","referrer":"a","timestamp":1795224451190,"parameters":{}}
                {"verdict":"wrongApp","referrer":null,"timestamp":null,"parameters":null}

                """#
        )
        #expect(
            outcome.error == """
                referral-tool: 6 strings: 2 notALink, 1 wrongApp, 1 expired, 2 found

                """
        )
        #expect(outcome.status == 0)
    }

    @Test("a link with bytes that are no UTF-8 is none, as it is one by one")
    func notUTF8() throws {
        let link = Data(try Self.link("a").replacing("?ed=", with: "?x=Ä&ed=").utf8)
        let broken = Data(link.filter { $0 != 0x84 })
        let outcome = try Tool.run(
            ["decode", "--each", "--app-id=42", "--now=1795224750690", "--quiet"],
            input: link + Data("\n".utf8) + broken
        )
        let verdicts = outcome.output.split(separator: "\n").map { $0.dropFirst(12).prefix { $0 != "\"" } }
        #expect(verdicts == ["found", "notALink"])
    }

    @Test("a time that was reported before, and hosts besides the store's")
    func options() throws {
        let link = try Self.link("a")
        #expect(try decode(link, "--reported", "1795224750690").output.contains(#""verdict":"alreadyReported""#))
        let other = link.replacing("apps.apple.com", with: "example.com")
        #expect(try decode(other, "--host", "example.com").output.contains(#""verdict":"found""#))
        #expect(try decode(try Self.link("a", secondsAgo: -31)).output.contains(#""verdict":"fromTheFuture""#))
        #expect(try decode(try Self.link("a", secondsAgo: -31), "--tolerance=31s").output.contains(#""found""#))
    }

    @Test("a line longer than any row is judged too, without being kept")
    func longLines() throws {
        let link = try Self.link("a")
        func long(_ text: String) -> String { String(repeating: text, count: 3 << 19) }
        let spaces = String(repeating: " ", count: 1 << 19)
        let input = "x\n\(spaces)\(link)\(long("\t"))\r\n\(long("x"))\n\(link)&x=\(long("y"))\n\(link)"
        let verdicts = try decode(input, "--jobs=3").output.split(separator: "\n").map {
            $0.dropFirst(12).prefix { $0 != "\"" }
        }
        #expect(verdicts == ["notALink", "found", "notALink", "tooLong", "found"])
    }
}
