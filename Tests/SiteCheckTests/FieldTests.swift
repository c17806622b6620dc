import Foundation
import ReferralBridge
import ReferralSiteCheck
import Testing

/// Files that people publish, and what is said of them: `field.txt`.
struct FieldTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        private(set) var findings: [String] = []
        private(set) var files: [String: String] = [:]

        /// A case in the form of `field.txt`.
        init?(_ text: Substring) {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
            guard let name = lines.popFirst() else { return nil }
            self.name = String(name)
            while let line = lines.first, line.hasPrefix("> ") {
                findings.append(String(line.dropFirst(2)))
                lines.removeFirst()
            }
            files = FieldTests.files(in: lines.joined(separator: "\n"))
        }

        var testDescription: String { name }
    }

    /// Files in the form of `field.txt`: `@` and the name, and the content.
    static func files(in text: some StringProtocol) -> [String: String] {
        var files: [String: String] = [:]
        var name = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("@ ") {
                name = String(line.dropFirst(2))
            } else {
                files[name] = files[name].map { $0 + "\n" + line } ?? String(line)
            }
        }
        return files
    }

    private static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "field.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n== ").dropFirst().compactMap(Case.init)
    }()

    @Test("there are cases")
    func count() { #expect(Self.cases.count >= 29) }

    @Test("what is said of files that people publish", arguments: cases)
    func published(_ field: Case) throws {
        var files = field.files
        if field.name.hasSuffix("(landing)") {
            files["get.html"] = """
                <!doctype html><title>Trestle</title><script src="referral-bridge.js"></script>
                <a href="https://apps.apple.com/app/id1300230302" data-referrer-from="via">Get Trestle</a>
                """
        }
        let isAlone = field.name.hasSuffix("(alone)")
        let checked = try CheckedFolder(files.mapValues { Data($0.utf8) }, isFile: isAlone)
        // A folder with nothing but an app's lists has no page.
        #expect(checked.failures.allSatisfy { $0.problem.text.hasPrefix("the folder contains no page") })
        #expect(checked.filed + checked.filedNotes.map { "note " + $0 } == field.findings, "\(checked.findings)")
    }

    @Test("an inline snippet's hash is added to what the default allows")
    func advice() throws {
        let page = """
            <meta http-equiv="Content-Security-Policy" content="default-src 'self' https://cdn.example 'none'">
            <a href="https://apps.apple.com/app/id1300230302" data-referrer="x">Get</a>
            """
        let checked = try CheckedFolder(["page.html": page + CopySnippet(format: .html(nonce: nil)).source])
        let message = try #require(checked.findings.first?.message.text)
        let start =
            "the default-src of this policy blocks the snippet; add a script-src with 'self' https://cdn.example and 'sha256-"
        #expect(message.hasPrefix(start), "\(message)")
    }
}
