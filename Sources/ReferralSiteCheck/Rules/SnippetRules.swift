extension Rule {
    /// Problems with the snippet on a page, and with what keeps it from running.
    @RuleList static var snippets: [Rule] {
        Rule("no-snippet", "links with a referrer on a page without the snippet") { page in
            guard let link = page.referrerLinks.first, page.snippets.found.isEmpty, page.snippets.inert.isEmpty else {
                return []
            }
            let message: Sentence =
                "this page has links with a referrer and no snippet; "
                + "add the output of 'referral-tool snippet --format html'"
            return [Problem(link.element.offset, message)]
        }
        Rule("missing-file", "a snippet whose file doesn't exist or is something else") { page in
            page.snippets.found.compactMap { snippet in
                guard case .unreadable(let path, let problem) = snippet.state,
                    page.placeholder(inAddressOf: snippet.element) == nil
                else { return nil }
                let message: Sentence =
                    "the snippet can't be read from \(quoted: path): \(problem); add the file or correct the address"
                return Problem(snippet.element.offset, message)
            }
        }
        Rule("inert-snippet", "a snippet of a type that no browser runs, such as text/plain", \.snippets.inert) {
            element,
            _ in
            "a browser doesn't run this snippet, because of its type \(quoted: element["type"]?.value ?? ""), "
                + "so its links copy nothing; remove the type, also from a consent manager's settings"
        }
        Rule("other-snippet", "a note: a snippet that lacks parts of this version's", isNote: true) {
            $0.snippets.found.filter { $0.state == .other }.map(\.element)
        } message: { _, page in
            "this snippet lacks parts of version \(name: page.version)'s: it is another version, or was changed; "
                + "replace it with the output of 'referral-tool snippet'"
        }
        Rule("policy", "a Content-Security-Policy that blocks the snippet, or may: a note") { page in
            page.policyAnswers.compactMap { answer in
                if case .unclear(let reason) = answer.answer {
                    let directive = answer.policy.directive ?? "policy"
                    return Problem(answer.offset, "the \(name: directive) of this policy \(reason)", isNote: true)
                }
                return answer.answer == .blocked ? Problem(answer.offset, answer.message) : nil
            }
        }
        Rule("unclosed", "a comment, tag or script that is never closed") { page in
            let message: Sentence = "this is never closed, so it includes the rest of the page; close it"
            return page.page.unclosed.map { [Problem($0, message)] } ?? []
        }
    }
}
