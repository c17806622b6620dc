import Foundation
import ReferralBridge
import ReferralSiteCheck
import TestSupport
import Testing

/// The cases that browsers have judged. `web/tests/browsers/test_policies.py` asks them again.
struct PolicyTests {
    struct Case: Decodable, CustomTestStringConvertible {
        let policy: String?
        let head: String
        let isXHTML: Bool?
        /// The browsers in which the snippet runs.
        let runs: [String]
        /// What is said: nothing, `note` or `problem`.
        let check: String

        var testDescription: String { "\(policy ?? "") \(head)" }
    }

    private struct Vectors: Decodable {
        let files: [String: String]
        let cases: [Case]
    }

    private static let vectors = try? readVectors("policies", as: Vectors.self)

    private static func filled(_ text: String) -> String {
        let snippet = CopySnippet().source
        func digest(_ text: String) -> String { String(SHA256.policySource(of: text.utf8).dropFirst(8).dropLast()) }
        let values = [
            ("SNIPPET", snippet), ("DIGEST", digest(snippet)), ("BARE", digest(snippet).replacing("=", with: "")),
            ("URLSAFE", digest(snippet).replacing("+", with: "-").replacing("/", with: "_")),
            // It isn't computed here.
            ("SHA384", String(repeating: "A", count: 64)),
            ("ENTRY", digest(vectors?.files["/lib/entry.js"] ?? "")),
            ("OTHER", "http://localhost:8080"), ("ORIGIN", "http://127.0.0.1:8080"), ("PORT", "8080"),
        ]
        return values.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    @Test("there are cases of each kind")
    func kinds() {
        let cases = Self.vectors?.cases ?? []
        #expect(cases.count >= 170)
        #expect(Set(cases.map(\.check)) == ["", "note", "problem"])
    }

    @Test("nothing is said of what runs, and something of what doesn't", arguments: vectors?.cases ?? [])
    func judged(_ policy: Case) throws {
        let meta = policy.policy.map { text in
            let content = Self.filled(text).replacing("\"", with: "&quot;")
            return "<meta http-equiv=\"Content-Security-Policy\" content=\"\(content)\"/>"
        }
        let name = policy.isXHTML == true ? "page.xhtml" : "page.html"
        let page =
            "<html><head><title>page</title>\(meta ?? "")\(Self.filled(policy.head))</head><body>"
            + "<a href=\"https://apps.apple.com/app/id42\" data-referrer=\"x\">x</a></body></html>"
        var files = [name: page]
        for (path, text) in Self.vectors?.files ?? [:] { files[String(path.dropFirst())] = Self.filled(text) }
        let checked = try CheckedFolder(files)
        let said = !checked.broken.isEmpty ? "problem" : checked.noted.isEmpty ? "" : "note"
        #expect(said == policy.check, "\(checked.findings) \(checked.notes)")
        // Of what some browsers run, or what depends on the host, there may be a note.
        let allowed = policy.runs.isEmpty ? ["note", "problem"] : policy.runs.count == 3 ? ["", "note"] : ["note"]
        #expect(allowed.contains(policy.check))
    }
}
