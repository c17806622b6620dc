/// Problems with a page's `Content-Security-Policy`.
enum PolicyRules {
    /// The maximum number of policies that are checked. A page has one or two.
    private static let maximumPolicies = 16

    /// The longest list of sources that a message repeats, in bytes.
    private static let maximumSources = 1_000

    /// The answer of a policy about a script.
    typealias Answer = (
        offset: Int, policy: ContentPolicy, answer: ContentPolicy.Answer, source: FoundSnippet.Source
    )

    static func blocking(_ page: CheckedPage) -> [Rule.Problem] {
        page.policyAnswers.filter { $0.answer == .blocked }.map { ($0.offset, message($0.policy, $0.source)) }
    }

    static func unclear(_ page: CheckedPage) -> [Rule.Problem] {
        page.policyAnswers.compactMap { offset, policy, answer, _ in
            guard case .unclear(let reason) = answer else { return nil }
            return (offset, "the \(name: policy.directive ?? "policy") of this policy \(reason)")
        }
    }

    /// A policy and its offset, which is `nil` for a policy of the page around a frame.
    typealias Policy = (offset: Int?, policy: ContentPolicy)

    static func policies(of page: HTMLPage) -> [Policy] {
        page.policies.prefix(maximumPolicies).map { ($0.offset, ContentPolicy($0.value)) }
    }

    private static let strictImport: Sentence =
        "has 'strict-dynamic' and a hash, which not all browsers extend to imports; give the script a nonce"

    /// The answers of all policies about a snippet. A second snippet on the page changes nothing.
    static func answers(_ policies: [Policy], _ snippet: FoundSnippet?) -> [Answer] {
        guard let snippet else { return [] }
        let nonce = snippet.element["nonce"]?.value ?? ""
        let integrity = ContentPolicy.digests(inIntegrity: snippet.element["integrity"]?.value ?? "")
        // A policy doesn't apply to elements before it.
        return policies.filter { $0.offset ?? -1 < snippet.element.offset }.compactMap { offset, policy in
            let hasNonce = policy.allows(nonce: nonce)
            let byIntegrity = policy.allows(integrity: integrity)
            // An import has the nonce, and not the integrity, of the element.
            let answers = snippet.sources.enumerated().map { index, source -> Answer in
                let answer: ContentPolicy.Answer =
                    switch source {
                    case _ where hasNonce: .allowed
                    case _ where index > 0 && policy.isStrict: .unclear(strictImport)
                    case .inline(let hash): policy.allows(scriptOfHash: hash)
                    case .address where index == 0 && byIntegrity != .blocked: byIntegrity
                    case .address(let reference): policy.allows(reference)
                    }
                return (offset ?? snippet.element.offset, policy, answer, source)
            }
            return answers.first { $0.answer == .blocked } ?? answers.first { $0.answer != .allowed }
        }
    }

    // MARK: - Messages

    private static func message(_ policy: ContentPolicy, _ source: FoundSnippet.Source) -> Sentence {
        let directive = policy.directive ?? "script-src"
        let start: Sentence = "the \(name: directive) of this policy blocks the snippet; "
        var isInline = false
        if case .inline = source { isInline = true }
        // Quotation marks don't help with 'none', and 'self' isn't about inline scripts.
        let useless: Set = isInline ? ["none", "self"] : ["none"]
        if let keyword = policy.unquotedKeyword, !useless.contains(keyword.asciiLowercased) {
            return start + "without quotation marks, \(name: keyword) is the name of a host: write '\(name: keyword)'"
        }
        let missing: Sentence =
            switch source {
            case .inline(let hash): "\(name: hash)"
            case _ where policy.isStrict: "a nonce that is also on the script"
            case .address(.remote(let address)):
                "the script's host, \(quoted: ContentPolicy.source(for: address.resolved))"
            case .address: "'self'"
            }
        guard directive == "default-src" else { return start + "its \(name: directive) needs \(missing)" }
        // A script-src replaces the default for scripts, and everything that the default allows.
        let allowed = policy.sources.filter { $0.asciiLowercased != "'none'" }.joined(separator: " ")
        let sources: Sentence =
            allowed.utf8.count > maximumSources ? "the sources of default-src" : "\(whole: allowed)"
        return start + "add a script-src with " + (sources.isEmpty ? "" : "\(sources) and ") + missing
    }
}
