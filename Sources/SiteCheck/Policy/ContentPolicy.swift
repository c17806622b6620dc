import ReferralBridge

/// The part of a `Content-Security-Policy` that decides which scripts run, by the rules of CSP 3.
///
/// The page's origin and the targets of redirects aren't known. Anything that depends on them counts as allowed.
struct ContentPolicy {
    enum Answer {
        case allowed
        case blocked
        /// The answer depends on a SHA-384 or SHA-512, which aren't computed here.
        case unknown
    }

    /// The directive that decides, if any.
    let directive: String?

    // Each source is parsed once, however many scripts are checked.
    /// Keywords and schemes with their colons, in lowercase.
    private var names: Set<String> = []
    private var nonces: Set<String> = []
    private var digests: Set<String> = []
    private var hasOtherDigests = false
    private var hosts: [PolicyAddress] = []

    /// Whether the policy has `'strict-dynamic'`, so that a script in the page's HTML needs a nonce or a hash.
    var isStrict: Bool { names.contains("'strict-dynamic'") }

    init(_ policy: String) {
        var directives: [String: Substring.UTF8View] = [:]
        for part in policy.utf8.split(separator: ASCII.semicolon) {
            let part = part.drop(while: \.isHTMLSpace)
            let name = part.prefix { !$0.isHTMLSpace }
            // On a repeated name, the first directive counts.
            let key = name.lowercasedText
            if Self.directives.contains(key), directives[key] == nil { directives[key] = part[name.endIndex...] }
        }
        directive = Self.directives.first { directives[$0] != nil }
        guard let directive, let sources = directives[directive] else { return }
        for source in sources.split(whereSeparator: \.isHTMLSpace) { add(String(decoding: source, as: UTF8.self)) }
    }

    /// Whether an inline script with a ``hash(of:)`` runs.
    func allows(scriptOfHash hash: String) -> Answer {
        guard directive != nil else { return .allowed }
        let isSafe = isStrict || !digests.isEmpty || !nonces.isEmpty
        if names.contains("'unsafe-inline'") && !isSafe || digests.contains(hash) { return .allowed }
        return hasOtherDigests ? .unknown : .blocked
    }

    /// Whether a script that the page loads runs.
    func allows(_ reference: Reference) -> Answer {
        guard directive != nil else { return .allowed }
        guard !isStrict else { return .blocked }
        return allowsAddress(reference) ? .allowed : .blocked
    }

    /// Whether an element with a nonce may load scripts.
    func allows(nonce: String) -> Bool { nonces.contains(nonce) }

    /// Whether an element may load scripts because all hashes of its `integrity` are in the policy.
    func allows(integrity: Set<String>) -> Bool { !integrity.isEmpty && integrity.isSubset(of: digests) }

    /// The hashes of an `integrity`, as a policy writes them.
    static func digests(inIntegrity integrity: String) -> Set<String> {
        let hashes = integrity.utf8.split(whereSeparator: \.isHTMLSpace)
            .map { "'" + String(decoding: $0.prefix { $0 != ASCII.questionMark }, as: UTF8.self) + "'" }
        return Set(hashes.filter(isHash).map(digest))
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

private extension ContentPolicy {
    /// The directives in order of precedence.
    static let directives = ["script-src-elem", "script-src", "default-src"]

    mutating func add(_ source: String) {
        let lowercased = source.asciiLowercased
        if lowercased.hasPrefix("'nonce-"), lowercased.hasSuffix("'"), source.utf8.count > 8 {
            nonces.insert(String(source.dropFirst(7).dropLast()))
        } else if Self.isHash(source) {
            digests.insert(Self.digest(source))
        } else if lowercased == "*" || lowercased.hasPrefix("'") || lowercased.hasSuffix(":") {
            names.insert(lowercased)
        } else {
            hosts.append(PolicyAddress(lowercased))
        }
        if ["'sha384-", "'sha512-"].contains(where: lowercased.hasPrefix) { hasOtherDigests = true }
    }

    func allowsAddress(_ reference: Reference) -> Bool {
        if names.contains("*") || names.contains("'self'") { return true }
        guard case .remote(let remote) = reference else {
            return names.contains("http:") || names.contains("https:") || !hosts.isEmpty
        }
        let address = remote.resolved
        let scheme = WebAddress(address).scheme.map { $0.utf8.lowercasedText } ?? ""
        if names.contains(scheme + ":") || scheme == "https" && names.contains("http:") { return true }
        let target = PolicyAddress(address)
        return hosts.contains { Self.matches(target, $0) }
    }

    /// Whether an address matches a host source: `[scheme://]host[:port][/path]`.
    static func matches(_ address: PolicyAddress, _ source: PolicyAddress) -> Bool {
        guard
            source.scheme == nil || source.scheme == address.scheme
                || source.scheme == "http" && address.scheme == "https"
        else { return false }
        let isSameHost =
            source.host.hasPrefix("*.") ? address.host.hasSuffix(source.host.dropFirst()) : source.host == address.host
        let ports = ["https": "443", "http": "80"]
        let port = address.port ?? ports[address.scheme ?? ""]
        let isSamePort =
            source.port == "*" || source.port == port
            || (source.port == nil || source.port == "80") && port == ports[address.scheme ?? ""]
        let isSamePath =
            source.path.isEmpty || source.path == "/"
            || (source.path.hasSuffix("/") ? address.path.hasPrefix(source.path) : source.path == address.path)
        return isSameHost && isSamePort && isSamePath
    }

    /// Whether a source is a hash.
    static func isHash(_ source: String) -> Bool {
        let source = source.asciiLowercased
        return source.hasSuffix("'") && ["'sha256-", "'sha384-", "'sha512-"].contains { source.hasPrefix($0) }
    }

    /// A hash in the alphabet with `+` and `/`. A policy may mix both alphabets.
    static func digest(_ source: String) -> String {
        let name = source.prefix(8).lowercased()
        let digits = source.dropFirst(8).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return name + String(digits)
    }
}

/// The parts of an address, or of a host source, that a policy compares.
private struct PolicyAddress {
    let scheme: String?
    /// The host in lowercase.
    let host: String
    let port: String?
    let path: String

    init(_ text: String) {
        // A host source without a scheme begins with the host.
        let address = WebAddress(text.contains("://") ? text : "//" + text)
        scheme = address.scheme.map { $0.utf8.lowercasedText }
        let authority = address.authority ?? ""
        let colon = authority.utf8.lastIndex(of: ASCII.colon)
        host = authority[..<(colon ?? authority.endIndex)].utf8.lowercasedText
        port = colon.map { String(authority[$0...].dropFirst()) }
        path = String(address.path)
    }
}
