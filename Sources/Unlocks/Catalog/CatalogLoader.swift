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

    /// The server's date in the latest valid answer that came over https; `nil` if there is none, or if the answer is from a cache.
    private(set) var answerDate: Date?

    private let file: URL
    private let source: any CatalogSource
    private let isSigned: CatalogRecord.Check?
    /// The record from which ``current`` was read; `nil` if it is the copy in the app.
    private var record: CatalogRecord?
    /// Whether the record is in the file.
    private var isSaved = true
    private var loading: Task<Void, Never>?

    /// Creates a loader with the copy in the app. ``load()`` reads the file.
    ///
    /// Between the copy in the app and the file, the one with the higher revision is used, or the file on a tie.
    ///
    /// - Parameters:
    ///   - bundledCatalog: The catalog in the app, for the first launch and for offline use. Its signature isn't
    ///     checked.
    ///   - file: The file for the catalog and its signature, such as one in *Application Support*. Its folder must
    ///     exist. From a file that the system purges, no revision is known, so an older catalog would be accepted.
    ///   - source: The source of new catalogs.
    ///   - publicKey: An Ed25519 key. If you pass one, only catalogs signed by the key's owner are accepted.
    ///   - verifier: Checks the signature. The system's is missing on systems other than Apple's, and accepts nothing there.
    /// - Throws: ``LoadError/bundledCatalog(_:)``. If the file can't be used, the copy in the app is.
    public init(
        bundledCatalog: Data,
        file: URL,
        source: any CatalogSource,
        publicKey: PublicKey? = nil,
        verifier: any SignatureVerifier = SystemVerifier()
    ) throws(LoadError) {
        self.file = file
        self.source = source
        isSigned = publicKey.map { key -> CatalogRecord.Check in { verifier.isValid($0, for: $1, publicKey: key) } }
        do { current = try ShopCatalog(json: bundledCatalog) } catch { throw .bundledCatalog(error) }
    }

    /// Reads the file, once. ``refresh()`` and ``UnlockCenter/start()`` also do this first.
    ///
    /// A file that can't be read, such as one on a locked device, is read again at the next call.
    public func load() async {
        if loading == nil {
            loading = Task {
                guard let (record, catalog) = await Self.read(file, isSigned) else { return loading = nil }
                if catalog.revision >= current.revision { (self.record, current) = (record, catalog) }
            }
        }
        await loading?.value
    }

    /// Asks the source for a newer catalog, and keeps it if it is valid.
    ///
    /// - Returns: The new catalog, which is now ``current``; `nil` if there is none.
    /// - Throws: Why there is no new catalog. ``current`` is unchanged.
    public func refresh() async throws(LoadError) -> ShopCatalog? {
        await load()
        let (new, catalog) = try await Self.ask(source, besides: record, isSigned)
        // Only now the device may be unlocked.
        await load()
        let isNew = try isNew(catalog)
        answerDate = new.date == record?.date ? nil : new.date
        if let catalog { (record, current, isSaved) = (new, catalog, false) }
        if !isSaved, let record { isSaved = await Self.write(record, to: file) }
        return isNew ? catalog : nil
    }

    /// Whether a catalog follows the current one; `nil` is that one.
    private func isNew(_ catalog: ShopCatalog?) throws(LoadError) -> Bool {
        guard let catalog, catalog != current else { return false }
        guard catalog.revision > current.revision else {
            let reason =
                catalog.revision < current.revision
                ? "It has revision \(catalog.revision), which is lower than \(current.revision), the current one."
                : "It says something else than the current one, and has the same revision, \(current.revision)."
            throw .refused(reason: reason)
        }
        return true
    }
}

// MARK: - Off the main actor, since a catalog can be large

private extension CatalogLoader {
    nonisolated static func read(_ file: URL, _ isSigned: CatalogRecord.Check?) async -> (CatalogRecord, ShopCatalog)? {
        guard let record = try? JSONDecoder().decode(CatalogRecord.self, from: Data(contentsOf: file)),
            let catalog = try? record.catalog(isSigned)
        else { return nil }
        return (record, catalog)
    }

    /// Keeps the record for later launches; returns whether it could. Otherwise the next answer writes it.
    nonisolated static func write(_ record: CatalogRecord, to file: URL) async -> Bool {
        guard let json = try? JSONEncoder().encode(record) else { return false }
        return (try? OpenFile<DownloadError>.replace(file, with: Array(json))) != nil
    }

    /// The source's answer; without a catalog if that is the known one.
    nonisolated static func ask(
        _ source: any CatalogSource,
        besides known: CatalogRecord?,
        _ isSigned: CatalogRecord.Check?
    ) async throws(LoadError) -> (CatalogRecord, ShopCatalog?) {
        let record: CatalogRecord
        do throws(DownloadError) {
            let (body, date) = try await source.catalog()
            let isKnown = body == known?.body
            let signature = isSigned != nil && !isKnown ? try await source.signature() : known?.signature
            record = CatalogRecord(body: body, signature: signature, date: date)
            if isKnown { return (record, nil) }
        } catch { throw .download(error) }
        return (record, try record.catalog(isSigned))
    }
}

// MARK: - Errors

extension CatalogLoader {
    /// Why a catalog couldn't be loaded. The last valid catalog remains in use.
    public enum LoadError: Error, Sendable, Equatable {
        /// The copy in the app isn't a valid catalog. Check it with `referral-tool catalog` before each release.
        case bundledCatalog(CatalogError)

        /// The source didn't send the catalog or its signature.
        case download(DownloadError)

        /// The answer isn't a catalog that may follow the current one: it is invalid, its signature is missing or wrong, or
        /// its revision isn't higher although it says something else. The reason is a sentence. Mend what is on the server.
        case refused(reason: String)
    }
}

extension CatalogLoader.LoadError: DescribedError {
    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .bundledCatalog(let error): "The copy in the app can't be used. \(reason: error.description)"
        case .download(let error): "The catalog or its signature can't be loaded. \(reason: error.description)"
        case .refused(let reason): "The new catalog is refused. \(reason: reason)"
        }
    }
}
