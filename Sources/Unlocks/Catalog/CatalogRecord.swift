import WireText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A catalog as it came from a source, with its tag and its signature: the file on disk.
struct CatalogRecord: Codable, Equatable {
    let source: String
    let tag: String?
    let body: Data
    /// The text of the signature; `nil` if none was asked for.
    let signature: Data?
    private let digest: String

    init(source: String, tag: String?, body: Data, signature: Data?) {
        (self.source, self.tag, self.body, self.signature) = (source, tag, body, signature)
        digest = Self.digest(of: body)
    }

    /// Reads a file; `nil` if it doesn't exist.
    static func read(from url: URL) throws(CatalogLoader.LoadError) -> CatalogRecord? {
        let record: CatalogRecord
        do { record = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url)) } catch {
            guard (error as? CocoaError)?.code != .fileReadNoSuchFile else { return nil }
            throw .brokenFile(reason: "\(error)")
        }
        guard record.digest == digest(of: record.body) else { throw .brokenFile(reason: "its digest is wrong") }
        return record
    }

    /// Replaces the file as a whole, so that a crash leaves the old one or the new one.
    ///
    /// The file is flushed, its folder isn't. A power failure may bring back the old file, which is as good as never having
    /// asked for the new one: its tag is the old one too.
    func write(to url: URL) throws(CatalogLoader.LoadError) {
        do { try JSONEncoder().encode(self).write(to: url, options: .atomic) } catch {
            throw .notSaved(reason: "\(error)")
        }
    }

    /// The catalog, once it is found good.
    func catalog(signedBy key: CatalogKey?) throws(CatalogLoader.LoadError) -> Catalog {
        if let key {
            guard let signature else { throw .wrongSignature }
            try key.check(signature, for: body)
        }
        do { return try Catalog(json: body) } catch { throw .catalog(error) }
    }

    private static func digest(of body: Data) -> String { SHA256.digest(body).hexadecimal }
}
