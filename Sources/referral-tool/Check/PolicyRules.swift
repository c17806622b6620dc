/// What is wrong with a page's `Content-Security-Policy`.
enum PolicyRules {
    /// A page has one or two. All of them must allow a script.
    private static let policiesAtMost = 16

    /// What a policy says of a script.
    struct Answer {
        let content: HTMLElement.Attribute
        let policy: ContentPolicy
        let answer: ContentPolicy.Answer
        fileprivate let way: Way
    }

    static func blocking(_ page: CheckedPage) -> [Rule.Problem] {
        page.policyAnswers.filter { $0.answer == .blocked }.map {
            Rule.Problem(offset: $0.content.offset, message: message($0.policy, $0.way))
        }
    }

    /// How many policies hang on a hash that was not made.
    static func notLookedIntoCount(_ page: CheckedPage) -> Int {
        page.policyAnswers.count { $0.answer == .notLookedInto }
    }

    /// What each policy says of a snippet. A page's second one is a problem of its own.
    static func answers(_ page: HTMLPage, _ snippet: FoundSnippet?) -> [Answer] {
        guard let snippet, !page.policies.isEmpty else { return [] }
        let ways = snippet.ways.map { Way($0) }
        let nonce = snippet.element["nonce"]?.value ?? ""
        let integrity = ContentPolicy.digests(inIntegrity: snippet.element["integrity"]?.value ?? "")
        // A policy says nothing of what stands in front of it.
        return page.policies.prefix(policiesAtMost).filter { $0.offset < snippet.element.offset }.flatMap {
            content in
            let policy = ContentPolicy(content.value)
            let hasNonce = policy.allows(nonce: nonce)
            let isLoadedByHash = hasNonce || policy.allows(integrity: integrity)
            let answers = ways.map { way in
                let answer: ContentPolicy.Answer =
                    switch way {
                    case .inline(let hash): hasNonce ? .allowed : policy.allows(scriptOfHash: hash)
                    case .address(let reference): isLoadedByHash ? .allowed : policy.allows(reference)
                    }
                return Answer(content: content, policy: policy, answer: answer, way: way)
            }
            return answers.first { $0.answer == .blocked }.map { [$0] } ?? answers
        }
    }

    fileprivate enum Way {
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
