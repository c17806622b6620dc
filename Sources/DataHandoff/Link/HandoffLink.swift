package import ReferralFoundation

/// A message that one app sends to the other in a link that opens it.
///
/// An address has the other app's own scheme, as in `trestle://handoff?n=…&h=…`, or is a universal link, as in
/// `https://example.com/handoff?n=…&h=…`.
package enum HandoffLink: Sendable, Equatable {
    /// The receiver asks for the data: `handoff-request?n=NONCE&k=PUBLICKEY`. Without a key, the answer may be open.
    case request(nonce: Data, publicKey: Data?)

    /// The sender's package: `handoff?n=NONCE&h=PACKAGE`. Without a nonce, the package isn't the answer to a request.
    case answer(nonce: Data?, package: Data)

    /// The receiver has the data: `handoff-receipt?n=NONCE&d=SHA256&m=PROOF`, with the digest of the manifest in hexadecimal
    /// digits. After an open answer, there is no proof.
    case receipt(nonce: Data, digest: String, proof: Data?)

    /// The maximum length of an address, in bytes. WebKit refuses addresses over 2 MB, and system code has problems
    /// with shorter ones.
    package static let maximumLength = 1_000_000

    static let nonceLength = 16
    static let publicKeyLength = 32

    /// Reads an address.
    ///
    /// If an item is repeated, the last one counts. Nothing is percent-decoded.
    ///
    /// - Parameters:
    ///   - address: The address with which the app was opened.
    ///   - scheme: The app's own scheme, in any letter case.
    ///   - domain: The domain of the app's universal links, in any letter case. Without a scheme and a domain, any
    ///     address is accepted.
    /// - Returns: The message.
    /// - Throws: ``HandoffError/notALink``, ``HandoffError/linkTooLong``, ``HandoffError/missingPayload`` or
    ///   ``HandoffError/malformedPayload``.
    package static func parse(
        _ address: String,
        scheme: String? = nil,
        domain: String? = nil
    ) throws(HandoffError) -> HandoffLink {
        let parts = WebAddress(address)
        let kinds = Kind.allCases.filter { parts.isLink(named: $0.rawValue, scheme: scheme, domain: domain) }
        guard let kind = kinds.first else { throw .notALink }
        guard address.utf8.count <= maximumLength else { throw .linkTooLong }
        func item(_ name: String) -> Substring.UTF8View? {
            let items = parts.query?.utf8.split(separator: ASCII.ampersand) ?? []
            return items.last { $0.starts(with: (name + "=").utf8) }.map { $0.dropFirst(2) }
        }
        // An empty item doesn't count as missing, since an empty key would then ask for an open answer.
        func bytes(_ name: String, _ count: Int? = nil) throws(HandoffError) -> Data? {
            guard let value = item(name) else { return nil }
            guard let bytes = Base64.decode(value, .url), count == nil || bytes.count == count else {
                throw .malformedPayload
            }
            return Data(bytes)
        }
        func required<Value: Collection>(_ value: Value?) throws(HandoffError) -> Value {
            guard let value, !value.isEmpty else { throw .missingPayload }
            return value
        }
        switch kind {
        case .answer:
            let package = try required(bytes("h"))
            return .answer(nonce: try bytes("n", nonceLength), package: package)
        case .request:
            return .request(nonce: try required(bytes("n", nonceLength)), publicKey: try bytes("k", publicKeyLength))
        case .receipt:
            let digest = String(Substring(try required(item("d"))))
            guard HandoffManifest.isDigest(digest) else { throw .malformedPayload }
            let nonce = try required(bytes("n", nonceLength))
            return .receipt(nonce: nonce, digest: digest, proof: try bytes("m", Exchange.proofLength))
        }
    }

    /// Returns the address with the message, for the app with this scheme; a universal link if the app is associated with a domain.
    ///
    /// - Throws: ``HandoffError/linkTooLong``.
    package func address(scheme: String, domain: String? = nil) throws(HandoffError) -> String {
        func item(_ name: String, _ bytes: Data?) -> String? { bytes.map { "\(name)=\(Base64.encode($0, .url))" } }
        let items =
            switch self {
            case .request(let nonce, let publicKey): [item("n", nonce), item("k", publicKey)]
            case .answer(let nonce, let package): [item("n", nonce), item("h", package)]
            case .receipt(let nonce, let digest, let proof): [item("n", nonce), "d=" + digest, item("m", proof)]
            }
        let start = domain.map { "https://\($0)/" } ?? scheme + "://"
        let address = "\(start)\(kind.rawValue)?" + items.compactMap(\.self).joined(separator: "&")
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

private extension WebAddress {
    /// Whether this is a link with a name, either with a scheme or on a domain; on any if neither is given.
    func isLink(named name: String, scheme: String?, domain: String?) -> Bool {
        func matches(_ part: Substring?, _ expected: String) -> Bool {
            part?.utf8.elementsEqual(expected.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) } ?? false
        }
        let isAny = scheme == nil && domain == nil
        if location?.utf8.elementsEqual(name.utf8) ?? false { return scheme.map { matches(self.scheme, $0) } ?? isAny }
        guard matches(self.scheme, "https"), path.utf8.elementsEqual(("/" + name).utf8) else { return false }
        return domain.map { matches(authority, $0) } ?? isAny
    }
}

extension WebAddress {
    /// The host and the path; `nil` after a scheme without `//`.
    var location: String? { scheme != nil && authority == nil ? nil : String(authority ?? "") + path }
}
