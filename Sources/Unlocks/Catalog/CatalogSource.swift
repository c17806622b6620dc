public import ReferralFoundation

/// A source of catalogs. ``URLCatalogSource`` loads them from the web.
public protocol CatalogSource: Sendable {
    /// A name that identifies the source, such as its address. A tag is sent only to the source that it came from.
    var name: String { get }

    /// Asks for the catalog.
    ///
    /// - Parameter tag: The tag of the current catalog; `nil` asks for any catalog.
    /// - Returns: The catalog, or ``CatalogAnswer/unchanged(date:)`` if it still has that tag.
    /// - Throws: Why it can't be loaded.
    func catalog(unless tag: String?) async throws(DownloadError) -> CatalogAnswer

    /// Asks for the catalog's signature.
    ///
    /// - Returns: The text with the signature in base64.
    /// - Throws: Why it can't be loaded.
    func signature() async throws(DownloadError) -> Data
}

/// A source's answer.
public enum CatalogAnswer: Sendable, Equatable {
    /// The catalog still has the tag that was sent. The date is the server's, if the answer came over https.
    case unchanged(date: Date? = nil)
    /// The catalog's exact bytes, their tag, if any, and the server's date, if the answer came over https.
    case catalog(Data, tag: String?, date: Date? = nil)
}
