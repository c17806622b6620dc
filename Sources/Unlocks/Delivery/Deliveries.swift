import ReferralFoundation

/// Delivers the grants in the book, as ``DeliveryState`` says. It turns calls and answers into events, performs effects, and
/// decides nothing.
@MainActor
final class Deliveries {
    /// The owner of the deliveries. It lives at least until a delivery ends.
    @MainActor
    protocol Owner: AnyObject {
        var catalog: ShopCatalog { get }
        var onProblem: (@MainActor (UnlocksProblem) -> Void)? { get }
        var store: any PurchaseStore { get }
        /// Called with what the store has unfinished, in which there may be a new purchase.
        func hear(_ statements: [StoreStatement])
        /// Called once a delivery is on the disk.
        func didDeliver(_ grant: Grant)
    }

    weak var owner: (any Owner)?

    private let book: Book
    private let observers: Observers
    private let clock: DeviceClock
    private let deliver: UnlockCenter.Deliver
    private let loader: any ContentLoader

    private var state = DeliveryState()
    /// What is still to be performed, in order.
    private var effects: [DeliveryState.Effect] = []
    private var loads: [Int: Task<Void, Never>] = [:]
    /// The resets that wait for an answer.
    private var calls: [Int: CheckedContinuation<UnlocksError?, Never>] = [:]
    private var lastCall = 0
    private var retry = WakeTimer()

    init(
        of book: Book,
        _ observers: Observers,
        clock: DeviceClock,
        _ loader: any ContentLoader,
        _ deliver: @escaping UnlockCenter.Deliver
    ) {
        self.book = book
        self.observers = observers
        self.clock = clock
        self.deliver = deliver
        self.loader = loader
    }

    deinit {
        retry.cancel()
        for load in loads.values { load.cancel() }
    }
}

// MARK: - What is known

extension Deliveries {
    /// The current delivery.
    var current: Delivery? { state.current }

    /// The grants that open nothing yet.
    var undelivered: some Sequence<Grant> { state.undelivered.compactMap { [book] in book.ledger[$0] } }

    /// The progress of an item's files; `nil` if none are being loaded.
    func progress(of item: ItemID) -> DownloadProgress? { state.loads[item]?.progress }

    /// An item whose files are being loaded.
    var loadingItem: ItemID? { state.loads.keys.min() }

    /// The item of a grant in the present catalog.
    func item(of grant: Grant) -> CatalogItem? { owner?.catalog.item(of: grant) }
}

// MARK: - What happens

extension Deliveries {
    /// Follows the records of grants that are new, or have changed.
    func follow(_ grants: [Grant]) { send(.recorded(grants.map(\.source))) }

    /// Loads the files that have changed in a new catalog.
    func followCatalog() { send(.catalogChanged) }

    /// Deletes the content of some grants, and delivers it again. Unlocks stay open.
    func reset(where isMeant: (Grant) -> Bool) async throws(UnlocksError) {
        try await book.ready()
        let sources = book.ledger.all.filter(isMeant).map(\.source)
        lastCall += 1
        let call = lastCall
        let failure = await withCheckedContinuation { continuation in
            calls[call] = continuation
            send(.resetAsked(call: call, Array(sources)))
        }
        if let failure { throw failure }
    }
}

// MARK: - How it is performed. Nothing is decided here.

extension Deliveries {
    /// Takes an event, and performs what follows.
    func send(_ event: DeliveryState.Event) {
        guard let owner else { return }
        let shown = (state.current, state.loads)
        let facts = DeliveryState.Facts(ledger: book.ledger, catalog: owner.catalog, now: book.now)
        effects += state.handle(event, facts, at: clock.steady)
        if shown != (state.current, state.loads) { observers.willChange() }
        while !effects.isEmpty { perform(effects.removeFirst(), for: owner) }
        retry.wait(until: state.nextWake, clock) { [weak self] in await self?.wake(at: $0) }
    }

    private func wake(at moment: Timestamp) {
        if retry.end(moment) { send(.woke(moment)) }
    }

