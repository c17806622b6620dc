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
    private let sources: [String]

    init(_ policy: String) {
        var directives: [String: [String]] = [:]
        for part in policy.utf8.split(separator: UInt8(ascii: ";")) {
            let words = part.split(whereSeparator: \.isHTMLSpace).map { String(decoding: $0, as: UTF8.self) }
            guard let name = words.first?.asciiLowercased else { continue }
            // The first of a name counts.
            if directives[name] == nil { directives[name] = Array(words.dropFirst()) }
        }
        directive = ["script-src-elem", "script-src", "default-src"].first { directives[$0] != nil }
        sources = directive.flatMap { directives[$0] } ?? []
    }

    /// Whether a script runs that stands in the page, by its ``hash(of:)``.
    func allows(scriptOfHash hash: String, nonce: String?) -> Answer {
        guard directive != nil else { return .allowed }
        let isSafe = isStrict || sources.contains { Self.isHash($0) || Self.isNonce($0) }
        if has("'unsafe-inline'"), !isSafe { return .allowed }
        if allows(nonce: nonce) { return .allowed }
        if sources.contains(where: { Self.isHash($0) && Self.digest($0) == hash }) { return .allowed }
        return sources.contains { $0.asciiLowercased.hasPrefix("'sha384-") || $0.asciiLowercased.hasPrefix("'sha512-") }
            ? .notLookedInto : .blocked
    }

    /// Whether a script runs that a page loads.
    func allows(_ reference: Reference, nonce: String?, integrity: String?) -> Answer {
        guard directive != nil else { return .allowed }
        if allows(nonce: nonce) || allows(integrity: integrity) { return .allowed }
        guard !isStrict else { return .blocked }
        return sources.contains { allows(reference, by: $0) } ? .allowed : .blocked
    }

    /// Whether only a nonce or a hash lets a script in that stands in the page's HTML.
    var isStrict: Bool { has("'strict-dynamic'") }

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
    func has(_ keyword: String) -> Bool { sources.contains { $0.asciiLowercased == keyword } }

    func allows(nonce: String?) -> Bool {
        guard let nonce, !nonce.isEmpty else { return false }
        return sources.contains { Self.isNonce($0) && $0.dropFirst(7).dropLast() == nonce }
    }

    /// Whether all hashes of an `integrity` stand among the sources.
    func allows(integrity: String?) -> Bool {
        let hashes = (integrity ?? "").utf8.split(whereSeparator: \.isHTMLSpace)
            .map { "'" + String(decoding: $0.prefix { $0 != .questionMark }, as: UTF8.self) + "'" }
            .filter(Self.isHash)
        let known = Set(sources.filter(Self.isHash).map(Self.digest))
        return !hashes.isEmpty && hashes.allSatisfy { known.contains(Self.digest($0)) }
    }

    func allows(_ reference: Reference, by source: String) -> Bool {
        let source = source.asciiLowercased
        switch source {
        // The page's own origin may be any.
        case "*", "'self'": return true
        case "https:", "http:":
            guard case .remote(let address) = reference else { return true }
            let scheme = Self.scheme(of: address)
            return scheme == "https" || scheme == "http" && source == "http:"
        case _ where source.hasPrefix("'"): return false
        case _ where source.hasSuffix(":"):
            guard case .remote(let address) = reference else { return false }
            return Self.scheme(of: address) + ":" == source
        default:
            guard case .remote(let address) = reference else { return true }
            return Self.matches(address, source)
        }
    }

    /// Whether an address lies where a host-source says: `[scheme://]host[:port][/path]`.
    static func matches(_ address: String, _ source: String) -> Bool {
        let (address, source) = (PolicyAddress(address), PolicyAddress(source))
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

    static func isNonce(_ source: String) -> Bool {
        source.asciiLowercased.hasPrefix("'nonce-") && source.hasSuffix("'") && source.utf8.count > 8
    }

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
        let parts = address.split(separator: "://", maxSplits: 1)
        scheme = parts.count == 2 ? String(parts[0]).asciiLowercased : nil
        let rest = parts.last ?? ""
        let authority = rest.prefix { !"/?#".contains($0) }
        path = String(rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" })
        let colon = authority.lastIndex(of: ":")
        host = String(authority[..<(colon ?? authority.endIndex)]).asciiLowercased
        port = colon.map { String(authority[authority.index(after: $0)...]) }
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
