/// The answer of a page's policy about the scripts that lead to the snippet.
struct PolicyAnswer {
    /// The longest list of sources that a message repeats, in bytes.
    private static let maximumSources = 1_000

    private static let strictImport: Sentence =
        "has 'strict-dynamic' and a hash, which not all browsers extend to imports; give the script a nonce"

    let offset: Int
    let policy: ContentPolicy
    let answer: ContentPolicy.Answer
    /// The script that the answer is about.
    let source: FoundSnippet.Source

    /// Asks the policy in an attribute about a snippet; `nil` if it allows all scripts.
    init?(_ content: HTMLElement.Attribute, about snippet: FoundSnippet) {
        // A policy doesn't apply to elements before it.
        guard content.offset < snippet.element.offset else { return nil }
        let policy = ContentPolicy(content.value)
        let hasNonce = policy.allows(nonce: snippet.element["nonce"]?.value ?? "")
        let byIntegrity = policy.allows(
            integrity: ContentPolicy.digests(inIntegrity: snippet.element["integrity"]?.value ?? "")
        )
        // An import has the nonce, and not the integrity, of the element.
        let answers = snippet.sources.enumerated().map { index, source -> (ContentPolicy.Answer, FoundSnippet.Source) in
            let answer: ContentPolicy.Answer =
                switch source {
                case _ where hasNonce: .allowed
                case _ where index > 0 && policy.isStrict: .unclear(Self.strictImport)
                case .inline(let hash): policy.allows(scriptOfHash: hash)
                case .address where index == 0 && byIntegrity != .blocked: byIntegrity
                case .address(let reference): policy.allows(reference)
                }
            return (answer, source)
        }
        guard let first = answers.first(where: { $0.0 == .blocked }) ?? answers.first(where: { $0.0 != .allowed })
        else { return nil }
        offset = content.offset
        self.policy = policy
        (answer, source) = first
    }

    /// What the policy needs, if it blocks the script.
    var message: Sentence {
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
            allowed.utf8.count > Self.maximumSources ? "the sources of default-src" : "\(whole: allowed)"
        return start + "add a script-src with " + (sources.isEmpty ? "" : "\(sources) and ") + missing
    }
}
