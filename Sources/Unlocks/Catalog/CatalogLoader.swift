public import ReferralFoundation

/// Loads the newest valid catalog from the copy in the app, the file on disk and a source.
///
/// ```swift
/// let loader = try CatalogLoader(bundledCatalog: json, file: caches.appending(path: "catalog"), source: source)
/// await loader.load()
/// show(loader.current)
/// if let new = try await loader.refresh() { show(new) }
/// ```
///
/// If loading fails, the last valid catalog remains in use. A catalog also remains in use after ``ShopCatalog/staleAfter``.
/// A loader that is passed to ``UnlockCenter`` saves the revision in the center's folder. So even if the system purges
/// the caches folder, an older catalog from the source is rejected. A newer copy in the app starts the count anew:
/// from then on, every revision from the copy's on is accepted, so the next version of the app mends a wrong revision.
@MainActor
public final class CatalogLoader {
    /// The newest valid catalog.
    public private(set) var current: ShopCatalog

    /// Why the file couldn't be used or written; `nil` if nothing is wrong with it.
    ///
    /// If a new catalog couldn't be written, it is used until the app ends. The next ``refresh()`` tries to write it
    /// again.
    public private(set) var fileError: LoadError?

    /// The server's date in the latest valid answer that came over https; otherwise `nil`.
    private(set) var answerDate: Date?

    private let files: CatalogFiles
    /// The revision of the copy in the app.
    private let copy: Int
    private let source: any CatalogSource
    private let key: CatalogKey?
    /// The record from which ``current`` was read; `nil` if it is the copy in the app.
    private var record: CatalogRecord?
    private var loading: Task<Void, Never>?
    /// The file that remembers the highest revision; `nil` if there is none.
    private var memory: URL?

    /// Creates a loader with the copy in the app. ``load()`` reads the file.
    ///
    /// Between the copy in the app and the file, the one with the higher revision is used, or the file on a tie.
    ///
    /// - Parameters:
    ///   - bundledCatalog: The catalog in the app, for the first launch and for offline use. Its signature isn't
    ///     checked.
    ///   - file: The file for the catalog, its tag and its signature, such as one in the caches folder. Its folder must
    ///     exist.
    ///   - source: The source of new catalogs.
    ///   - publicKey: An Ed25519 key. If you pass one, only catalogs signed by the key's owner are accepted.
    ///   - verifier: Checks the signature.
    /// - Throws: ``LoadError/bundledCatalog(_:)``, or ``LoadError/noVerifier`` if there is a key and the verifier is the missing
    ///   one of a system other than Apple's. An invalid file doesn't throw: see ``fileError``.
    public init(
        bundledCatalog: Data,
        file: URL,
        source: any CatalogSource,
        publicKey: PublicKey? = nil,
        verifier: any SignatureVerifier = SystemVerifier()
    ) throws(LoadError) {
        self.source = source
        key = if let publicKey { try CatalogKey(publicKey, verifier) } else { nil }
        do { current = try ShopCatalog(json: bundledCatalog) } catch { throw .bundledCatalog(error) }
        copy = current.revision
        files = CatalogFiles(file, source: source.name, copy: copy)
    }

    /// Reads the file, once. ``refresh()`` and ``UnlockCenter/start()`` also do this first.
    ///
    /// A file that can't be read, such as one on a locked device, is read again at the next call.
    public func load() async {
        if loading == nil { loading = Task { await readFile() } }
        await loading?.value
    }

    private func readFile() async {
        do throws(LoadError) {
            let saved = try await files.read(key)
            fileError = nil
            guard let (saved, catalog) = saved, catalog.revision >= current.revision else { return }
            (record, current) = (saved, catalog)
        } catch {
            fileError = error
            loading = nil
        }
    }

    /// Asks the source for a newer catalog, and keeps it if it is valid.
    ///
    /// - Returns: The new catalog, which is now ``current``; `nil` if there is none.
    /// - Throws: Why there is no new catalog. ``current`` is unchanged.
    public func refresh() async throws(LoadError) -> ShopCatalog? {
        await load()
        let isWhole = current.revision >= (await files.rememberedRevision(in: memory))
        // A newer copy in the app starts the count anew, with a whole answer.
        let tag = isWhole && isCounted && record?.source == source.name ? record?.tag : nil
        let answer = try await Self.load(from: source, unless: tag, key, copy: copy)
        // Only now the device may be unlocked.
        await load()
        let remembered = await files.rememberedRevision(in: memory)
        answerDate = answer.date
        guard let (new, catalog) = answer.new else {
            await save()
            return nil
        }
        // Meanwhile, another call may have brought a newer one.
        let least = max(isCounted ? current.revision : copy, remembered)
        guard (0...ShopCatalog.maximumRevisionStep).contains(catalog.revision - least) else {
            throw .revision(catalog.revision, inHand: least)
        }
        let isNew = catalog.revision != current.revision
        if !isNew, new.body != record?.body {
            let isSame = await Self.isSame(catalog, current)
            // Meanwhile, another call may have brought a newer one.
            guard isSame, current.revision == catalog.revision else {
                throw .revision(catalog.revision, inHand: current.revision)
            }
        }
        (record, current) = (new, catalog)
        await save()
        return isNew ? catalog : nil
    }

    /// Whether the count continues from the present revision. It doesn't if the app has a newer copy than when that revision
    /// was saved.
    private var isCounted: Bool { record.map { $0.copy >= copy } ?? true }

    /// Reads off the main actor, since a catalog can be large.
    private nonisolated static func load(
        from source: any CatalogSource,
        unless tag: String?,
        _ key: CatalogKey?,
        copy: Int
    ) async throws(LoadError) -> (date: Date?, new: (CatalogRecord, ShopCatalog)?) {
        let body: Data
        let signature: Data?
        let (newTag, date): (String?, Date?)
        do {
            switch try await source.catalog(unless: tag) {
            case .unchanged(let date): return (date, nil)
            case .catalog(let data, let tag, let now): (body, newTag, date) = (data, tag, now)
            }
            signature = if key != nil { try await source.signature() } else { nil }
        } catch { throw .download(error) }
        let record = CatalogRecord(source: source.name, tag: newTag, body: body, signature: signature, copy: copy)
        return (date, (record, try record.catalog(signedBy: key)))
    }

    /// Compares off the main actor, since a catalog can be large.
    private nonisolated static func isSame(_ catalog: ShopCatalog, _ other: ShopCatalog) async -> Bool {
        catalog == other
    }

    /// Remembers the highest revision in a file that the system doesn't purge.
    package func rememberRevision(in file: URL) { memory = file }

    private func save() async {
        guard let record else { return }
        do throws(LoadError) {
            try await files.save(record, current.revision, memory)
            fileError = nil
        } catch {
            fileError = error
        }
    }
}
