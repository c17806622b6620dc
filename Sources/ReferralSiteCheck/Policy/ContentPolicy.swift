/// The part of a `Content-Security-Policy` that decides which scripts run, by the rules of CSP 3.
///
/// `Tests/Vectors/policies.json` has cases that browsers have judged.
final class ContentPolicy {
    enum Answer: Equatable {
        case allowed
        case blocked
        /// The answer depends on the site's host or the browser. The text says which source of the directive is the reason, and
        /// what to do.
        case unclear(Sentence)
    }

    /// The directive that decides, if any, and its sources.
    let directive: String?
    private(set) var sources: [String] = []

    // Each source is parsed once, however many scripts are checked.
    /// Keywords and schemes with their colons, in lowercase.
    private var names: Set<String> = []
    private var nonces: Set<String> = []
    private var digests: Set<String> = []
    private var hosts: [PolicyAddress] = []

    /// The first keyword without its quotation marks, which makes it the name of a host.
    private(set) var unquotedKeyword: String?

    /// Whether the policy has `'strict-dynamic'`, so that a script in the page's HTML needs a nonce or a hash.
    var isStrict: Bool { names.contains("'strict-dynamic'") }

    init(_ policy: String) {
        var directives: [String: Substring.UTF8View] = [:]
        // Browsers ignore a directive with other characters than ASCII.
        for part in policy.utf8.split(separator: ASCII.semicolon) where part.allSatisfy({ $0 < 0x80 }) {
            let part = part.drop(while: \.isHTMLSpace)
            let name = part.prefix { !$0.isHTMLSpace }
            // On a repeated name, the first directive counts.
            let key = name.lowercasedText
            if Self.directives.contains(key), directives[key] == nil { directives[key] = part[name.endIndex...] }
        }
        directive = Self.directives.first { directives[$0] != nil }
        guard let directive, let list = directives[directive] else { return }
        sources = list.split(whereSeparator: \.isHTMLSpace).map { String(Substring($0)) }
        for source in sources { add(source) }
    }

    /// The answer about a script of an element. An import has the nonce, and not the integrity, of the element.
    func answer(about source: FoundSnippet.Source, of element: HTMLElement, isImport: Bool) -> Answer {
        if directive == nil || nonces.contains(element["nonce"]?.value ?? "") { return .allowed }
        switch source {
        case _ where isImport && isStrict:
            return .unclear(
                "has 'strict-dynamic' and a hash, which not all browsers extend to imports; give the script a nonce"
            )
        case .inline(let hash): return allows(scriptOfHash: hash)
        case .address(let reference):
            let byIntegrity = isImport ? .blocked : allows(integrity: element["integrity"]?.value ?? "")
            return byIntegrity == .blocked && !isStrict ? allowsAddress(reference) : byIntegrity
        }
    }

    /// The source that allows an address: its host and port, or its scheme if it has no host.
    static func source(for address: String) -> String {
        let address = WebAddress(address)
        return address.authority.map { $0.utf8.lowercasedText } ?? "\(address.scheme ?? ""):"
    }

    /// The hash of a script, as a policy writes it.
    static func hash(of script: String) -> String {
        // A browser first replaces each line end with LF.
        SHA256.policySource(of: String(script.map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 }).utf8)
    }
}

// MARK: - Sources

private extension ContentPolicy {
    /// The directives in order of precedence.
    static let directives = ["script-src-elem", "script-src", "default-src"]

    static let padding: Sentence = "has a hash without the = at its end, which Firefox doesn't accept; add it"

    static let keywords: Set<String> = [
        "'self'", "'none'", "'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", "'unsafe-hashes'",
        "'strict-dynamic'", "'report-sample'",
    ]

    func add(_ source: String) {
        let lowercased = source.asciiLowercased
        if let nonce = Self.nonce(source) {
            nonces.insert(nonce)
        } else if let digest = Self.digest(source) {
            digests.insert(digest)
        } else if lowercased == "*" || lowercased.hasPrefix("'") || lowercased.hasSuffix(":") {
            names.insert(lowercased)
        } else {
            let quoted = "'\(source)'"
            let isKeyword =
                Self.keywords.contains(quoted.asciiLowercased) || Self.nonce(quoted) != nil
                || Self.digest(quoted) != nil
            if isKeyword { unquotedKeyword = unquotedKeyword ?? source } else { hosts.append(PolicyAddress(source)) }
        }
    }

    /// The nonce in a valid source.
    static func nonce(_ source: String) -> String? {
        guard source.asciiLowercased.hasPrefix("'nonce-"), source.hasSuffix("'") else { return nil }
        return CopySnippet.Nonce(String(source.dropFirst(7).dropLast()))?.text
    }

