/// Problems with a page's `Content-Security-Policy`.
enum PolicyRules {
    /// The number of policies that are checked. A page has one or two.
    private static let maximumPolicies = 16

    /// The answer of a policy on a script.
    typealias Answer = (
        content: HTMLElement.Attribute, policy: ContentPolicy, answer: ContentPolicy.Answer, source: FoundSnippet.Source
    )

    static func blocking(_ page: CheckedPage) -> [Rule.Problem] {
        page.policyAnswers.filter { $0.answer == .blocked }.map {
            ($0.content.offset, message($0.policy, $0.source))
        }
    }

    /// The answers of all policies on a snippet. The page's second snippet is a problem in itself.
    static func answers(_ page: HTMLPage, _ snippet: FoundSnippet?) -> [Answer] {
        guard let snippet, !page.policies.isEmpty else { return [] }
        let nonce = snippet.element["nonce"]?.value ?? ""
        let integrity = ContentPolicy.digests(inIntegrity: snippet.element["integrity"]?.value ?? "")
        // A policy doesn't apply to what comes before it.
        let policies = page.policies.prefix(maximumPolicies).filter { $0.offset < snippet.element.offset }
        return policies.flatMap { content in
            let policy = ContentPolicy(content.value)
            let hasNonce = policy.allows(nonce: nonce)
            let isLoadedByHash = hasNonce || policy.allows(integrity: integrity)
            let answers = snippet.sources.map { source -> Answer in
                let answer: ContentPolicy.Answer =
                    switch source {
                    case .inline(let hash): hasNonce ? .allowed : policy.allows(scriptOfHash: hash)
                    case .address(let reference): isLoadedByHash ? .allowed : policy.allows(reference)
                    }
                return (content, policy, answer, source)
            }
            return answers.first { $0.answer == .blocked }.map { [$0] } ?? answers
        }
    }

    private static func message(_ policy: ContentPolicy, _ source: FoundSnippet.Source) -> String {
        let missing =
            switch source {
            case .inline(let hash): hash
            case _ where policy.isStrict: "a nonce that the script has too"
            case .address(.remote(let address)):
                "the script's host, \(ContentPolicy.source(for: address.resolved).quoted)"
            case .address: "'self'"
            }
        return "the \(policy.directive ?? "policy") of this policy blocks the snippet; its script-src needs \(missing)"
    }
}
