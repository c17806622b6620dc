import ReferralFoundation

/// The file on disk: a catalog as received from a source, with its tag and its signature.
struct CatalogRecord: Codable, Equatable {
    let source: String
    let tag: String?
    let body: Data
    /// The text of the signature; `nil` if none was requested.
    let signature: Data?
    /// The revision of the copy in the app that saved it.
    let copy: Int

    /// Checks and reads the catalog.
    func catalog(signedBy key: CatalogKey?) throws(CatalogLoader.LoadError) -> ShopCatalog {
        if let key {
            guard let signature else { throw .wrongSignature }
            try key.check(signature, for: body)
        }
        do { return try ShopCatalog(json: body) } catch { throw .catalog(error) }
    }
}
