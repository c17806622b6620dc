import ReferralFoundation

/// Loads the files of grants, beside the deliveries: of each item for one grant at a time.
@MainActor
final class FileLoading {
    private struct Current {
        let source: Grant.Source
        let item: CatalogItem
        let task: Task<Void, Never>
        var progress: DownloadProgress?
    }

    /// The files that were loaded and aren't delivered yet, and whether there are any new ones.
    private var loaded: [Grant.Source: (files: [CatalogItem.File], isNew: Bool)] = [:]
    /// What is being loaded now. A server that never answers holds up its own item alone.
    private var current: [ItemID: Current] = [:]
    private let loader: any ContentLoader
    private let observers: Observers

    init(_ loader: any ContentLoader, _ observers: Observers) {
        self.loader = loader
        self.observers = observers
    }

    deinit { for current in current.values { current.task.cancel() } }

    /// The items whose files are being loaded.
    var items: some Sequence<ItemID> { current.keys }

    /// Whether files of an item are being loaded.
    func isLoading(_ item: ItemID) -> Bool { current[item] != nil }

    /// The progress of an item's files; `nil` if none are being loaded.
    func progress(of item: ItemID) -> DownloadProgress? { current[item]?.progress }

    /// Whether there is something new to install in a grant's folder; `nil` if its files aren't loaded yet.
    func hasNew(_ files: [CatalogItem.File], for source: Grant.Source) -> Bool? {
        loaded[source].flatMap { $0.files == files ? $0.isNew : nil }
    }

    /// Loads the files of an item, and reports the failure if there is one.
    func load(
        _ item: CatalogItem,
        for source: Grant.Source,
        into folder: URL,
        besides others: [DeliveredContent],
        _ end: @escaping @MainActor (ContentDownloads.Failure?) -> Void
    ) {
        let (progress, reports) = AsyncStream.makeStream(
            of: DownloadProgress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let task = Task { [weak self, loader] in
            var (failure, isNew): (ContentDownloads.Failure?, Bool) = (nil, false)
            do throws(ContentDownloads.Failure) {
                isNew = try await loader.load(item.files, into: folder, besides: others, reports)
            } catch {
                failure = error
            }
            reports.finish()
            guard let self else { return }
            observers.willChange()
            current[item.id] = nil
            if failure == nil { loaded[source] = (item.files, isNew) }
            end(failure)
        }
        observers.willChange()
        current[item.id] = Current(source: source, item: item, task: task)
        Task { [weak self] in for await progress in progress { self?.show(progress, of: item.id, source) } }
    }

    private func show(_ progress: DownloadProgress, of item: ItemID, _ source: Grant.Source) {
        guard current[item]?.source == source else { return }
        observers.willChange()
        current[item]?.progress = progress
    }

    /// Forgets that files were loaded.
    func forgetLoaded(_ source: Grant.Source) { loaded[source] = nil }

    /// Ends the loading of a grant's files into a folder, and forgets that they were loaded.
    func end(_ source: Grant.Source, in folder: URL) async {
        if let current = current.values.first(where: { $0.source == source }) {
            current.task.cancel()
            await current.task.value
        }
        // An earlier process may have begun it.
        loader.cancelAll(in: folder)
        loaded[source] = nil
    }

    /// Ends the loading if the catalog names other files now.
    func follow(_ catalog: ShopCatalog) {
        for (id, current) in current where catalog.item(named: id)?.files != current.item.files {
            current.task.cancel()
        }
    }
}
