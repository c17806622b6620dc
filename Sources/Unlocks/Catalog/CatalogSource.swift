public import ReferralFoundation

/// A source of catalogs. ``URLCatalogSource`` loads them from the web.
public protocol CatalogSource: Sendable {
    /// Asks for the catalog.
    ///
    /// - Returns: The catalog's exact bytes, and the server's date, if the answer came over https.
    /// - Throws: Why it can't be loaded.
    func catalog() async throws(DownloadError) -> (body: Data, date: Date?)

    /// Asks for the catalog's signature.
    ///
    /// - Returns: The text with the signature in base64.
    /// - Throws: Why it can't be loaded.
    func signature() async throws(DownloadError) -> Data
}
