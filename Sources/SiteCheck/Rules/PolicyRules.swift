import ReferralBridge

/// Problems with a page's `Content-Security-Policy`.
enum PolicyRules {
    /// The maximum number of policies that are checked. A page has one or two.
    private static let maximumPolicies = 16

    /// The answer of a policy about a script.
    typealias Answer = (
        offset: Int, policy: ContentPolicy, answer: ContentPolicy.Answer, source: FoundSnippet.Source
    )

    static func blocking(_ page: CheckedPage) -> [Rule.Problem] {
        page.policyAnswers.filter { $0.answer == .blocked }.map {
            ($0.offset, message($0.policy, $0.source))
        }
    }

    /// A policy and its offset, which is `nil` for a policy of the page around a frame.
    typealias Policy = (offset: Int?, policy: ContentPolicy)

    static func policies(of page: HTMLPage) -> [Policy] {
        page.policies.prefix(maximumPolicies).map { ($0.offset, ContentPolicy($0.value)) }
    }

    /// The answers of all policies about a snippet. A second snippet on the page is a separate problem.
    static func answers(_ policies: [Policy], _ snippet: FoundSnippet?) -> [Answer] {
        guard let snippet else { return [] }
        let nonce = snippet.element["nonce"]?.value ?? ""
        let integrity = ContentPolicy.digests(inIntegrity: snippet.element["integrity"]?.value ?? "")
        // A policy doesn't apply to elements before it.
        return policies.filter { $0.offset ?? -1 < snippet.element.offset }.flatMap { offset, policy in
            let hasNonce = policy.allows(nonce: nonce)
            let isLoadedByHash = hasNonce || policy.allows(integrity: integrity)
            let answers = snippet.sources.map { source -> Answer in
                let answer: ContentPolicy.Answer =
                    switch source {
                    case .inline(let hash): hasNonce ? .allowed : policy.allows(scriptOfHash: hash)
                    case .address(let reference): isLoadedByHash ? .allowed : policy.allows(reference)
                    }
                return (offset ?? snippet.element.offset, policy, answer, source)
            }
            return answers.first { $0.answer == .blocked }.map { [$0] } ?? answers
        }
    }

    private static func message(_ policy: ContentPolicy, _ source: FoundSnippet.Source) -> String {
        let missing =
            switch source {
            case .inline(let hash): hash
            case _ where policy.isStrict: "a nonce that is also on the script"
            case .address(.remote(let address)):
                "the script's host, \(ContentPolicy.source(for: address.resolved).quoted)"
            case .address: "'self'"
            }
        return "the \(policy.directive ?? "policy") of this policy blocks the snippet; its script-src needs \(missing)"
    }
}
