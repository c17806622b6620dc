/// The part of a `Content-Security-Policy` that says which scripts run, by CSP 3's rules.
///
/// The page's own origin is not known, nor which response a redirect ends with: what hangs on them is taken to be allowed.
struct ContentPolicy {
    enum Answer {
        case allowed
        case blocked
        /// It hangs on a hash that this command does not make, SHA-384 or SHA-512.
        case notLookedInto
    }

    /// The directive that decides; `nil` where none does.
    let directive: String?

    /// Whether only a nonce or a hash lets a script in that stands in the page's HTML.
    private(set) var isStrict = false

    // What the sources come down to, so that each is read once, however many scripts a policy is asked about.
    private var letsAnyInline = false
    private var letsOwnOrigin = false
    private var letsHTTP = false
    private var letsHTTPS = false
    private var nonces: Set<String> = []
    private var digests: Set<String> = []
    private var hasOtherDigests = false
    /// Schemes, with their colon.
    private var schemes: Set<String> = []
    private var hosts: [PolicyAddress] = []

    init(_ policy: String) {
        var directives: [String: Substring.UTF8View] = [:]
        for part in policy.utf8.split(separator: UInt8(ascii: ";")) {
            let part = part.drop(while: \.isHTMLSpace)
            let name = part.prefix { !$0.isHTMLSpace }
            // The first of a name counts.
            let key = name.lowercasedText
            if Self.directives.contains(key), directives[key] == nil { directives[key] = part[name.endIndex...] }
        }
        directive = Self.directives.first { directives[$0] != nil }
        guard let directive, let sources = directives[directive] else { return }
        for source in sources.split(whereSeparator: \.isHTMLSpace) { take(String(decoding: source, as: UTF8.self)) }
    }

    /// Whether a script runs that stands in the page, by its ``hash(of:)``.
    func allows(scriptOfHash hash: String) -> Answer {
        guard directive != nil else { return .allowed }
        let isSafe = isStrict || !digests.isEmpty || !nonces.isEmpty
        if letsAnyInline && !isSafe || digests.contains(hash) { return .allowed }
        return hasOtherDigests ? .notLookedInto : .blocked
    }

    /// Whether a script runs that a page loads.
    func allows(_ reference: Reference) -> Answer {
        guard directive != nil else { return .allowed }
        guard !isStrict else { return .blocked }
        return lets(reference) ? .allowed : .blocked
    }

    /// Whether an element with a nonce may load any script.
    func allows(nonce: String) -> Bool { nonces.contains(nonce) }

    /// Whether an element may load any script by the hashes of its `integrity`, all of which stand among the sources.
    func allows(integrity: Set<String>) -> Bool { !integrity.isEmpty && integrity.isSubset(of: digests) }

    /// The hashes of an `integrity` as policies have them.
    static func digests(inIntegrity integrity: String) -> Set<String> {
        let hashes = integrity.utf8.split(whereSeparator: \.isHTMLSpace)
            .map { "'" + String(decoding: $0.prefix { $0 != .questionMark }, as: UTF8.self) + "'" }
        return Set(hashes.filter(isHash).map(digest))
    }

    /// The host of an address, with its port.
    static func host(of address: String) -> String {
        let address = PolicyAddress(address)
        return address.host + (address.port.map { ":" + $0 } ?? "")
    }

    /// The hash of a script as a policy has it.
    static func hash(of script: String) -> String {
        // A browser reads each line end as LF before anything else.
        "'sha256-\(Base64.encode(SHA256.digest(script.replacingLineEnds)))'"
    }
}

private extension ContentPolicy {
    /// In the order in which they decide.
    static let directives = ["script-src-elem", "script-src", "default-src"]

    mutating func take(_ source: String) {
        let lowercased = source.asciiLowercased
        switch lowercased {
        // The page's own origin may be any.
        case "*", "'self'": letsOwnOrigin = true
        case "https:": letsHTTPS = true
        case "http:": letsHTTP = true
        case "'unsafe-inline'": letsAnyInline = true
        case "'strict-dynamic'": isStrict = true
        case _ where Self.isNonce(lowercased): nonces.insert(String(source.dropFirst(7).dropLast()))
        case _ where Self.isHash(lowercased):
            digests.insert(Self.digest(source))
        case _ where lowercased.hasPrefix("'"): break
        case _ where lowercased.hasSuffix(":"): schemes.insert(lowercased)
        default: hosts.append(PolicyAddress(lowercased))
        }
        if ["'sha384-", "'sha512-"].contains(where: lowercased.hasPrefix) { hasOtherDigests = true }
    }

    func lets(_ reference: Reference) -> Bool {
        if letsOwnOrigin { return true }
        guard case .remote(let address) = reference else { return letsHTTP || letsHTTPS || !hosts.isEmpty }
        let scheme = Self.scheme(of: address)
        if scheme == "https" && (letsHTTP || letsHTTPS) || scheme == "http" && letsHTTP { return true }
        if schemes.contains(scheme + ":") { return true }
        let place = PolicyAddress(address)
        return hosts.contains { Self.matches(place, $0) }
    }

    /// Whether an address lies where a host-source says: `[scheme://]host[:port][/path]`.
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

    static func scheme(of address: String) -> String {
        String(decoding: address.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).asciiLowercased
    }

    /// Whether a source in lower case is a nonce.
    static func isNonce(_ source: String) -> Bool {
        source.hasPrefix("'nonce-") && source.hasSuffix("'") && source.utf8.count > 8
    }

    /// Whether a source is a hash.
    static func isHash(_ source: String) -> Bool {
        let source = source.asciiLowercased
        return source.hasSuffix("'") && ["'sha256-", "'sha384-", "'sha512-"].contains { source.hasPrefix($0) }
    }

    /// A hash in the one of the alphabets that has `+` and `/`; they may be mixed.
    static func digest(_ source: String) -> String {
        let name = source.prefix(8).lowercased()
        let digits = source.dropFirst(8).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return name + String(digits)
    }
}

/// An address as a policy compares it.
private struct PolicyAddress {
    let scheme: String?
    /// In lower case.
    let host: String
    let port: String?
    let path: String

    init(_ address: String) {
        let bytes = Array(address.utf8)
        var (head, rest) = (bytes[..<0], bytes[...])
        if let mark = bytes.position(of: Array("://".utf8), from: 0) {
            (head, rest) = (bytes[..<mark], bytes[(mark + 3)...])
        }
        if rest.isEmpty { (head, rest) = ([], head) }
        scheme = head.isEmpty ? nil : head.lowercasedText
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        let path = rest[authority.endIndex...].prefix { !"?#".utf8.contains($0) }
        let colon = authority.lastIndex(of: UInt8(ascii: ":"))
        host = authority[..<(colon ?? authority.endIndex)].lowercasedText
        port = colon.map { String(decoding: authority[($0 + 1)...], as: UTF8.self) }
        self.path = String(decoding: path, as: UTF8.self)
    }
}

extension String {
    /// The text with LF for each CRLF and CR.
    var replacingLineEnds: [UInt8] {
        var text: [UInt8] = []
        var isBehindReturn = false
        for byte in utf8 {
            if byte == .carriageReturn {
                text.append(.lineFeed)
            } else if byte != .lineFeed || !isBehindReturn {
                text.append(byte)
            }
            isBehindReturn = byte == .carriageReturn
        }
        return text
    }
}
