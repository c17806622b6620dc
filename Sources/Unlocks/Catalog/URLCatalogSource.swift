public import Foundation

/// A catalog on the web.
///
/// It sends no cookies and keeps none, has no cache of its own, and follows at most five redirects, none of them from https to
/// http. It reads at most 1 MiB, and stops at the first byte more.
public struct URLCatalogSource: CatalogSource {
    /// The address of the catalog.
    public let address: URL

    /// How many seconds an answer may take, from the request to its last byte.
    public let timeLimit: TimeInterval

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - address: The address, which begins with https, or with http for tests. With any other one there is no source.
    ///   - timeLimit: How many seconds an answer may take, from the request to its last byte; more than 0.
    public init?(_ address: URL, timeLimit: TimeInterval = 20) {
        guard ["https", "http"].contains(address.scheme?.lowercased()), address.host?.isEmpty == false, timeLimit > 0
        else { return nil }
        (self.address, self.timeLimit) = (address, timeLimit)
    }

    /// The address.
    public var name: String { address.absoluteString }

    /// The address of the signature: `.sig` after the path, before the query. A fragment is left out.
    public var signatureAddress: URL {
        var components = URLComponents(url: address, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        // Without a slash, it would be the end of the host's name.
        components?.percentEncodedPath = (path.isEmpty ? "/" : path) + ".sig"
        components?.fragment = nil
        return components?.url ?? address
    }

    /// Asks for the catalog, with `If-None-Match`.
    public func catalog(unless tag: String?) async throws(CatalogLoader.LoadError) -> CatalogAnswer {
        let (status, body, newTag) = try await Download(address, unless: tag, timeLimit: timeLimit).answer()
        switch status {
        case 200: return .catalog(body, tag: newTag)
        case 304 where tag != nil: return .unchanged
        default: throw .status(status)
        }
    }

    /// Asks for the file at ``signatureAddress``.
    public func signature() async throws(CatalogLoader.LoadError) -> Data {
        let (status, body, _) = try await Download(signatureAddress, timeLimit: timeLimit).answer()
        guard status == 200 else { throw .noSignature(status: status) }
        return body
    }

    /// Whether a redirect is as safe as the address before it.
    package static func mayRedirect(from old: URL?, to new: URL?) -> Bool {
        switch (old?.scheme?.lowercased(), new?.scheme?.lowercased()) {
        case (_, "https"), ("http", "http"): true
        default: false
        }
    }
}
