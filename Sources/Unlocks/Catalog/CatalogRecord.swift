import Foundation

/// The file on disk: a catalog as received from a source, with its signature.
struct CatalogRecord: Codable, Equatable {
    let body: Data
    /// The text of the signature, 64 bytes in base64; `nil` if none was requested.
    let signature: Data?
    /// The server's date. An answer that has it too is from a cache, and says nothing about the time.
    let date: Date?

    /// Whether a signature is valid for a catalog.
    typealias Check = @Sendable (_ signature: Data, _ body: Data) -> Bool

    /// Checks and reads the catalog.
    func catalog(_ isSigned: Check?) throws(CatalogLoader.LoadError) -> ShopCatalog {
        if let isSigned {
            // White space doesn't matter, since `base64` and OpenSSL break lines.
            guard let base64 = signature?.filter({ !ASCII.isWhiteSpace($0) }),
                let bytes = Base64.decode(base64, .standard), bytes.count == 64,
                isSigned(Data(bytes), body)
            else { throw .refused(reason: "Its signature is wrong.") }
        }
        do { return try ShopCatalog(json: body) } catch { throw .refused(reason: error.description) }
    }
}
