import ReferralFoundation

extension UnlockCenter {
    /// Deletes all content, and delivers it again. Open unlocks stay open.
    ///
    /// - Throws: ``UnlocksError`` if the folder isn't open.
    public func reset() async throws(UnlocksError) { try await reset { _ in true } }

    /// Deletes the content of an item, and delivers it again. Its unlocks stay open.
    ///
    /// - Throws: ``UnlocksError`` if the folder isn't open.
    public func deliverAgain(_ item: ItemID) async throws(UnlocksError) {
        try await reset { (catalog.item(of: $0)?.id ?? $0.item) == item }
    }

    private func reset(where isMeant: (Grant) -> Bool) async throws(UnlocksError) {
        let sources = try await book.change { ledger throws(UnlocksError) in
            ([], ledger.all.filter(isMeant).map(\.source))
        }
        handle(.resetAsked(sources))
    }

    /// The grants that open nothing yet.
    var undelivered: some Sequence<Grant> {
        book.ledger.all.lazy.filter { [ledger = book.ledger] in $0.isDue && ledger.isPresent($0) }
    }
}

// MARK: - How DeliveryState is performed. Nothing is decided here.

extension UnlockCenter {
    /// Handles an event of the deliveries, and performs what follows.
    func handle(_ event: DeliveryState.Event) {
        let facts = DeliveryState.Facts(ledger: book.ledger, catalog: catalog, now: now)
        deliveryEffects += deliveries.handle(event, facts, at: clock.steady)
        while !deliveryEffects.isEmpty { perform(deliveryEffects.removeFirst()) }
        observers.publish { changes }
        deliveryTimer.wait(until: deliveries.nextWake, clock) { [weak self] in await self?.wakeDeliveries(at: $0) }
    }

    private func wakeDeliveries(at moment: Timestamp) {
        if deliveryTimer.end(moment) { handle(.woke(moment)) }
    }

    private func perform(_ effect: DeliveryState.Effect) {
        let storage = book.storage
        switch effect {
        case .look(let number, let contents): answer { .looked(number, lost: await $0.lost(of: contents)) }
        case .makeFolder(let number, let source, let files):
            answer { center in
                .folderMade(
                    number,
                    await Result {
                        let folder = try await storage.makeFolder(source.folderName)
                        if let files { try await center.install(files, in: folder) }
                        return folder
                    }
                )
            }
        case .deliver(let number, let delivery):
            answer { center in .delivered(number, await Result { try await center.deliver(delivery) }.failure) }
        case .complete(let number, let grant):
            let (name, description) = (grant.source.folderName, Journal.text(of: [.grant(grant)]))
            answer { center in
                let result = await Result { () async throws(UnlocksError) -> Bool? in
                    guard try await storage.completeFolder(name, description) else { return nil }
                    return try await center.book.change { ledger throws(UnlocksError) in
                        DeliveryState.delivered(grant.source, in: ledger)
                    }
                }
                return .completed(number, result)
            }
        case .load(let number, let item, let source, let others): load(number, item, for: source, besides: others)
        case .remove(let number, let source):
            answer { _ in
                let result = await Result { () async throws(UnlocksError) in
                    try await storage.removeFolder(source.folderName)
                }
                return .removed(number, source, result.failure)
            }
        case .cancelLoad(let number): loads[number]?.cancel()
        case .report(let problem): onProblem?(problem)
        case .tell(let grant): if case .purchase = grant.source { send(.delivered) }
        }
    }

    /// Performs an effect that is answered. The center lives until then.
    private func answer(_ event: @escaping @MainActor (UnlockCenter) async -> DeliveryState.Event) {
        Task { handle(await event(self)) }
    }

    private func load(
        _ number: Int,
        _ item: CatalogItem,
        for source: Grant.Source,
        besides others: [DeliveryState.Content]
    ) {
        let (progress, reports) = AsyncStream.makeStream(
            of: DownloadProgress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let folder = book.storage.folder(source.folderName)
        let contents = others.map { [book] in
            DeliveredContent(folder: book.storage.folder($0.source.folderName), files: $0.files ?? [])
        }
        loads[number] = Task { [weak self, loader = downloads] in
            let result = await Result { () async throws(ContentDownloads.Failure) in
                _ = try await loader.load(item.files, into: folder, besides: contents, reports)
            }
            reports.finish()
            self?.loads[number] = nil
            self?.handle(.loaded(number, item.id, result.failure))
        }
        Task { [weak self] in
            for await progress in progress { self?.handle(.loadProgressed(number, item.id, progress)) }
        }
    }

    /// The grants without a complete folder, or without the files that the catalog names now. If it names none for an item,
    /// those of an earlier catalog are removed.
    private func lost(of contents: [DeliveryState.Content]) async -> [Grant.Source] {
        guard let names = try? await book.storage.completeFolders() else { return [] }
        var lost: [Grant.Source] = []
        for content in contents {
            let name = content.source.folderName
            if names.contains(name), await has(content.files, in: book.storage.folder(name)) { continue }
            lost.append(content.source)
        }
        return lost
    }

    private func has(_ files: [CatalogItem.File]?, in folder: URL) async -> Bool {
        guard let files else { return true }
        guard files.isEmpty else { return await downloads.has(files, in: folder) }
        // Folders that can't be removed now are removed at the next launch.
        try? await install(files, in: folder)
        return true
    }

    private func install(_ files: [CatalogItem.File], in folder: URL) async throws(DownloadError) {
        // Most items have no files, and never had any.
        if files.isEmpty, await downloads.has(files, in: folder) { return }
        try await downloads.install(files, in: folder)
    }
}
