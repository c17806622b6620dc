import Foundation
import ReferralBridge
import SiteCheck
import Testing

/// The rules, as data: a good page, and the mistakes that somebody could make on it.
struct MistakeTests {
    struct Mistake: CustomTestStringConvertible {
        /// The rule and the place, such as `no-link 3:14`; `fine` if nothing is wrong.
        let finding: String
        let right: String
        let wrong: String

        /// A mistake in the form of `mistakes.txt`.
        init?(_ text: Substring) {
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            guard lines.count == 3, lines[1].hasPrefix("- "), lines[2].hasPrefix("+") else { return nil }
            (finding, right) = (String(lines[0]), String(lines[1].dropFirst(2)))
            wrong = String(lines[2].dropFirst(2))
        }

        var testDescription: String { "\(finding): \(wrong)" }
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
        try CheckedFolder(["page.html": page, "other/referral-bridge.js": "404"], appID: 1_300_230_302)
    }

    @Test("each mistake is named with its rule and its place", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let good = try Self.file("page.html")
        #expect(good.components(separatedBy: mistake.right).count == 2, "what is replaced is on the page once")
        let checked = try checked(good.replacing(mistake.right, with: mistake.wrong))
        #expect(checked.broken == (mistake.finding == "fine" ? [] : [mistake.finding]), "\(checked.findings)")
    }

    @Test("the page without a mistake is silent")
    func good() throws {
        #expect(try checked(Self.file("page.html")).broken == [])
    }

    @Test("there is a mistake for each rule, and at least 40")
    func rules() {
        let rules = Self.mistakes.map { $0.finding.prefix { $0 != " " } }.filter { $0 != "fine" }
        #expect(Set(rules) == Set(Rule.all.map { $0.name[...] }) && rules.count >= 40)
    }
}
