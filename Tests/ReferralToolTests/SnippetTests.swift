import Foundation
import Testing

/// `web/tests/forms.test.mjs` has the formats of the plain snippet.
struct SnippetTests {
    private func file(_ name: String) throws -> String {
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")
        return try String(contentsOf: web.appending(path: name), encoding: .utf8)
    }

    @Test("with --ct-from-referrer, the script that makes the referrer the ct follows, after the one that keeps it")
    func tokenFromReferrer() throws {
        let snippet = try file("referral-bridge.min.js")
        let token = try file("referral-ct.min.js")
        #expect(try Tool.run("snippet", "--ct-from-referrer", "--min").output == snippet + token)
        let all = try snippet + file("referral-keep.min.js") + token
        #expect(try Tool.run("snippet", "--ct-from-referrer", "--keep", "--min").output == all)
        #expect(try Tool.run("snippet", "--ct-from-referrer").output.hasSuffix(file("referral-ct.js")))
    }
}
