public import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The newest good catalogue: of the copy in the app, the file on disk and a source.
///
/// ```swift
/// let loader = try CatalogueLoader(appCopy: json, file: caches.appending(path: "catalogue"), source: source)
/// await loader.load()
/// show(loader.current)
/// if let new = try await loader.refresh() { show(new) }
/// ```
///
/// The last good catalogue stays, whatever happens. A catalogue counts after ``Catalogue/staleAfter`` too. A loader that is
/// passed to ``Unlocks/Unlocks`` remembers the revision in the folder of the unlocks. So if the system purges the caches
/// folder, the source still can't bring back an older catalogue.
@MainActor
public final class CatalogueLoader {
    /// The newest good catalogue.
    public private(set) var current: Catalogue

    /// Why the file doesn't count, or couldn't be written; `nil` if nothing is wrong with it.
    ///
    /// A new catalogue counts until the app ends, even if it couldn't be written. The next ``refresh()`` tries again.
    public private(set) var fileError: LoadError?

    private let files: CatalogueFiles
    private let source: any CatalogueSource
    private let key: CatalogueKey?
    /// What ``current`` came from; `nil` if it is the copy in the app.
    private var record: CatalogueRecord?
    private var loading: Task<Void, Never>?
    /// Where the highest revision is remembered; `nil` if nowhere.
    private var memory: RevisionMemory?

    /// Creates a loader, with the copy in the app. ``load()`` reads the file.
    ///
    /// Of the copy in the app and the file the one with the higher revision counts. If both have the same one, the file does.
    ///
    /// - Parameters:
    ///   - appCopy: The catalogue that is in the app, for the first launch and for offline. Its signature isn't checked.
    ///   - file: Where the catalogue is kept, with its tag and signature, such as in the caches folder. Its folder must exist.
    ///   - source: Where new catalogues come from.
    ///   - publicKey: An Ed25519 key, 32 bytes. With it only a catalogue counts that the key's owner signed.
    ///   - verifier: What checks the signature; `nil` is the system's.
    /// - Throws: ``LoadError/appCopy(_:)``, ``LoadError/invalidPublicKey``, or ``LoadError/noVerifier`` if there is a key
    ///   and the system has no verifier. A wrong file throws nothing: see ``fileError``.
    public init(
        appCopy: Data,
        file: URL,
        source: any CatalogueSource,
        publicKey: Data? = nil,
        verifier: (any SignatureVerifier)? = nil
    ) throws(LoadError) {
        self.source = source
        key = if let publicKey { try CatalogueKey(publicKey, verifier ?? SystemVerifier.verifier) } else { nil }
        do { current = try Catalogue(json: appCopy) } catch { throw .appCopy(error) }
        files = CatalogueFiles(file)
    }

    /// Reads the file, once. ``refresh()`` does so first, and so does a shop that starts.
    public func load() async {
        if loading == nil { loading = Task { await readFile() } }
        await loading?.value
    }

    private func readFile() async {
        do throws(LoadError) {
            guard let (saved, catalogue) = try await files.read(key), catalogue.revision >= current.revision else {
                return
            }
            (record, current) = (saved, catalogue)
        } catch {
            fileError = error
        }
    }

    /// Asks the source for a newer catalogue, and keeps it if it is good.
    ///
    /// - Returns: The new catalogue, which is ``current`` now; `nil` if there is nothing new.
    /// - Throws: Why there is no new catalogue. ``current`` is what it was.
    public func refresh() async throws(LoadError) -> Catalogue? {
        await load()
        let remembered = await files.rememberedRevision(in: memory)
        let isLatest = record?.source == source.name && current.revision >= remembered
        let tag = isLatest ? record?.tag : nil
        guard let (new, catalogue) = try await Self.load(from: source, unless: tag, key) else {
            await save()
            return nil
        }
        // Meanwhile, another call may have brought a newer one.
        let least = max(current.revision, remembered)
        guard catalogue.revision >= least else { throw .olderRevision(catalogue.revision, inHand: least) }
        let isNew = catalogue != current
        guard !isNew || catalogue.revision > current.revision else { throw .sameRevision(catalogue.revision) }
        (record, current) = (new, catalogue)
        await save()
        return isNew ? catalogue : nil
    }

    /// Reads off the main actor, since a catalogue can be large.
    private nonisolated static func load(
        from source: any CatalogueSource,
        unless tag: String?,
        _ key: CatalogueKey?
    ) async throws(LoadError) -> (CatalogueRecord, Catalogue)? {
        guard case .catalogue(let body, let newTag) = try await source.catalogue(unless: tag) else { return nil }
        let signature: Data? = if key != nil { try await source.signature() } else { nil }
        let record = CatalogueRecord(source: source.name, tag: newTag, body: body, signature: signature)
        return (record, try record.catalogue(signedBy: key))
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
