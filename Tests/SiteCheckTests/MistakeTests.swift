import Foundation
import ReferralBridge
import ReferralSiteCheck
import Testing

/// The rules, as data: a good page, and the mistakes that somebody could make on it.
struct MistakeTests {
    struct Mistake: CustomTestStringConvertible {
        /// The rule and the place, such as `no-link 3:14` or `note no-page 1:1`; `fine` if nothing is wrong, and the rule that
        /// might have something to say.
        let finding: String
        /// What the good page says, and what somebody wrote instead.
        private(set) var changes: [(right: String, wrong: String)] = []

        /// A mistake in the form of `mistakes.txt`.
        init?(_ text: Substring) {
            var lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }[...]
            finding = lines.popFirst().map(String.init) ?? ""
            while let right = lines.popFirst() {
                guard right.hasPrefix("- "), let wrong = lines.popFirst(), wrong.hasPrefix("+") else { return nil }
                changes.append((String(right.dropFirst(2)), String(wrong.dropFirst(2))))
            }
        }

        var testDescription: String { "\(finding): \(changes.map(\.wrong))" }
    }

    private static func file(_ name: String) throws -> String {
        try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: name),
            encoding: .utf8
        )
    }

    private static let mistakes: [Mistake] = {
        let blocks = ((try? file("mistakes.txt")) ?? "").split(separator: "\n\n").filter { $0.contains("\n- ") }
        let mistakes = blocks.compactMap(Mistake.init)
        precondition(mistakes.count == blocks.count)
        return mistakes
    }()

    private func checked(_ page: String) throws -> CheckedFolder {
        let link = #"<a href="https://apps.apple.com/app/id1300230302" target="_blank" data-referrer="frame">"#
        let files = [
            "page.html": page, "other/referral-bridge.js": "404", "other/index.html": "<p>",
            "other/old.js": "window.ReferralBridge = {}", "assets/app.js": "console.log('data-referrer')",
            "assets/index-3f2a.js": "const a=1;" + CopySnippet(isMinified: true).source,
            "frame.html": #"<script src="referral-bridge.js"></script>"# + link,
        ]
        return try CheckedFolder(files, appID: 1_300_230_302)
    }

    @Test("each mistake is named with its rule and its place", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        var page = try Self.file("page.html")
        for (right, wrong) in mistake.changes {
            #expect(page.components(separatedBy: right).count == 2, "what is replaced is on the page once")
            page = page.replacing(right, with: wrong)
        }
        let checked = try checked(page)
        let found = checked.broken + checked.noted.map { "note " + $0 }
        #expect(
            found == (mistake.finding.hasPrefix("fine") ? [] : [mistake.finding]),
            "\(checked.findings) \(checked.notes)"
        )
    }

    @Test("the page without a mistake is silent")
    func good() throws {
        let checked = try checked(Self.file("page.html"))
        #expect(checked.broken == [])
        #expect(checked.noted == [])
    }

    @Test("each rule has a page where it speaks and one where it is silent")
    func rules() {
        let words = Self.mistakes.map { $0.finding.split(separator: " ").map(String.init) }
        let speaking = words.filter { $0[0] != "fine" }.map { $0[0] == "note" ? $0[1] : $0[0] }
        let silent = words.filter { $0[0] == "fine" && $0.count > 1 }.map { $0[1] }
        let rules = Set(Rule.all.map(\.name))
        #expect(Set(speaking + SiteTests.speaking) == rules)
        #expect(Set(silent + SiteTests.silent) == rules)
    }
}
