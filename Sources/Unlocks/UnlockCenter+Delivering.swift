import ReferralFoundation

extension UnlockCenter {
    /// Deletes all content that can be loaded again, and delivers it again. Open unlocks stay open.
    ///
    /// - Throws: ``UnlocksError`` if the folder isn't open.
    public func reset() async throws(UnlocksError) { try await reset { _ in true } }

    /// Deletes the content of an item, if it can be loaded again, and delivers it again. Its unlocks stay open.
    ///
    /// - Throws: ``UnlocksError`` if the folder isn't open.
    public func deliverAgain(_ item: ItemID) async throws(UnlocksError) {
        try await reset { (catalog.item(of: $0)?.id ?? $0.item) == item }
    }

    private func reset(where isMeant: (Grant) -> Bool) async throws(UnlocksError) {
        let sources = try await book.change { ledger throws(UnlocksError) in
            ([], ledger.all.filter(isMeant).map(\.source))
        }
        send(.resetAsked(sources))
    }
}

// MARK: - Folders and files

extension UnlockCenter {
    func makeFolder(_ source: Grant.Source, _ files: [CatalogItem.File]?) async throws -> URL {
        let folder = try await book.storage.makeFolder(source.folderName)
        if let files { try await install(files, in: folder) }
        return folder
    }

    /// Marks a folder as complete, and records the delivery.
    ///
    /// - Returns: Whether the folder still exists.
    func complete(_ grant: Grant) async -> Result<Bool, UnlocksError> {
        await Result { () async throws(UnlocksError) in
            let description = Journal.text(of: [.grant(grant)])
            guard try await book.storage.completeFolder(grant.source.folderName, description) else { return false }
            try await book.change { ledger throws(UnlocksError) in (ledger.delivered(grant.source), ()) }
            return true
        }
    }

    func load(
        _ number: Int,
        _ item: CatalogItem,
        for source: Grant.Source,
        by contentGuard: ContentGuard?,
        besides others: [ShopState.Content]
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
                _ = try await loader.load(item.files, by: contentGuard, into: folder, besides: contents, reports)
            }
            reports.finish()
            self?.loads[number] = nil
            self?.send(.loaded(number, item.id, result.failure))
        }
        Task { [weak self] in
            for await progress in progress { self?.send(.loadProgressed(number, item.id, progress)) }
        }
    }

    /// The grants without a complete folder, or without the files that the catalog names now. If it names none for an item,
    /// those of an earlier catalog are removed.
    func lost(of contents: [ShopState.Content]) async -> [Grant.Source] {
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
