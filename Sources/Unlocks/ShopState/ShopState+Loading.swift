/// The files of items, beside the deliveries.
extension ShopState {
    /// The loading of an item's files.
    struct Load: Sendable, Equatable {
        let source: Grant.Source
        let item: CatalogItem
        let number: Int
        var progress: DownloadProgress?
        var isCancelled = false
    }

    mutating func load(_ item: CatalogItem, for grant: Grant, _ facts: Facts) {
        move(grant.source, to: .loading)
        let others = contents(of: facts)
        let contentGuard = contentGuard(of: item, for: grant.source)
        let number = ask { .load($0, item, grant.source, by: contentGuard, besides: others) }
        loads[item.id] = Load(source: grant.source, item: item, number: number)
    }

    /// Whether the files of a grant are being loaded for another one, so that it can copy them then, or need a proof that the store
    /// hasn't told in this launch.
    func waitsForFiles(_ source: Grant.Source, _ facts: Facts) -> Bool {
        guard let item = facts.ledger[source].flatMap(facts.catalog.item(of:)), !item.files.isEmpty,
            entries[source]?.loaded != item.files, entries[source]?.isOver != true
        else { return false }
        return loads[item.id] != nil || lacksProof(of: item, for: source)
    }

    /// The latest content of each item.
    private func contents(of facts: Facts) -> [Content] {
        var latest: [ItemID: Content] = [:]
        for grant in facts.ledger.all where grant.isGranted && entries[grant.source] == nil {
            guard let item = facts.catalog.item(of: grant), !item.files.isEmpty else { continue }
            latest[item.id] = Content(source: grant.source, files: item.files)
        }
        return latest.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func cancelLoads(where isMeant: (Load) -> Bool) {
        for (item, load) in loads.sorted(by: { $0.key < $1.key }) where !load.isCancelled && isMeant(load) {
            loads[item]?.isCancelled = true
            perform(.cancelLoad(load.number))
        }
    }

    mutating func endLoad(_ number: Int, of item: ItemID, _ failure: ContentDownloads.Failure?, _ facts: Facts) {
        guard let load = loads[item], load.number == number else { return }
        loads[item] = nil
        let source = load.source
        note(failure?.error, from: load.item, about: source, facts)
        if entries[source]?.phase != .loading {
            beginRemoval(of: source)
        } else if let failure, failure.error != .cancelled, entries[source]?.isOver == false {
            let pause = backOff(source, hasProgressed: failure.hasProgressed)
            perform(.report(.notDownloaded(item: item, path: failure.path, failure.error, retryAfter: pause)))
        } else {
            if failure == nil { entries[source]?.loaded = load.item.files }
            putInLine(source)
        }
    }

    /// Follows a new catalog: loads that are out of date end, and content is delivered again as the catalog names it now.
    mutating func deliver(by catalog: ShopCatalog, _ facts: Facts) {
        cancelLoads { catalog.item(named: $0.item.id)?.files != $0.item.files }
        let loading = Set(loads.values.filter { !$0.isCancelled }.map(\.source))
        for (source, entry) in entries where facts.ledger[source]?.isDue != true && !loading.contains(source) {
            // It may be what the catalog names now.
            if [.due, .loading, .backingOff].contains(entry.phase) { drop(source) }
        }
        lookAgainForLostContent()
    }
}
