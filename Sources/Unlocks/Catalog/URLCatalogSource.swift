public import Foundation

/// A catalog on the web.
///
/// It asks the server at each request, and the system's cache keeps what hasn't changed. It neither sends nor keeps cookies, follows
/// no redirect from https to http, and stops after 20 seconds, or at the first byte after 1 MiB.
public struct URLCatalogSource: CatalogSource {
    /// The address of the catalog.
    public let address: URL

    /// Creates a source.
    ///
    /// - Parameter address: An address that begins with https, or with http for tests. With any other one, the initializer
    ///   returns `nil`.
    public init?(_ address: URL) {
        guard ["https", "http"].contains(address.scheme?.lowercased()), address.host?.isEmpty == false else {
            return nil
        }
        self.address = address
    }

    /// The address of the signature, with `.sig` after the path and before the query.
    package var signatureAddress: URL { address.appendingPathExtension("sig") }

    /// Asks for the catalog.
    public func catalog() async throws(DownloadError) -> (body: Data, date: Date?) {
        let answer = try await WebAnswer(address, limit: ShopCatalog.maximumLength)
        return (answer.body, answer.date)
    }

    /// Asks for the signature, a file at the same address with `.sig` after the path.
    public func signature() async throws(DownloadError) -> Data {
        try await WebAnswer(signatureAddress, limit: ShopCatalog.maximumLength).body
    }
}
