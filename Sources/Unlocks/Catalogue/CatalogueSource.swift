#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where catalogues come from. ``URLCatalogueSource`` is the web.
public protocol CatalogueSource: Sendable {
    /// What tells this source from others, such as its address. A tag is only sent to the source that it came from.
    var name: String { get }

    /// Asks for the catalogue.
    ///
    /// - Parameter tag: The tag of the catalogue in hand; `nil` asks for any.
    /// - Returns: The catalogue, or that it is still the one with that tag.
    /// - Throws: ``CatalogueLoader/LoadError``.
    func catalogue(unless tag: String?) async throws(CatalogueLoader.LoadError) -> CatalogueAnswer

    /// Asks for the catalogue's signature.
    ///
    /// - Returns: The text with the signature in base64.
    /// - Throws: ``CatalogueLoader/LoadError``.
    func signature() async throws(CatalogueLoader.LoadError) -> Data
}

/// What a source says.
public enum CatalogueAnswer: Sendable, Equatable {
    /// The catalogue is still the one with the tag.
    case unchanged
    /// The catalogue's exact bytes, and the tag that they have, if they have one.
    case catalogue(Data, tag: String?)
}
