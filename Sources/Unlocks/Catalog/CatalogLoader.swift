public import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The newest good catalog: of the copy in the app, the file on disk and a source.
///
/// ```swift
/// let loader = try CatalogLoader(bundledCatalog: json, file: caches.appending(path: "catalog"), source: source)
/// await loader.load()
/// show(loader.current)
/// if let new = try await loader.refresh() { show(new) }
/// ```
///
/// The last good catalog stays, whatever happens. A catalog counts after ``Catalog/staleAfter`` too. A loader that is
/// passed to ``UnlockCenter`` remembers the revision in the folder of the unlocks. So if the system purges the caches
/// folder, the source still can't bring back an older catalog.
@MainActor
public final class CatalogLoader {
    /// The newest good catalog.
    public private(set) var current: Catalog

    /// Why the file doesn't count, or couldn't be written; `nil` if nothing is wrong with it.
    ///
    /// A new catalog counts until the app ends, even if it couldn't be written. The next ``refresh()`` tries again.
    public private(set) var fileError: LoadError?

    private let files: CatalogFiles
    private let source: any CatalogSource
    private let key: CatalogKey?
    /// What ``current`` came from; `nil` if it is the copy in the app.
    private var record: CatalogRecord?
    private var loading: Task<Void, Never>?
    /// Where the highest revision is remembered; `nil` if nowhere.
    private var memory: RevisionMemory?

    /// Creates a loader, with the copy in the app. ``load()`` reads the file.
    ///
    /// Of the copy in the app and the file the one with the higher revision counts. If both have the same one, the file does.
    ///
    /// - Parameters:
    ///   - bundledCatalog: The catalog that is in the app, for the first launch and for offline. Its signature isn't checked.
    ///   - file: Where the catalog is kept, with its tag and signature, such as in the caches folder. Its folder must exist.
    ///   - source: Where new catalogs come from.
    ///   - publicKey: An Ed25519 key, 32 bytes. With it only a catalog counts that the key's owner signed.
    ///   - verifier: What checks the signature; `nil` is the system's.
    /// - Throws: ``LoadError/bundledCatalog(_:)``, ``LoadError/invalidPublicKey``, or ``LoadError/noVerifier`` if there is a key
    ///   and the system has no verifier. A wrong file throws nothing: see ``fileError``.
    public init(
        bundledCatalog: Data,
        file: URL,
        source: any CatalogSource,
        publicKey: Data? = nil,
        verifier: (any SignatureVerifier)? = nil
    ) throws(LoadError) {
        self.source = source
        key = if let publicKey { try CatalogKey(publicKey, verifier ?? SystemVerifier.verifier) } else { nil }
        do { current = try Catalog(json: bundledCatalog) } catch { throw .bundledCatalog(error) }
        files = CatalogFiles(file)
    }

    /// Reads the file, once. ``refresh()`` does so first, and so does a shop that starts.
    public func load() async {
        if loading == nil { loading = Task { await readFile() } }
        await loading?.value
    }

    private func readFile() async {
        do throws(LoadError) {
            guard let (saved, catalog) = try await files.read(key), catalog.revision >= current.revision else {
                return
            }
            (record, current) = (saved, catalog)
        } catch {
            fileError = error
        }
    }

    /// Asks the source for a newer catalog, and keeps it if it is good.
    ///
    /// - Returns: The new catalog, which is ``current`` now; `nil` if there is nothing new.
    /// - Throws: Why there is no new catalog. ``current`` is what it was.
    public func refresh() async throws(LoadError) -> Catalog? {
        await load()
        let remembered = await files.rememberedRevision(in: memory)
        let isLatest = record?.source == source.name && current.revision >= remembered
        let tag = isLatest ? record?.tag : nil
        guard let (new, catalog) = try await Self.load(from: source, unless: tag, key) else {
            await save()
            return nil
        }
        // Meanwhile, another call may have brought a newer one.
        let least = max(current.revision, remembered)
        guard catalog.revision >= least else { throw .olderRevision(catalog.revision, inHand: least) }
        let isNew = catalog != current
        guard !isNew || catalog.revision > current.revision else { throw .sameRevision(catalog.revision) }
        (record, current) = (new, catalog)
        await save()
        return isNew ? catalog : nil
    }

    /// Reads off the main actor, since a catalog can be large.
    private nonisolated static func load(
        from source: any CatalogSource,
        unless tag: String?,
        _ key: CatalogKey?
    ) async throws(LoadError) -> (CatalogRecord, Catalog)? {
        guard case .catalog(let body, let newTag) = try await source.catalog(unless: tag) else { return nil }
        let signature: Data? = if key != nil { try await source.signature() } else { nil }
        let record = CatalogRecord(source: source.name, tag: newTag, body: body, signature: signature)
        return (record, try record.catalog(signedBy: key))
    }

    /// Remembers the highest revision in a file that the system doesn't purge.
    package func rememberRevision(in file: URL) { memory = RevisionMemory(file: file, source: source.name) }

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
