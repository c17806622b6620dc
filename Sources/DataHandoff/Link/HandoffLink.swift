import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A message that one app sends to the other in an address that opens it.
///
/// An address has the other app's own scheme, as in `trestle://handoff?n=…&h=…`, or is a universal link, as in
/// `https://example.com/handoff?n=…&h=…`.
public enum HandoffLink: Sendable, Equatable {
    /// The receiver asks for the data: `handoff-request?n=NONCE&k=PUBLICKEY`. Without a key, the answer may be open.
    case request(nonce: Data, publicKey: Data?)

    /// The sender's package: `handoff?n=NONCE&h=PACKAGE`. Without a nonce, it isn't the answer to a request.
    case answer(nonce: Data?, package: Data)

    /// The receiver has the data: `handoff-receipt?n=NONCE&d=SHA256&m=PROOF`, with the digest of the manifest in hexadecimal
    /// digits. After an open answer, there is no proof.
    case receipt(nonce: Data, digest: String, proof: Data?)

    /// The longest address, in bytes. WebKit refuses addresses over 2 MB, and system code has trouble before that.
    public static let maximumLength = 1_000_000

    static let nonceLength = 16
    static let publicKeyLength = 32

    /// Reads an address.
    ///
    /// If an item is repeated, the last one counts. Nothing is percent-decoded.
    ///
    /// - Parameters:
    ///   - address: The address that the app was opened with.
    ///   - scheme: The app's own scheme, in any letter case.
    ///   - domain: The domain of the app's universal links, in any letter case. Without a scheme and a domain, any are accepted.
    /// - Returns: The message.
    /// - Throws: ``HandoffError/notALink``, ``HandoffError/linkTooLong``, ``HandoffError/missingPayload`` or
    ///   ``HandoffError/malformedPayload``.
    public static func parse(
        _ address: String,
        scheme: String? = nil,
        domain: String? = nil
    ) throws(HandoffError) -> HandoffLink {
        let parts = AddressParts(address)
        guard let kind = Kind.allCases.first(where: { parts.is($0.rawValue, scheme: scheme, domain: domain) }) else {
            throw .notALink
        }
        guard address.utf8.count <= maximumLength else { throw .linkTooLong }
        func item(_ name: String) -> Substring.UTF8View? {
            let item = parts.query.utf8.split(separator: ASCII.ampersand).last { $0.starts(with: (name + "=").utf8) }
            return item.map { $0.dropFirst(2) }
        }
        func required(_ name: String) throws(HandoffError) -> Substring.UTF8View {
            guard let value = item(name), !value.isEmpty else { throw .missingPayload }
            return value
        }
        // An empty item isn't a missing one: an empty key would ask for an open answer.
        func bytes(_ name: String, _ count: Int) throws(HandoffError) -> Data? {
            guard let value = item(name) else { return nil }
            let bytes = try Base64URL.decode(value)
            guard bytes.count == count else { throw .malformedPayload }
            return bytes
        }
        func requiredNonce() throws(HandoffError) -> Data {
            guard let nonce = try bytes("n", nonceLength) else { throw .missingPayload }
            return nonce
        }
        switch kind {
        case .answer:
            let package = try required("h")
            return .answer(nonce: try bytes("n", nonceLength), package: try Base64URL.decode(package))
        case .request:
            return .request(nonce: try requiredNonce(), publicKey: try bytes("k", publicKeyLength))
        case .receipt:
            let digest = String(Substring(try required("d")))
            guard HandoffManifest.isDigest(digest) else { throw .malformedPayload }
            let nonce = try requiredNonce()
            return .receipt(nonce: nonce, digest: digest, proof: try bytes("m", Exchange.proofLength))
        }
    }

    /// Returns the address that brings the message to the app with a scheme.
    ///
    /// - Throws: ``HandoffError/linkTooLong``.
    public func address(scheme: String) throws(HandoffError) -> String { try address(after: scheme + "://") }

    /// Returns the universal link that brings the message to an app that is associated with a domain.
    ///
    /// - Throws: ``HandoffError/linkTooLong``.
    public func address(domain: String) throws(HandoffError) -> String { try address(after: "https://\(domain)/") }

    private func address(after start: String) throws(HandoffError) -> String {
        var items: [(name: String, value: String)] = []
        switch self {
        case .request(let nonce, let publicKey):
            items = [("n", Base64URL.encode(nonce))]
            if let publicKey { items.append(("k", Base64URL.encode(publicKey))) }
        case .answer(let nonce, let package):
            if let nonce { items = [("n", Base64URL.encode(nonce))] }
            items.append(("h", Base64URL.encode(package)))
        case .receipt(let nonce, let digest, let proof):
            items = [("n", Base64URL.encode(nonce)), ("d", digest)]
            if let proof { items.append(("m", Base64URL.encode(proof))) }
        }
        let query = items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let address = "\(start)\(kind.rawValue)?\(query)"
        guard address.utf8.count <= Self.maximumLength else { throw .linkTooLong }
        return address
    }
}

extension HandoffLink {
    /// The kinds of messages, and their names in an address.
    enum Kind: String, CaseIterable {
        case answer = "handoff"
        case request = "handoff-request"
        case receipt = "handoff-receipt"
    }

    var kind: Kind {
        switch self {
        case .answer: .answer
        case .request: .request
        case .receipt: .receipt
        }
    }
}

/// An address, cut at its marks and not decoded.
struct AddressParts {
    let scheme: Substring
    /// The host and the path.
    let location: Substring
    let query: Substring

    init(_ address: String) {
        // By code points, since a `Character` may be a mark with an accent.
        let scalars = address.unicodeScalars
        let whole = scalars[..<(scalars.firstIndex(of: "#") ?? scalars.endIndex)]
        let question = whole.firstIndex(of: "?") ?? whole.endIndex
        query = Substring(whole[question...].dropFirst())
        let before = Substring(whole[..<question])
        let mark = "://".unicodeScalars
        // `firstRange(of:)` needs iOS 16.
        let start = before.unicodeScalars.indices.first { before.unicodeScalars[$0...].starts(with: mark) }
        scheme = start.map { before[..<$0] } ?? ""
        location = start.map { Substring(before.unicodeScalars[$0...].dropFirst(mark.count)) } ?? before
    }
    /// Whether this is a link with a name, either with a scheme or on a domain; on any if neither is given.
    func `is`(_ name: String, scheme: String?, domain: String?) -> Bool {
        func matches(_ part: Substring, _ expected: String) -> Bool {
            part.utf8.elementsEqual(expected.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
        }
        let isAny = scheme == nil && domain == nil
        if location.utf8.elementsEqual(name.utf8) {
            return scheme.map { matches(self.scheme, $0) } ?? isAny
        }
        let end = "/" + name
        guard matches(self.scheme, "https"), location.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) else {
            return false
        }
        let host = Substring(location.utf8.dropLast(end.utf8.count))
        return domain.map { matches(host, $0) } ?? (isAny && !host.utf8.contains(ASCII.slash))
    }
}
