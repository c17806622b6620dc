import Foundation

/// The file on disk: a catalog as received from a source, with its tag and its signature.
struct CatalogRecord: Codable, Equatable {
    let source: String
    let tag: String?
    let body: Data
    /// The text of the signature, 64 bytes in base64; `nil` if none was requested.
    let signature: Data?

    /// Checks and reads the catalog.
    func catalog(signedBy key: CatalogKey?) throws(CatalogLoader.LoadError) -> ShopCatalog {
        if let key {
            // White space doesn't matter, since `base64` and OpenSSL break lines.
            guard let base64 = signature?.filter({ !ASCII.isWhiteSpace($0) }),
                let bytes = Base64.decode(base64, .standard), bytes.count == 64,
                key.verifier.isValid(Data(bytes), for: body, publicKey: key.publicKey)
            else { throw .wrongSignature }
        }
        do { return try ShopCatalog(json: body) } catch { throw .catalog(error) }
    }

    /// Reads the file; `nil` if it doesn't exist.
    init?(_ file: URL) throws(CatalogLoader.LoadError) {
        do { self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file)) } catch {
            guard (error as? CocoaError)?.code != .fileReadNoSuchFile else { return nil }
            throw .file(reason: error.localizedDescription)
        }
    }

    func write(to file: URL) throws(CatalogLoader.LoadError) {
        do { try JSONEncoder().encode(self).write(to: file, options: .atomic) } catch {
            throw .file(reason: error.localizedDescription)
        }
    }

    init(source: String, tag: String?, body: Data, signature: Data?) {
        self.source = source
        self.tag = tag
        self.body = body
        self.signature = signature
    }
}

/// The public key that an app pins, and the verifier that uses it.
struct CatalogKey: Sendable {
    let publicKey: PublicKey
    let verifier: any SignatureVerifier
}
