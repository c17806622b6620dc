import Foundation

/// The file on disk: a catalog as received from a source, with its signature.
struct CatalogRecord: Codable, Equatable {
    let body: Data
    /// The text of the signature, 64 bytes in base64; `nil` if none was requested.
    let signature: Data?
    /// The server's date. An answer that has it too is from a cache, and says nothing about the time.
    let date: Date?

    /// Checks and reads the catalog.
    func catalog(signedBy key: CatalogKey?) throws(CatalogLoader.LoadError) -> ShopCatalog {
        if let key {
            // White space doesn't matter, since `base64` and OpenSSL break lines.
            guard let base64 = signature?.filter({ !ASCII.isWhiteSpace($0) }),
                let bytes = Base64.decode(base64, .standard), bytes.count == 64,
                key.verifier.isValid(Data(bytes), for: body, publicKey: key.publicKey)
            else { throw .refused(reason: "Its signature is wrong.") }
        }
        do { return try ShopCatalog(json: body) } catch { throw .refused(reason: error.description) }
    }
}

/// The public key that an app pins, and the verifier that uses it.
struct CatalogKey: Sendable {
    let publicKey: PublicKey
    let verifier: any SignatureVerifier
}
