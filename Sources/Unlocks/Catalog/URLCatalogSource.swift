public import Foundation

/// A catalog on the web.
///
/// It neither sends nor keeps cookies, has no cache, and follows at most five redirects, but none from https to http.
/// It stops at the first byte after 1 MiB.
public struct URLCatalogSource: CatalogSource {
    /// The address of the catalog.
    public let address: URL

    /// The time limit for an answer in seconds, from the request to its last byte.
    public let timeLimit: TimeInterval

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - address: An address that begins with https, or with http for tests. With any other one, the initializer
    ///     returns `nil`.
    ///   - timeLimit: The time limit for an answer in seconds, from the request to its last byte; more than 0.
    public init?(_ address: URL, timeLimit: TimeInterval = 20) {
        guard ["https", "http"].contains(address.scheme?.lowercased()), address.host?.isEmpty == false, timeLimit > 0
        else { return nil }
        self.address = address
        self.timeLimit = timeLimit
    }

    /// The address.
    public var name: String { address.absoluteString }

    /// The address of the signature, with `.sig` after the path and before the query, and without a fragment.
    package var signatureAddress: URL {
        var components = URLComponents(url: address, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        // Without a slash, `.sig` would become part of the host's name.
        components?.percentEncodedPath = (path.isEmpty ? "/" : path) + ".sig"
        components?.fragment = nil
        return components?.url ?? address
    }

    /// Asks for the catalog, with `If-None-Match`.
    public func catalog(unless tag: String?) async throws(DownloadError) -> CatalogAnswer {
        let answer = try await answer(from: address, unless: tag)
        switch answer.status {
        case 200: return .catalog(answer.body, tag: answer.tag, date: answer.date)
        case 304 where tag != nil: return .unchanged(date: answer.date)
        default: throw .status(answer.status)
        }
    }

    /// Asks for the signature, a file at the same address with `.sig` after the path.
    public func signature() async throws(DownloadError) -> Data {
        let answer = try await answer(from: signatureAddress)
        guard answer.status == 200 else { throw .status(answer.status) }
        return answer.body
    }

    private func answer(from address: URL, unless tag: String? = nil) async throws(DownloadError) -> WebAnswer {
        try await WebAnswer(address, unless: tag, limit: ShopCatalog.maximumLength, timeLimit: timeLimit)
    }
}
