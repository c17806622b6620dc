import Foundation
import Testing

/// Catalogs that `referral-tool catalog` fetches with `curl`.
struct CatalogAddressTests {
    /// Runs a line in which `curl` is a script.
    private func withCurl(_ script: String, _ arguments: String) throws -> Tool.Outcome {
        try Tool.inFolder(["curl": Data("#!/bin/sh\n\(script)\n".utf8)]) { folder in
            try Tool.shell(
                "chmod +x '\(folder)curl'; export PATH='\(folder)':$PATH; referral-tool catalog \(arguments)"
            )
        }
    }

    @Test("an address is fetched with curl, quoted, with limits, and never redirected to a less safe one")
    func address() throws {
        for (address, redirects) in [
            ("HTTPS://x/'$(touch /y)';&?a b", "=https"), ("http://x/[1-3]", "=https,http"),
            // For Swift, an apostrophe with an accent is a character of its own. For a shell it ends a word.
            ("https://x/'\u{301};echo ran;'\u{301}", "=https"),
        ] {
            let parts = address.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
            let quoted = "'" + parts.map { String($0) }.joined(separator: #"'\''"#) + "'"
            let outcome = try withCurl("echo \"curl: (9) $(printf '<%s>' \"$@\")\"; exit 9", quoted)
            #expect(outcome.status == 74)
            #expect(outcome.output == "")
            let expected =
                "<--disable><--globoff><--fail><--silent><--show-error><--max-time><20><--max-filesize><1048576>"
                + "<--proto><=https,http><--location><--max-redirs><5><--proto-redir><\(redirects)><--><\(address)>"
            #expect(outcome.error == "referral-tool: \(address): curl: (9) \(expected)\n")
        }
    }

    @Test("what curl brings is read, and what it says is shown")
    func curl() throws {
        let good = #"{"format":1,"revision":3,"items":[]}"#
        let outcome = try withCurl("echo '\(good)'", "https://example.com/c.json")
        #expect(outcome.output == "https://example.com/c.json: revision 3, 0 items, 0 rewards, 0 left out\n")
        #expect(outcome.status == 0)
        #expect(outcome.error == "")
        for (script, status, message) in [
            (
                "printf '{\"forma'; echo 'curl: (18) cut off' >&2; echo 'More here.' >&2; exit 18", 74,
                "curl: (18) cut off"
            ),
            ("exit 5", 74, "curl ended with status 5"), ("echo '{}'; kill -9 $$", 74, "curl ended with status 137"),
            ("exit 63", 65, "The catalog has more than 1048576 bytes."),
            ("yes", 65, "The catalog has more than 1048576 bytes."),
            ("echo '<html>'", 65, "1:1: a catalog is a JSON object, which begins with {"),
        ] {
            let outcome = try withCurl(script, "https://example.com/c.json")
            let error = outcome.error.replacing("c.json:1:1", with: "c.json: 1:1")
            #expect(error == "referral-tool: https://example.com/c.json: \(message)\n")
            #expect(outcome.status == status)
            #expect(outcome.output == "")
        }
    }

    @Test("without curl an address can't be read, and the status says so")
    func noCurl() throws {
        let outcome = try Tool.inFolder { folder in
            try Tool.shell("PATH='\(folder)' '\(Tool.path)' catalog https://example.com/c.json")
        }
        #expect(outcome.status == 69)
        #expect(outcome.output == "")
        #expect(
            outcome.error
                == "referral-tool: https://example.com/c.json: install curl, or name a file\n"
        )
    }

    @Test("a real curl fetches from a real server")
    func server() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = tests.appending(path: "UnlocksTests/Catalog/catalog-server.py").path(percentEncoded: false)
        let body = Data(#"{"format":1,"revision":3,"items":[]}"#.utf8).base64EncodedString()
        let answers = #"[{"status":200,"headers":{},"body":"\#(body)","manner":"whole"}]"#
        // The server ends with the shell, which then closes its standard input.
        let outcome = try Tool.inFolder { folder in
            try Tool.shell(
                """
                export no_proxy=127.0.0.1
                mkfifo '\(folder)input' '\(folder)port'
                python3 '\(script)' <'\(folder)input' >'\(folder)port' &
                exec 3>'\(folder)input'
                read -r port <'\(folder)port'
                curl --silent --request PUT --data '\(answers)' "http://127.0.0.1:$port/c.json"
                referral-tool catalog "http://127.0.0.1:$port/none.json"
                referral-tool catalog "http://127.0.0.1:$port/c.json" | sed "s/:$port//"
                """
            )
        }
        #expect(outcome.output == "http://127.0.0.1/c.json: revision 3, 0 items, 0 rewards, 0 left out\n")
        #expect(outcome.error.hasSuffix("curl: (22) The requested URL returned error: 404\n"), "\(outcome.error)")
    }
}
