import ReferralFoundation

/// The file on disk: a catalog as received from a source, with its tag and its signature.
struct CatalogRecord: Codable, Equatable {
    let source: String
    let tag: String?
    let body: Data
    /// The text of the signature; `nil` if none was requested.
    let signature: Data?
    /// The revision of the copy in the app that saved it; `nil` in a file of an older version.
    let copy: Int?
    private let digest: String

    init(source: String, tag: String?, body: Data, signature: Data?, copy: Int) {
        self.source = source
        self.tag = tag
        self.body = body
        self.signature = signature
        self.copy = copy
        digest = Self.digest(of: body)
    }

    /// Reads a file; `nil` if it doesn't exist.
    static func read(from url: URL) throws(CatalogLoader.LoadError) -> CatalogRecord? {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            guard (error as? CocoaError)?.code != .fileReadNoSuchFile else { return nil }
            throw .unreadableFile(reason: "\(error)")
        }
        let record: CatalogRecord
        do { record = try JSONDecoder().decode(Self.self, from: data) } catch {
            throw .brokenFile(reason: "\(error)")
        }
        guard record.digest == digest(of: record.body) else { throw .brokenFile(reason: "its digest is wrong") }
        return record
    }

    /// Replaces the file as a whole, so that a crash leaves the old one or the new one.
    ///
    /// The file is flushed, but its folder isn't. After a power failure, the old file may be back. That is harmless,
    /// since its tag is the old one too.
    func write(to url: URL) throws(CatalogLoader.LoadError) {
        do { try JSONEncoder().encode(self).write(to: url, options: .atomic) } catch {
            throw .notSaved(reason: "\(error)")
        }
    }

    /// Checks and reads the catalog.
    func catalog(signedBy key: CatalogKey?) throws(CatalogLoader.LoadError) -> ShopCatalog {
        if let key {
            guard let signature else { throw .wrongSignature }
            try key.check(signature, for: body)
        }
        do { return try ShopCatalog(json: body) } catch { throw .catalog(error) }
    }

    private static func digest(of body: Data) -> String { SHA256.digest(body).hexadecimal }
}
