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

    private let file: URL
    private let source: any CatalogSource
    private let key: CatalogKey?
    /// The record from which ``current`` was read; `nil` if it is the copy in the app.
    private var record: CatalogRecord?
    /// The record on the disk.
    private var saved: CatalogRecord?
    private var loading: Task<Void, Never>?

    /// Creates a loader with the copy in the app. ``load()`` reads the file.
    ///
    /// Between the copy in the app and the file, the one with the higher revision is used, or the file on a tie.
    ///
    /// - Parameters:
    ///   - bundledCatalog: The catalog in the app, for the first launch and for offline use. Its signature isn't
    ///     checked.
    ///   - file: The file for the catalog, its tag and its signature, such as one in *Application Support*. Its folder must
    ///     exist. From a file that the system purges, no revision is known, so an older catalog would be accepted.
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
        if publicKey != nil, !verifier.isAvailable { throw .noVerifier }
        self.file = file
        self.source = source
        key = publicKey.map { CatalogKey(publicKey: $0, verifier: verifier) }
        do { current = try ShopCatalog(json: bundledCatalog) } catch { throw .bundledCatalog(error) }
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
            let (saved, catalog) = try await Self.read(file, key)
            (self.saved, fileError) = (saved, nil)
            guard let saved, let catalog, catalog.revision >= current.revision else { return }
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
        let tag = record?.source == source.name ? record?.tag : nil
        let answer = try await Self.ask(source, unless: tag, key)
        // Only now the device may be unlocked.
        await load()
        answerDate = answer.date
        guard let new = answer.record, let catalog = answer.catalog else {
            await save()
            return nil
        }
        guard (0...ShopCatalog.maximumRevisionStep).contains(catalog.revision - current.revision) else {
            throw .revision(catalog.revision, inHand: current.revision)
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

    private func save() async {
        guard let record, record != saved else { return }
        do throws(LoadError) {
            try await Self.write(record, to: file)
            (saved, fileError) = (record, nil)
        } catch {
            fileError = error
        }
    }
}

// MARK: - Off the main actor, since a catalog can be large

private extension CatalogLoader {
    nonisolated static func read(
        _ file: URL,
        _ key: CatalogKey?
    ) async throws(LoadError) -> (CatalogRecord?, ShopCatalog?) {
        let record = try CatalogRecord(file)
        return (record, try record?.catalog(signedBy: key))
    }

    nonisolated static func write(_ record: CatalogRecord, to file: URL) async throws(LoadError) {
        try record.write(to: file)
    }

    nonisolated static func ask(
        _ source: any CatalogSource,
        unless tag: String?,
        _ key: CatalogKey?
    ) async throws(LoadError) -> (date: Date?, record: CatalogRecord?, catalog: ShopCatalog?) {
        let (answer, signature): (CatalogAnswer, Data?)
        do {
            answer = try await source.catalog(unless: tag)
            if case .unchanged(let date) = answer { return (date, nil, nil) }
            signature = if key != nil { try await source.signature() } else { nil }
        } catch { throw .download(error) }
        guard case .catalog(let body, let tag, let date) = answer else { return (nil, nil, nil) }
        let record = CatalogRecord(source: source.name, tag: tag, body: body, signature: signature)
        return (date, record, try record.catalog(signedBy: key))
    }

    nonisolated static func isSame(_ catalog: ShopCatalog, _ other: ShopCatalog) async -> Bool { catalog == other }
}
