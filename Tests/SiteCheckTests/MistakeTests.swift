import Foundation
import ReferralBridge
import ReferralSiteCheck
import Testing

/// The rules, as data: a good page and a good site, and the mistakes that somebody could make in their files.
struct MistakeTests {
    /// What somebody wrote in place of what a good file says, and what is said of it.
    struct Mistake: CustomTestStringConvertible {
        /// The findings, such as `no-link 3:14` or `note other-host App.entitlements 9:5`; `fine` if nothing is wrong, and the
        /// rule that might have something to say.
        let findings: [String]
        /// The changes in each file, whose name is empty for the good page. A file without one is missing.
        private(set) var files: [(name: String, changes: [(right: String, wrong: String)])] = []

        /// A mistake in the form of `mistakes.txt` and `site.txt`.
        init(_ text: Substring) {
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            let findings = lines.prefix { !"@-".utf8.contains($0.utf8.first ?? 0) }
            self.findings = findings.map { String($0) }
            var rest = lines[findings.endIndex...]
            while let line = rest.popFirst() {
                if line.hasPrefix("@ ") {
                    files.append((String(line.dropFirst(2)), []))
                } else {
                    if files.isEmpty { files.append(("", [])) }
                    let wrong = rest.popFirst() ?? ""
                    precondition(line.hasPrefix("- ") && wrong.hasPrefix("+"), "\(text)")
                    files[files.count - 1].changes.append((Self.text(line), Self.text(wrong)))
                }
            }
        }

        private static func text(_ line: Substring) -> String {
            String(line.dropFirst(2)).replacing("\\n", with: "\n").replacing("\\u{FEFF}", with: "\u{FEFF}")
        }

        /// The files with the mistake.
        func applied(to files: [String: String]) -> [String: String] {
            var files = files
            for (name, changes) in self.files {
                if changes.isEmpty { files[name] = nil }
                for (right, wrong) in changes {
                    #expect(files[name]?.components(separatedBy: right).count == 2, "what is replaced is there once")
                    files[name] = files[name]?.replacing(right, with: wrong)
                }
            }
            return files
        }

        /// What is expected: nothing of what only resembles a mistake.
        var expected: [String] { findings[0].hasPrefix("fine") ? [] : findings }

        var testDescription: String { "\(findings): \(files.flatMap(\.changes).map(\.wrong))" }
    }

    private static func file(_ name: String) -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }

    private static let pageMistakes: [Mistake] = file("mistakes.txt")[...].split(separator: "\n\n").filter {
        $0.contains("\n- ")
    }
    .map { Mistake($0) }

    private static let site: [Substring] = file("site.txt")[...].split(separator: "\n=====\n")

    private static let siteMistakes: [Mistake] = (site.last ?? "").split(separator: "\n\n").filter {
        $0.contains("\n@ ")
    }
    .map { Mistake($0) }

    /// The files of the good site.
    static let siteFiles: [String: String] = FieldTests.files(in: site.first ?? "")

    // MARK: A page

    private func checked(_ page: String) throws -> CheckedFolder {
        let files = [
            "page.html": page, "other/referral-bridge.js": "404", "other/index.html": "<p>",
            "other/old.js": "window.ReferralBridge = {}", "assets/app.js": "console.log('data-referrer')",
            "assets/index-3f2a.js": "const a=1;" + CopySnippet().source,
        ]
        return try CheckedFolder(files, appID: 1_300_230_302)
    }

    @Test("each mistake on a page is named with its rule and its place", arguments: pageMistakes)
    func page(_ mistake: Mistake) throws {
        let checked = try checked(mistake.applied(to: ["": Self.file("page.html")])[""] ?? "")
        let found = checked.broken + checked.noted.map { "note " + $0 }
        #expect(found == mistake.expected, "\(checked.findings) \(checked.notes)")
    }

    @Test("the page without a mistake is silent")
    func goodPage() throws {
        let checked = try checked(Self.file("page.html"))
        #expect(checked.broken == [])
        #expect(checked.noted == [])
    }

    // MARK: A site

    @Test("each mistake in a site's files is named with its rule, its file and its place", arguments: siteMistakes)
    func site(_ mistake: Mistake) throws {
        let checked = try CheckedFolder(mistake.applied(to: Self.siteFiles))
        // Notes may follow from a mistake. A banner is beside the links, and isn't a mistake here.
        let notes = checked.filedNotes.filter { !$0.hasPrefix("banner-beside") }.map { "note " + $0 }
        let areNotesExpected = mistake.expected.isEmpty || mistake.expected.contains { $0.hasPrefix("note ") }
        #expect(checked.filed + (areNotesExpected ? notes : []) == mistake.expected, "\(checked.findings)")
    }

    @Test("each rule has a case where it speaks and one where it is silent")
    func rules() {
        let findings = (Self.pageMistakes + Self.siteMistakes).flatMap(\.findings).map { $0.split(separator: " ") }
        let speaking = findings.filter { $0[0] != "fine" }.map { String($0[0] == "note" ? $0[1] : $0[0]) }
        let silent = findings.filter { $0[0] == "fine" && $0.count > 1 }.map { String($0[1]) }
        let rules = Set(Rule.all.map(\.name))
        // These are in tests of their own.
        let others = ["association-name", "association-size", "outside-link"]
        #expect(Set(speaking + others + ["no-page"]) == rules)
        #expect(Set(silent + others) == rules)
    }
}
