/// What is wrong with the snippet on a page.
enum SnippetRules {
    typealias Problem = Rule.Problem

    static func missing(_ page: CheckedPage) -> [Problem] {
        guard let link = page.ours.first, page.snippets.found.isEmpty else { return [] }
        let unknown = page.snippets.unknownCount
        let hint =
            unknown == 0
            ? "" : " (\(unknown) \(unknown == 1 ? "script lies" : "scripts lie") where it cannot be looked for)"
        return [
            Problem(
                offset: link.element.offset,
                message: "this page has links with a referrer and no snippet\(hint); "
                    + "add what 'referral-tool snippet --format html' prints"
            )
        ]
    }

    static func second(_ page: CheckedPage) -> [Problem] {
        page.snippets.found.dropFirst().map { snippet in
            Problem(offset: snippet.element.offset, message: "this page has the snippet already; take this one out")
        }
    }

    static func other(_ page: CheckedPage) -> [Problem] {
        page.snippets.found.filter { $0.state == .other }.map { snippet in
            Problem(
                offset: snippet.element.offset,
                message: "this snippet is of another version than \(ReferralTool.version) or was changed; "
                    + "take the one that 'referral-tool snippet' prints"
            )
        }
    }
}
