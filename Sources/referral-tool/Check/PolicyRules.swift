/// What is wrong with a page's `Content-Security-Policy`.
enum PolicyRules {
    /// A page has one or two. All of them must allow a script.
    private static let policiesAtMost = 16

    static func blocking(_ page: CheckedPage) -> [Rule.Problem] {
        answers(page).compactMap { content, policy, answer, way in
            answer == .blocked ? Rule.Problem(offset: content.offset, message: message(policy, way)) : nil
        }
    }

    /// How many policies hang on a hash that was not made.
    static func notLookedIntoCount(_ page: CheckedPage) -> Int {
        answers(page).count { $0.answer == .notLookedInto }
    }

    /// What each policy says of the page's first snippet. A second one is a problem of its own.
    private static func answers(
        _ page: CheckedPage
    ) -> [(content: HTMLElement.Attribute, ContentPolicy, answer: ContentPolicy.Answer, way: Way)] {
        guard let snippet = page.snippets.found.first, !page.page.policies.isEmpty else { return [] }
        let ways = snippet.ways.map { Way($0) }
        let (nonce, integrity) = (snippet.element["nonce"]?.value, snippet.element["integrity"]?.value)
        // A policy says nothing of what stands in front of it.
        return page.page.policies.prefix(policiesAtMost).filter { $0.offset < snippet.element.offset }.flatMap {
            content in
            let policy = ContentPolicy(content.value)
            let answers = ways.map { way in
                let answer =
                    switch way {
                    case .inline(let hash): policy.allows(scriptOfHash: hash, nonce: nonce)
                    case .address(let reference): policy.allows(reference, nonce: nonce, integrity: integrity)
                    }
                return (content, policy, answer, way)
            }
            return answers.first { $0.2 == .blocked }.map { [$0] } ?? answers
        }
    }

    private enum Way {
        case inline(hash: String)
        case address(Reference)

        init(_ way: FoundSnippet.Way) {
            switch way {
            case .inline(let script): self = .inline(hash: ContentPolicy.hash(of: script))
            case .address(let reference): self = .address(reference)
            }
        }
    }

    private static func message(_ policy: ContentPolicy, _ way: Way) -> String {
        let source =
            switch way {
            case .inline(let hash): hash
            case _ where policy.isStrict: "a nonce that the script has too"
            case .address(.remote(let address)):
                "the script's host, \(ToolError.quoted(ContentPolicy.host(of: address)))"
            case .address: "'self'"
            }
        return
            "the \(policy.directive ?? "policy") of this policy blocks the snippet; let its script-src have \(source)"
    }
}
