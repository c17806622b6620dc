import ReferralFoundation

extension UnlockCenter {
    /// Deletes all content, and delivers it again. Open unlocks stay open.
    ///
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. Call it again to continue.
    public func reset() async throws(UnlocksError) { try await reset { _ in true } }

    /// Deletes the content of an item, and delivers it again. Its unlocks stay open.
    ///
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. Call it again to continue.
    public func deliverAgain(_ item: ItemID) async throws(UnlocksError) {
        try await reset { (catalog.item(of: $0)?.id ?? $0.item) == item }
    }

    private func reset(where isMeant: (Grant) -> Bool) async throws(UnlocksError) {
        let sources = try await book.change { ledger throws(UnlocksError) in
            ([], ledger.all.filter(isMeant).map(\.source))
        }
        lastCall += 1
        let call = lastCall
        let reply = await withCheckedContinuation { continuation in
            calls[call] = continuation
            handle(.resetAsked(call: call, sources))
        }
        if case .reset(let failure?) = reply { throw failure }
    }

    /// The grants that open nothing yet.
    var undelivered: some Sequence<Grant> { deliveries.undelivered.compactMap { [book] in book.ledger[$0] } }
}

// MARK: - How DeliveryState is performed. Nothing is decided here.

extension UnlockCenter {
    /// Takes an event of the deliveries, and performs what follows.
    func handle(_ event: DeliveryState.Event) {
        let shown = (deliveries.current, deliveries.loads)
        let facts = DeliveryState.Facts(ledger: book.ledger, catalog: catalog, now: now)
        deliveryEffects += deliveries.handle(event, facts, at: clock.steady)
        if shown != (deliveries.current, deliveries.loads) { observers.willChange() }
        while !deliveryEffects.isEmpty { perform(deliveryEffects.removeFirst()) }
        deliveryTimer.wait(until: deliveries.nextWake, clock) { [weak self] in await self?.wakeDeliveries(at: $0) }
    }

    private func wakeDeliveries(at moment: Timestamp) {
        if deliveryTimer.end(moment) { handle(.woke(moment)) }
    }

    private func perform(_ effect: DeliveryState.Effect) {
        let storage = book.storage
        switch effect {
        case .look(let number, let contents): answer { .looked(number, lost: await $0.lost(of: contents)) }
        case .check(let number, let source):
            answer { _ in
                let names = try? await storage.completeFolders()
                return .checked(number, isComplete: names?.contains(source.folderName) ?? false)
            }
        case .makeFolder(let number, let source):
            answer { _ in
                let folder = await Result { () async throws(UnlocksError) in
                    try await storage.makeFolder(source.folderName)
                }
                return .folderMade(number, folder)
            }
        case .install(let number, let files, let folder):
            answer { center in
                let result = await Result { () async throws(DownloadError) in
                    try await center.install(files, in: folder)
                }
                return .installed(number, result.failure)
            }
        case .deliver(let number, let delivery):
            answer { center in .delivered(number, await Result { try await center.deliver(delivery) }.failure) }
        case .complete(let number, let grant):
            let (name, description) = (grant.source.folderName, Journal.text(of: [.grant(grant)]))
            answer { _ in
                let isThere = await Result { () async throws(UnlocksError) in
                    try await storage.completeFolder(name, description)
                }
                return .completed(number, isThere)
            }
        case .record(let number, let source):
            answer { .deliveryRecorded(number, await $0.saved { DeliveryState.delivered(source, in: $0) }) }
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
        case .resume(let call, let failure): calls.removeValue(forKey: call)?.resume(returning: .reset(failure))
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
                try await loader.load(item.files, into: folder, besides: contents, reports)
            }
            reports.finish()
            self?.loads[number] = nil
            self?.handle(.loaded(number, item.id, result))
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
