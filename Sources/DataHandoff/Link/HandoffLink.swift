import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What one app tells the other with an address that opens it.
public enum HandoffLink: Sendable, Equatable {
    /// The receiver asks for the data: `handoff-request?n=NONCE&k=PUBLICKEY`. Without a key the answer may be open.
    case request(nonce: Data, publicKey: Data?)

    /// The sender's package: `handoff?n=NONCE&h=PACKAGE`. Without a nonce nobody has asked for it yet.
    case answer(nonce: Data?, package: Data)

    /// The receiver has it: `handoff-receipt?n=NONCE&d=SHA256`, with the digest of the manifest in hexadecimal digits.
    case receipt(nonce: Data, digest: String)

    /// The longest address, in bytes. WebKit refuses addresses over 2 MB, and system code has trouble before that.
    public static let maximumLength = 1_000_000

    static let nonceLength = 16
    static let publicKeyLength = 32

    /// Reads an address.
    ///
    /// Of a repeated item the last one counts, and nothing is percent-decoded.
    ///
    /// - Parameters:
    ///   - address: The address that the app was opened with.
    ///   - scheme: The app's own scheme, in any case; `nil` takes any.
    /// - Returns: What the other app says.
    /// - Throws: ``HandoffError/notALink``, ``HandoffError/linkTooLong``, ``HandoffError/missingPayload`` or
    ///   ``HandoffError/malformedPayload``.
    public static func parse(_ address: String, scheme: String? = nil) throws(HandoffError) -> HandoffLink {
        let parts = AddressParts(address)
        let isOwn = parts.scheme.utf8.elementsEqual((scheme ?? String(parts.scheme)).utf8) {
            ASCII.lowercased($0) == ASCII.lowercased($1)
        }
        guard isOwn else { throw .notALink }
        func item(_ name: String) -> Substring.UTF8View? {
            let item = parts.query.utf8.split(separator: ASCII.ampersand).last { $0.starts(with: (name + "=").utf8) }
            return item.map { $0.dropFirst(2) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        func required(_ name: String) throws(HandoffError) -> Substring.UTF8View {
            guard let value = item(name) else { throw .missingPayload }
            return value
        }
        func bytes(_ value: Substring.UTF8View, _ count: Int) throws(HandoffError) -> Data {
            let bytes = try Base64URL.decode(value)
            guard bytes.count == count else { throw .malformedPayload }
            return bytes
        }
        switch String(parts.location) {
        case "handoff", "handoff-request", "handoff-receipt": break
        default: throw .notALink
        }
        guard address.utf8.count <= maximumLength else { throw .linkTooLong }
        switch parts.location {
        case "handoff":
            let package = try required("h")
            let nonce = try item("n").map { value throws(HandoffError) in try bytes(value, nonceLength) }
            return .answer(nonce: nonce, package: try Base64URL.decode(package))
        case "handoff-request":
            let nonce = try bytes(required("n"), nonceLength)
            let key = try item("k").map { value throws(HandoffError) in try bytes(value, publicKeyLength) }
            return .request(nonce: nonce, publicKey: key)
        default:
            let (nonce, digest) = (try required("n"), String(Substring(try required("d"))))
            guard HandoffManifest.isDigest(digest) else { throw .malformedPayload }
            return .receipt(nonce: try bytes(nonce, nonceLength), digest: digest)
        }
    }

    /// Returns the address that says it to the app with a scheme.
    ///
    /// - Throws: ``HandoffError/linkTooLong``.
    public func address(scheme: String) throws(HandoffError) -> String {
        var address: String
        switch self {
        case .request(let nonce, let publicKey):
            address = "\(scheme)://handoff-request?n=\(Base64URL.encode(nonce))"
            if let publicKey { address += "&k=\(Base64URL.encode(publicKey))" }
        case .answer(let nonce, let package):
            address = "\(scheme)://handoff?"
            if let nonce { address += "n=\(Base64URL.encode(nonce))&" }
            address += "h=\(Base64URL.encode(package))"
        case .receipt(let nonce, let digest):
            address = "\(scheme)://handoff-receipt?n=\(Base64URL.encode(nonce))&d=\(digest)"
        }
        guard address.utf8.count <= Self.maximumLength else { throw .linkTooLong }
        return address
    }
}

extension HandoffLink {
    func url(scheme: String) throws(HandoffError) -> URL {
        guard let url = URL(string: try address(scheme: scheme)) else { throw .notALink }
        return url
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
}
