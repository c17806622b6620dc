import Foundation
import Testing

/// Signed links, and who may have made them.
struct SigningTests {
    private let until = "2100-01-01T00:00:00Z"
    private let untilMilliseconds = "4102444800000"

    // MARK: Links

    @Test("a signed link is found by its signer, and by nobody else")
    func link() throws {
        try Tool.withKey { folder, publicKey in
            let other = try Tool.run("key", "--out", folder + "other.pem").output.dropLast()
            let link = try Tool.run(
                ["link", "--app-id", "42", "--referrer", "anna", "--param", "pack=gold", "--sign", folder + "key.pem"]
                    + ["--until", until]
            )
            #expect(link.status == 0)
            #expect(link.error == "")
            func decode(_ address: String, _ arguments: String...) throws -> Tool.Outcome {
                try Tool.run(["decode", "--app-id", "42"] + arguments + [address])
            }
            let address = link.output.trimmingCharacters(in: .newlines)
            #expect(try decode(address, "--signer", publicKey).output == "anna\n")
            #expect(try decode(address, "--signer", "\(other)", "--signer", publicKey).output == "anna\n")
            #expect(try decode(address).output == "anna\n")

            let wrong = try decode(address, "--signer", "\(other)", "--explain")
            #expect(wrong.status == 1)
            #expect(wrong.output == "")
            #expect(
                wrong.error == """
                    referral-tool: no referral in 1 string: 1 wrongSignature
                    0: wrongSignature: No signer made the signature (sig) for this app, referrer and parameters, or sig or until is \
                    malformed.

                    """
            )
            let late = try decode(address, "--signer", publicKey, "--now", "2100-01-01T00:00:00Z", "--window", "none")
            #expect(late.output == "anna\n", "the tap counts, and not the present")
            let unsigned = try Tool.run("link", "--app-id", "42", "--referrer", "anna").output
            #expect(try decode(unsigned, "--signer", publicKey).error.contains("1 notSigned\n"))
        }
    }

    @Test(
        "a landing page's address carries the referrer, the parameters in order, until and sig, and nothing else is signed"
    )
    func landing() throws {
        try Tool.withKey { folder, publicKey in
            let table = "referrer,param.b,param.aB,ct\nanna,2 & 3,1,spring\nben,,,\n"
            let outcome = try Tool.run(
                [
                    "links", "--app-id", "42", "--landing", "https://example.com/get?utm=mail#top", "--sign",
                    folder + "key.pem", "--until", until, "--to", "txt",
                ],
                input: table
            )
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(outcome.complaints == "", "\(outcome.error)")
            let lines = outcome.output.split(separator: "\n")
            let sig = "[A-Za-z0-9_%-]{86,180}"
            let anna =
                "https://example\\.com/get\\?utm=mail&via=anna&aB=1&b=2%20%26%203&until=\(untilMilliseconds)&sig=\(sig)#top"
            let ben = "https://example\\.com/get\\?utm=mail&via=ben&until=\(untilMilliseconds)&sig=\(sig)#top"
            try #require(lines.count == 2)
            #expect(try Regex(anna).wholeMatch(in: lines[0]) != nil, "\(lines[0])")
            #expect(try Regex(ben).wholeMatch(in: lines[1]) != nil, "\(lines[1])")

            // An attribute can't give the snippet every name.
            let odd = try Tool.run(
                [
                    "links", "--app-id", "42", "--landing", "https://example.com", "--sign", folder + "key.pem", "--to",
                    "txt",
                ],
                input: "referrer,param.é\nanna,1\nben,\n"
            )
            #expect(odd.status == 65)
            #expect(odd.output == "")
            #expect(odd.error.contains(":1: the column 'param.é': on a page, the name of a parameter is a lowercase"))
        }
    }

    @Test("a page's own referrer can be signed, and people don't see the signature")
    func page() throws {
        try Tool.withKey { folder, _ in
            let outcome = try Tool.run([
                "page", "--app-id", "42", "--name", "Trestle", "--referrer", "spring", "--param", "pack=gold", "--sign",
                folder + "key.pem", "--until", until,
            ])
            #expect(outcome.status == 0)
            #expect(outcome.error == "")
            let attributes =
                "data-referrer=\"spring\" data-referral-pack=\"gold\" data-referral-sig=\"[A-Za-z0-9_-]{86}\" "
                + "data-referral-until=\"\(untilMilliseconds)\">"
            #expect(try Regex(attributes).firstMatch(in: outcome.output) != nil)
            // The note names everything that the link holds, and the end as a day.
            let contents = "<bdi>pack=gold</bdi></code> <code><bdi>until=2100-01-01</bdi></code> <em id"
            #expect(outcome.output.contains(contents))
            #expect(!outcome.output.contains("<bdi>sig="))
            // Without a signature, a parameter of that name is one like others.
            let unsigned = try Tool.run([
                "page", "--app-id", "42", "--name", "T", "--referrer", "x", "--param", "until=noon",
            ])
            #expect(unsigned.output.contains("<bdi>until=noon</bdi>"))
            let none = try Tool.run("page", "--app-id", "42", "--name", "T", "--sign", folder + "key.pem")
            #expect(none.status == 64)
            #expect(
                none.error == """
                    referral-tool: --sign signs the page's own referrer; give --referrer, or sign the links to the page

                    """
            )
        }
    }

    @Test("each row is judged by its signature, and rows that can't be signed are reported and left out")
    func rows() throws {
        try Tool.withKey { folder, publicKey in
            let key = folder + "key.pem"
            let table = "referrer,param.sig,n\nanna,,1\nben,x,2\n,,3\n"
            let links = try Tool.run("links", "--app-id", "42", "--at", "now", "--sign", key, input: table)
            #expect(links.status == 65)
            #expect(links.output.split(separator: "\n").count == 2)
            #expect(links.error.contains("3: param.sig: a signature already has a parameter with that name; rename it"))
            #expect(links.error.contains("4: referrer: missing"))
            let signed = try #require(links.output.split(separator: "\n").last?.split(separator: ",").last)
            let unsigned = try Tool.run("link", "--app-id", "42", "--referrer", "x").output
            let judged = try Tool.run(
                ["decode", "--each", "--app-id", "42", "--signer", publicKey],
                input: "\(signed)\n\(unsigned)nothing\n"
            )
            let verdicts = judged.output.split(separator: "\n").map { $0.split(separator: "\"")[3] }
            #expect(verdicts == ["found", "notSigned", "notALink"])
            #expect(judged.error.hasPrefix("referral-tool: 3 strings: 1 notALink, 1 notSigned, 1 found\n"))
        }
    }

    // MARK: Usage

    @Test("wrong usage says what would be right")
    func usage() throws {
        try Tool.withKey { folder, publicKey in
            let form = "a public key is 32 bytes in base64, as 'referral-tool key --public FILE' prints it"
            let bits = String(repeating: "A", count: 42) + "B="
            let time =
                "a time is 'now', Unix milliseconds (1795224750690) or ISO 8601 with a zone (2026-11-21T09:30:00Z)"
            let past = "it is in the past; a campaign must end in the future"
            let whole = "a campaign ends at a whole millisecond, 16 digits at most"
            let link = "link --app-id 42 --referrer x"
            for (words, message) in [
                ("key", "which key? --out FILE makes one, --public FILE prints the public key of one"),
                ("key --out a --public b", "give either --out or --public, not both"),
                ("key --out a b", "name the file with --out or with --public"),
                ("\(link) --until \(until)", "--until requires --sign"),
                ("\(link) --sign KEY --until 2020-01-01T00:00:00Z", "--until '2020-01-01T00:00:00Z': \(past)"),
                ("\(link) --sign KEY --until now", "--until 'now': \(past)"),
                (
                    "\(link) --sign KEY --until 4102444800",
                    "--until '4102444800': it is before March 1973; a number is in milliseconds"
                ),
                ("\(link) --sign KEY --until tomorrow", "--until 'tomorrow': \(time)"),
                ("\(link) --sign KEY --until 4102444800000.5", "--until '4102444800000.5': \(whole)"),
                ("\(link) --sign KEY --until 41024448000000000", "--until '41024448000000000': \(whole)"),
                (
                    "\(link) --sign KEY --until \(until) --at \(until)",
                    "--until '\(until)': the tap (--at) is not before it, so no link would count"
                ),
                (
                    "\(link) --sign KEY --param until=1",
                    "--param 'until': a signature already has a parameter with that name; rename it"
                ),
                ("decode --app-id 42 --signer \(publicKey) --signer x y", "--signer 'x': \(form)"),
                // The digits of 32 bytes, with bits after the last one.
                ("decode --app-id 42 --signer \(bits) y", "--signer '\(bits)': \(form)"),
                (
                    "links --landing https://example.com --sign KEY",
                    "a signature is for one app: with --landing and --sign, give --app-id ID or --page ADDRESS"
                ),
                (
                    "catalog - --sign KEY",
                    "--write-files and --sign need the file's name, so they can't be used with standard input"
                ),
            ] {
                let arguments = words.replacing("KEY", with: folder + "key.pem").split(separator: " ").map(String.init)
                let outcome = try Tool.run(arguments)
                #expect(outcome.error == "referral-tool: \(message)\n")
                #expect(outcome.status == 64, "\(arguments)")
                #expect(outcome.output == "", "\(arguments)")
            }
        }
    }
}