    /// A valid hash in the alphabet with `+` and `/`. A policy may mix both alphabets.
    static func digest(_ source: String) -> String? {
        let name = String(source.prefix(8)).asciiLowercased
        guard ["'sha256-", "'sha384-", "'sha512-"].contains(name), source.hasSuffix("'"),
            // The characters are those of a nonce.
            let digits = CopySnippet.Nonce(String(source.dropFirst(8).dropLast()))?.text
        else { return nil }
        return name + String(digits.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "'"
    }

    /// A hash without its padding.
    static func bare(_ digest: String) -> String { digest.filter { $0 != "=" } }

    /// Whether an inline script with a ``hash(of:)`` runs.
    func allows(scriptOfHash hash: String) -> Answer {
        let isSafe = isStrict || !digests.isEmpty || !nonces.isEmpty
        if names.contains("'unsafe-inline'") && !isSafe || digests.contains(hash) { return .allowed }
        if digests.contains(where: { Self.bare($0) == Self.bare(hash) }) { return .unclear(Self.padding) }
        return digests.contains { !$0.hasPrefix("'sha256-") }
            ? .unclear("has a SHA-384 or SHA-512, which was not checked") : .blocked
    }

    /// Whether an element may load a script because all hashes of its `integrity` are in the policy.
    func allows(integrity: String) -> Answer {
        let hashes = Set(
            integrity.utf8.split(whereSeparator: \.isHTMLSpace)
                .map { "'" + String(decoding: $0.prefix { $0 != ASCII.questionMark }, as: UTF8.self) + "'" }
                .compactMap(Self.digest)
        )
        guard !hashes.isEmpty else { return .blocked }
        if hashes.isSubset(of: digests) { return .allowed }
        return Set(hashes.map(Self.bare)).isSubset(of: digests.map(Self.bare)) ? .unclear(Self.padding) : .blocked
    }

    func allowsAddress(_ reference: Reference) -> Answer {
        guard case .remote(let remote) = reference else {
            if ["*", "'self'", "http:", "https:"].contains(where: names.contains) { return .allowed }
            // Somebody wrote self for the site's host, so no other host is.
            let isBlocked = hosts.isEmpty || unquotedKeyword?.asciiLowercased == "self"
            let ownHost: Sentence =
                "names hosts and not 'self'; if none of them is the site's own, it blocks the snippet: add 'self'"
            return isBlocked ? .blocked : .unclear(ownHost)
        }
        let target = PolicyAddress(remote)
        let isOnNetwork = target.scheme == "https" || target.scheme == "http"
        let schemes =
            ["\(target.scheme ?? ""):"] + (target.scheme == "https" ? ["http:"] : []) + (isOnNetwork ? ["*"] : [])
        if schemes.contains(where: names.contains) { return .allowed }
        let matching = hosts.filter { $0.matches(target) }
        if matching.contains(where: { $0.scheme != nil || $0.host != "*" || $0.port == nil }) { return .allowed }
        if !matching.isEmpty {
            return .unclear("has a * with a port and no scheme, which WebKit doesn't accept; write https:// before it")
        }
        guard isOnNetwork, names.contains("'self'") else { return .blocked }
        let host = Self.source(for: remote)
        return .unclear("blocks the snippet unless \(quoted: host) is the site's own host; add that host")
    }
}

/// The parts of an address, or of a host source, that a policy compares.
private final class PolicyAddress {
    let scheme: String?
    /// The host in lowercase.
    let host: String
    let port: String?
    /// The path without its escapes.
    let path: String

    init(_ text: String) {
        // A host source without a scheme begins with the host.
        let address = WebAddress(text.contains("://") ? text : "//" + text)
        scheme = address.scheme.map { $0.utf8.lowercasedText }
        let authority = address.authority ?? ""
        let colon = authority.utf8.lastIndex(of: ASCII.colon)
        host = authority[..<(colon ?? authority.endIndex)].utf8.lowercasedText
        port = colon.map { String(authority[$0...].dropFirst()) }
        path = PercentEncoding.decode(address.path.utf8)
    }

    /// Whether this is a source `[scheme://]host[:port][/path]` that allows an address.
    func matches(_ address: PolicyAddress) -> Bool {
        let isUpgrade = scheme == "http" && address.scheme == "https"
        guard scheme == nil || scheme == address.scheme || isUpgrade else { return false }
        let isSameHost =
            host == "*" || (host.hasPrefix("*.") ? address.host.hasSuffix(host.dropFirst()) : host == address.host)
        let defaultPort = ["https": "443", "http": "80"][address.scheme ?? ""]
        let addressPort = address.port ?? defaultPort
        let isSamePort =
            port == "*" || port == addressPort || port == nil && addressPort == defaultPort
            || isUpgrade && port == "80" && addressPort == "443"
        let isSamePath =
            path.isEmpty || path == "/" || (path.hasSuffix("/") ? address.path.hasPrefix(path) : path == address.path)
        return isSameHost && isSamePort && isSamePath
    }
}

extension SHA256 {
    /// The hash of a text, as a `Content-Security-Policy` writes it.
    package static func policySource(of text: some Collection<UInt8>) -> String {
        "'sha256-\(Base64.encode(digest(text), .standard))'"
    }
}

// MARK: - Answers

/// The answer of a page's policy about the scripts that lead to the snippet.
final class PolicyAnswer {
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
        let answers = snippet.sources.enumerated().map { index, source in
            (policy.answer(about: source, of: snippet.element, isImport: index > 0), source)
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
        var (isInline, missing): (Bool, Sentence) = (false, "'self'")
        switch source {
        case .inline(let hash): (isInline, missing) = (true, "\(name: hash)")
        case _ where policy.isStrict: missing = "a nonce that is also on the script"
        case .address(.remote(let address)):
            missing = "the script's host, \(quoted: ContentPolicy.source(for: address))"
        case .address: break
        }
        // Quotation marks don't help with 'none', and 'self' isn't about inline scripts.
        if let keyword = policy.unquotedKeyword, case let name = keyword.asciiLowercased, name != "none",
            !isInline || name != "self"
        {
            return start + "without quotation marks, \(name: keyword) is the name of a host: write '\(name: keyword)'"
        }
        guard directive == "default-src" else { return start + "its \(name: directive) needs \(missing)" }
        // A script-src replaces the default for scripts, and everything that the default allows.
        let allowed = policy.sources.filter { $0.asciiLowercased != "'none'" }.joined(separator: " ")
        return start + "add a script-src with " + (allowed.isEmpty ? "" : "\(reason: allowed) and ") + missing
    }
}
