import ReferralFoundation

/// Reads and writes a loader's files, off the main actor.
actor CatalogFiles {
    private let file: URL
    /// The revision of the copy in the app.
    private let copy: Int
    private var saved: CatalogRecord?
    private var savedRevision = 0
    /// The highest revision that the source has sent; `nil` if it isn't known yet.
    private var remembered: Int?

    init(_ file: URL, copy: Int) {
        self.file = file
        self.copy = copy
        LibraryFiles.claim(file)
    }

    /// Reads the saved catalog; `nil` if there is none.
    func read(_ key: CatalogKey?) throws(CatalogLoader.LoadError) -> (CatalogRecord, ShopCatalog)? {
        guard let record = try CatalogRecord.read(from: file) else { return nil }
        let catalog = try record.catalog(signedBy: key)
        saved = record
        return (record, catalog)
    }

    /// The highest revision that the source has sent; 0 if it can't be read.
    func rememberedRevision(in memory: RevisionMemory?) -> Int {
        if remembered == nil { remembered = memory?.revision(since: copy) }
        return remembered ?? 0
    }

    /// Writes a catalog and its revision, unless they or newer ones are already written.
    func save(_ record: CatalogRecord, _ revision: Int, _ memory: RevisionMemory?) throws(CatalogLoader.LoadError) {
        guard revision >= savedRevision else { return }
        if saved != record {
            try record.write(to: file)
            saved = record
        }
        savedRevision = revision
        guard let memory, rememberedRevision(in: memory) < revision, remembered != nil else { return }
        try memory.write(revision, copy: copy)
        remembered = revision
    }
}

/// Remembers the highest revision that a source has sent, in a file separate from the catalog.
///
/// The catalog may be in the caches folder. If the system purges it, an older catalog still must not be accepted. A newer copy in
/// the app starts the count anew, so that one wrong revision doesn't end all changes forever.
struct RevisionMemory: Sendable {
    private struct Record: Codable {
        let source: String
        let revision: Int
        /// The revision of the copy in the app at that time.
        let copy: Int?
    }

    let file: URL
    /// The name of the source. Each source numbers its revisions separately.
    let source: String

    /// The highest revision that was saved since the app has a copy with the given revision, or 0; `nil` if the file can't be
    /// read now, as on a locked device.
    fileprivate func revision(since copy: Int) -> Int? {
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            return (error as? CocoaError)?.code == .fileReadNoSuchFile ? 0 : nil
        }
        guard let record = try? JSONDecoder().decode(Record.self, from: data), record.source == source,
            record.copy ?? -1 >= copy
        else { return 0 }
        return max(0, record.revision)
    }

    /// Replaces the file as a whole.
    fileprivate func write(_ revision: Int, copy: Int) throws(CatalogLoader.LoadError) {
        do {
            let record = Record(source: source, revision: revision, copy: copy)
            try JSONEncoder().encode(record).write(to: file, options: .atomic)
        } catch {
            throw .notSaved(reason: "\(error)")
        }
    }
}
