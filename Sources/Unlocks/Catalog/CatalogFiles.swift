import Foundation

/// Reads and writes a loader's files, off the main actor.
///
/// One has the catalog, and may be in the caches folder. The other one remembers the highest revision that the source has sent:
/// if the system purges the caches, an older catalog still must not be accepted. A newer copy in the app starts the count anew, so
/// that one wrong revision doesn't end all changes forever.
actor CatalogFiles {
    private struct Memory: Codable {
        /// The name of the source. Each source numbers its revisions separately.
        let source: String
        let revision: Int
        /// The revision of the copy in the app at that time.
        let copy: Int
    }

    private let file: URL
    private let source: String
    /// The revision of the copy in the app.
    private let copy: Int
    private var saved: CatalogRecord?
    private var savedRevision = 0
    /// The highest revision that the source has sent; `nil` if it isn't known yet.
    private var remembered: Int?

    init(_ file: URL, source: String, copy: Int) {
        self.file = file
        self.source = source
        self.copy = copy
    }

    /// Reads the saved catalog; `nil` if there is none.
    func read(_ key: CatalogKey?) throws(CatalogLoader.LoadError) -> (CatalogRecord, ShopCatalog)? {
        do { saved = try Self.read(CatalogRecord.self, from: file) } catch {
            throw .file(reason: error.localizedDescription)
        }
        guard let saved else { return nil }
        return (saved, try saved.catalog(signedBy: key))
    }

    /// The highest revision that the source has sent since the app has this copy, or 0, also if that can't be read now, as on a
    /// locked device.
    func rememberedRevision(in memory: URL?) -> Int {
        if remembered == nil, let memory {
            do {
                let memory = try Self.read(Memory.self, from: memory)
                remembered = memory?.source == source && memory?.copy ?? -1 >= copy ? max(0, memory?.revision ?? 0) : 0
            } catch is DecodingError {
                remembered = 0
            } catch {}
        }
        return remembered ?? 0
    }

    /// Writes a catalog and its revision, unless they or newer ones are already written.
    func save(_ record: CatalogRecord, _ revision: Int, _ memory: URL?) throws(CatalogLoader.LoadError) {
        guard revision >= savedRevision else { return }
        do {
            if saved != record {
                try JSONEncoder().encode(record).write(to: file, options: .atomic)
                saved = record
            }
            savedRevision = revision
            guard let memory, rememberedRevision(in: memory) < revision, remembered != nil else { return }
            try JSONEncoder().encode(Memory(source: source, revision: revision, copy: copy))
                .write(to: memory, options: .atomic)
            remembered = revision
        } catch {
            throw .file(reason: error.localizedDescription)
        }
    }

    /// Reads a file; `nil` if it doesn't exist.
    private static func read<Value: Decodable>(_: Value.Type, from file: URL) throws -> Value? {
        do { return try JSONDecoder().decode(Value.self, from: Data(contentsOf: file)) } catch {
            guard (error as? CocoaError)?.code != .fileReadNoSuchFile else { return nil }
            throw error
        }
    }
}
