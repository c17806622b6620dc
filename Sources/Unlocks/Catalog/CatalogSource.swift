#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where catalogs come from. ``URLCatalogSource`` is the web.
public protocol CatalogSource: Sendable {
    /// What tells this source from others, such as its address. A tag is only sent to the source that it came from.
    var name: String { get }

    /// Asks for the catalog.
    ///
    /// - Parameter tag: The tag of the catalog in hand; `nil` asks for any.
    /// - Returns: The catalog, or that it is still the one with that tag.
    /// - Throws: ``CatalogLoader/LoadError``.
    func catalog(unless tag: String?) async throws(CatalogLoader.LoadError) -> CatalogAnswer

    /// Asks for the catalog's signature.
    ///
    /// - Returns: The text with the signature in base64.
    /// - Throws: ``CatalogLoader/LoadError``.
    func signature() async throws(CatalogLoader.LoadError) -> Data
}

/// What a source says.
public enum CatalogAnswer: Sendable, Equatable {
    /// The catalog is still the one with the tag.
    case unchanged
    /// The catalog's exact bytes, and the tag that they have, if they have one.
    case catalog(Data, tag: String?)
}