    private func perform(_ effect: DeliveryState.Effect, for owner: any Owner) {
        switch effect {
        case .look(let number, let contents):
            ask(owner) { [self] in .looked(number, lost: await lost(of: contents)) }
        case .check(let number, let source):
            ask(owner) { [book] in .checked(number, isComplete: await book.isComplete(source.folderName)) }
        case .listUnfinished(let number):
            list(from: owner.store) { [weak self] store in
                let statements = await store.unfinishedTransactions()
                self?.owner?.hear(statements)
                return .listed(number, statements)
            }
        case .listHistory(let number): list(from: owner.store) { .listed(number, await $0.allTransactions()) }
        case .makeFolder(let number, let source):
            ask(owner) { [book] in
                .folderMade(
                    number,
                    await Result { () async throws(UnlocksError) in try await book.makeFolder(source.folderName) }
                )
            }
        case .install(let number, let files, let folder):
            ask(owner) { [self] in
                do throws(DownloadError) { try await install(files, in: folder) } catch {
                    return .installed(number, error)
                }
                return .installed(number, nil)
            }
        case .deliver(let number, let delivery):
            ask(owner) { [deliver] in
                do { try await deliver(delivery) } catch { return .delivered(number, error) }
                return .delivered(number, nil)
            }
        case .complete(let number, let grant):
            ask(owner) { [book] in
                .completed(
                    number,
                    await Result { () async throws(UnlocksError) in
                        try await book.completeFolder(grant.source.folderName, JournalEntry.grant(grant).json)
                    }
                )
            }
        case .record(let number, let source):
            ask(owner) { [book] in
                .deliveryRecorded(
                    number,
                    await Result { () async throws(UnlocksError) in
                        try await book.change { ledger throws(UnlocksError) in
                            let (entries, wasUsedUp) = DeliveryState.delivered(source, in: ledger)
                            return (entries, wasUsedUp)
                        }
                    }
                )
            }
        case .load(let number, let item, let source, let others): load(number, item, for: source, besides: others)
        case .remove(let number, let source):
            ask(owner) { [book] in
                do throws(UnlocksError) { try await book.removeFolder(source.folderName) } catch {
                    return .removed(number, source, error)
                }
                return .removed(number, source, nil)
            }
        case .cancelLoad(let number): loads[number]?.cancel()
        case .report(let problem): owner.onProblem?(problem)
        case .tell(let grant): owner.didDeliver(grant)
        case .resume(let call, let failure): calls.removeValue(forKey: call)?.resume(returning: failure)
        }
    }

    /// Performs an effect that is answered. The owner lives until then.
    func ask(_ owner: any Owner, _ answer: @escaping @MainActor () async -> DeliveryState.Event) {
        Task { [weak self] in
            let event = await answer()
            withExtendedLifetime(owner) { self?.send(event) }
        }
    }

    /// Performs an effect that the store answers, perhaps never.
    func list(
        from store: any PurchaseStore,
        _ answer: @escaping @MainActor (any PurchaseStore) async -> DeliveryState.Event
    ) {
        Task { [weak self] in
            let event = await answer(store)
            self?.send(event)
        }
    }

    func load(
        _ number: Int,
        _ item: CatalogItem,
        for source: Grant.Source,
        besides others: [DeliveryState.Content]
    ) {
        let (progress, reports) = AsyncStream.makeStream(
            of: DownloadProgress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let folder = book.folder(source.folderName)
        let contents = others.map { [book] in
            DeliveredContent(folder: book.folder($0.source.folderName), files: $0.files ?? [])
        }
        loads[number] = Task { [weak self, loader] in
            var result: Result<Bool, ContentDownloads.Failure>
            do throws(ContentDownloads.Failure) {
                result = .success(try await loader.load(item.files, into: folder, besides: contents, reports))
            } catch { result = .failure(error) }
            reports.finish()
            guard let self else { return }
            loads[number] = nil
            send(.loaded(number, item.id, result))
        }
        Task { [weak self] in for await progress in progress { self?.send(.loadProgressed(number, item.id, progress)) }
        }
    }

    /// The grants without a complete folder, or without the files that the catalog names now. If it names none for an item,
    /// those of an earlier catalog are removed.
    func lost(of contents: [DeliveryState.Content]) async -> [Grant.Source] {
        guard let names = try? await book.completeFolders() else { return [] }
        var lost: [Grant.Source] = []
        for content in contents {
            let name = content.source.folderName
            if names.contains(name), await has(content.files, in: book.folder(name)) { continue }
            lost.append(content.source)
        }
        return lost
    }

    func has(_ files: [CatalogItem.File]?, in folder: URL) async -> Bool {
        guard let files else { return true }
        guard files.isEmpty else { return await loader.has(files, in: folder) }
        // Folders that can't be removed now are removed at the next launch.
        try? await install(files, in: folder)
        return true
    }

    func install(_ files: [CatalogItem.File], in folder: URL) async throws(DownloadError) {
        // Most items have no files, and never had any.
        if files.isEmpty, await loader.has(files, in: folder) { return }
        try await loader.install(files, in: folder)
    }
}
