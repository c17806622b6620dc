import Foundation
import ReferralBridge

@testable import Unlocks

/// The files of the catalog: from the server onto the disk, before the app's own delivery.
extension ShopHistoryRun {
    /// What is known of the files of a folder.
    struct Loading {
        /// The number of bytes of each file that have come and aren't needed again.
        var kept: [Character: Int] = [:]
        /// The files that the app has delivered, until the folder is complete.
        var delivered: [CatalogItem.File]?
        /// Whether the loading may be cancelled: for other files, or for a refund or a reset.
        var mayBeCancelled = false
        /// How often they were to be loaded, and none was missing.
        var looks = 0
        /// Whether the app has delivered what is in the folder, and whether a new file got its place there since.
        var isDelivered = false
        var hasNew = false
    }

    /// What a process has tried in vain.
    struct Attempts {
        /// Those without any progress.
        var failures = 0
        /// The moment on the device's clock before which nothing is tried again.
        var earliest = Date.distantPast
    }

    func prepareFiles(_ shop: Shop) {
        let loader = shop.loader
        loader.willLoad = { [unowned self, unowned shop] in
            checkProof($2, of: $0)
            willLoad($0, $1, in: shop)
        }
        loader.didProve = { [unowned self, unowned shop] in didProve($0, $1, in: shop) }
        loader.didLoad = { [unowned self, unowned shop] in didLoad($0, $1, in: shop) }
        loader.willInstall = { [unowned self, unowned shop] in
            guard case .install(let count) = ending else { return }
            if count > 0 { ending = .install(count - 1) } else { endNow(shop) }
        }
        loader.didPlace = { [unowned self] in loadings[$0, default: Loading()].hasNew = true }
        loader.willAsk = { [unowned self] in willAsk($0, $1, from: $2) }
        loader.didKeep = { [unowned self] in loadings[$0, default: Loading()].kept[$1.content] = $2 }
        shop.storage.willRemove = { [unowned self, unowned shop] folder in
            if shop.loader.loading.contains(where: { $0.folder == folder }) {
                violate("\(folder) is removed while its files are loaded")
            }
            checkRemoval(of: folder)
            // On a slow disk, that is long after the user wanted it.
            forgetFiles(of: folder)
            loadings[folder]?.isDelivered = false
        }
        shop.storage.willComplete = { [unowned self] in willComplete($0) }
    }

    /// The item of a folder; `nil` for a reward.
    private func item(of folder: String) -> ItemID? {
        if folder.hasPrefix("free-") { return "starter" }
        guard folder.hasPrefix("purchase-"), let truth = truths[String(folder.dropFirst("purchase-".count))] else {
            return nil
        }
        let product = truth.current.productID
        return product == "gold" ? "gold-pack" : product == "everything" ? "all" : ItemID(product.rawValue)
    }

    private func files(of folder: String) -> ContentFiles? { shop.storage.disk.files[folder] }

    // MARK: Events

    /// Uses another catalog.
    func use(_ version: ShopHistory.Version, _ facts: CatalogFacts) {
        for (folder, loading) in loadings {
            guard let item = item(of: folder) else { continue }
            if facts.files[item] != self.facts.files[item] { loadings[folder]?.mayBeCancelled = true }
            let needed = Set(facts.files[item, default: []].map(\.content))
            // What no file of the catalog needs isn't kept.
            loadings[folder]?.kept = loading.kept.filter { needed.contains($0.key) }
        }
        self.facts = facts
        used[version] = facts
        leastEvery = min(leastEvery, facts.every ?? leastEvery)
        if version == .other { wasOther = true }
        if facts.hasOtherKinds { hadOtherKinds = true }
        catalogChanges += hasOther ? 2 : 1
    }

    /// The server's files have other tags.
    func changeServer() {
        shop.web.version += 1
        for (folder, loading) in loadings {
            // What is whole is kept.
            loadings[folder]?.kept = loading.kept.filter { CatalogItem.File.length(of: $0.key) == $0.value }
        }
    }

    func downloadAgain(_ item: ItemID, _ unlocks: UnlockCenter) {
        // In a catalog in which anything was something else, the name may be another item's.
        for id in order where self.item(of: "purchase-\(id)") == item {
            truths[id]?.allowedDeliveries += 1
            removable.insert("purchase-\(id)")
            forgetFiles(of: "purchase-\(id)")
        }
        for folder in loadings.keys where self.item(of: folder) == item { forgetFiles(of: folder) }
        Task { try? await unlocks.deliverAgain(item) }
    }

    /// All files may go, and what waits is tried at once.
    func forgetFiles() {
        for folder in Set(loadings.keys).union(order.map { "purchase-\($0)" }) { forgetFiles(of: folder) }
    }

    func forgetFiles(of folder: String) {
        loadings[folder, default: Loading()].kept = [:]
        loadings[folder]?.mayBeCancelled = true
        for process in attempts.keys { attempts[process]?[folder] = nil }
    }

    /// Pauses end with the process, and when the clock is set.
    func endPauses(of shop: Shop? = nil) {
        guard let shop else { return attempts = [:] }
        attempts[ObjectIdentifier(shop)] = [:]
        refusals[ObjectIdentifier(shop)] = [:]
    }

    // MARK: What the app does

    private func willLoad(_ folder: String, _ files: [CatalogItem.File], in shop: Shop) {
        guard !shop.storage.hasEnded else { return }
        loadWakings = 0
        // From now on, a catalog with other files may cancel it.
        loadings[folder] = loadings[folder] ?? Loading()
        guard let item = item(of: folder) else { return violate("\(folder) has no files") }
        if let other = shop.loader.loading.first(where: { self.item(of: $0.folder) == item }) {
            violate("\(folder) is loaded beside \(other.folder)")
        }
        if !used.values.contains(where: { $0.files[item, default: []] == files }) {
            violate("\(folder) has no such files")
        }
        if let earliest = attempts[ObjectIdentifier(shop)]?[folder]?.earliest, shop.now.date < earliest - 0.01 {
            violate("\(folder) is tried again \(earliest.timeIntervalSince(shop.now.date)) s too early")
        }
        if shop.storage.complete.contains(folder), self.files(of: folder)?.has(files) ?? false, diskSeconds == nil,
            !isJournalLost,
            journalLine(of: String(folder.dropFirst("purchase-".count))).contains(#""stage":"delivered""#)
        {
            // A catalog that is replaced before its files were loaded leaves one look at what is there.
            loadings[folder, default: Loading()].looks += 1
            if loadings[folder]?.looks ?? 0 > catalogChanges { violate("\(folder) is loaded, and nothing is missing") }
        }
    }

    private func didLoad(_ folder: String, _ failure: ContentDownloads.Failure?, in shop: Shop) {
        guard !shop.storage.hasEnded else { return }
        if let item = item(of: folder) { hear(failure?.error, of: item, folder, in: shop) }
        guard let failure else {
            loadings[folder, default: Loading()].mayBeCancelled = false
            return attempts[ObjectIdentifier(shop), default: [:]][folder] = nil
        }
        guard failure.error != .cancelled else {
            // A free item may be taken and reset at once.
            if loadings[folder]?.mayBeCancelled != true, !folder.hasPrefix("free-") {
                violate("\(folder) isn't loaded to its end, for no reason")
            }
            return
        }
        failed.insert(folder)
        var tried = attempts[ObjectIdentifier(shop)]?[folder] ?? Attempts()
        tried.earliest = shop.now.date + min(Double(1 << min(tried.failures, 12)), 3_600)
        if !failure.hasProgressed { tried.failures += 1 }
        attempts[ObjectIdentifier(shop), default: [:]][folder] = tried
    }

    private func willAsk(_ folder: String, _ file: CatalogItem.File, from position: Int) {
        let kept = loadings[folder]?.kept[file.content] ?? 0
        if position > 0 { resumptions += 1 }
        if position < kept { violate("\(folder) asks for \(file.path) from \(position), and had \(kept)") }
    }

    /// The app's own delivery begins.
    func willDeliver(_ delivery: Delivery, _ folder: String, in shop: Shop) {
        let files = delivery.item?.files ?? []
        if case .purchase(let id) = delivery.evidence, let loading = loadings[folder], loading.isDelivered,
            loading.hasNew || loading.delivered != files
        {
            // A catalog has other files.
            truths[id]?.allowedDeliveries += 1
        }
        loadings[folder, default: Loading()].hasNew = false
        loadings[folder]?.delivered = files
        attempts[ObjectIdentifier(shop), default: [:]][folder] = nil
        if let item = delivery.item, !used.values.contains(where: { $0.files[item.id, default: []] == files }) {
            violate("\(folder) is delivered with files of no catalog")
        }
        checkWhole(folder, files)
    }

    func didDeliver(_ id: String) {
        truths[id]?.deliveries += 1
        loadings["purchase-\(id)"]?.isDelivered = true
    }

    private func checkWhole(_ folder: String, _ files: [CatalogItem.File]) {
        guard !files.isEmpty else { return }
        let placed = self.files(of: folder)?.placed ?? [:]
        if placed != Dictionary(files.map { ($0.path, $0.content) }, uniquingKeysWith: { $1 }) {
            violate("\(folder) is delivered with \(placed.sorted { $0.key < $1.key }), not \(files.map(\.path))")
        }
    }

    private func willComplete(_ folder: String) {
        if folder.hasPrefix("purchase-") { truths[String(folder.dropFirst("purchase-".count))]?.completions += 1 }
        guard let files = loadings[folder]?.delivered else {
            return violate("\(folder) is complete without a delivery")
        }
        checkWhole(folder, files)
    }

    // MARK: Promises

    /// What counts as complete has all files of a catalog. What ended before it arrived has none.
    func checkFiles(of folder: String) {
        guard let item = item(of: folder) else { return }
        let truth = truths[String(folder.dropFirst("purchase-".count))]
        let isOver = truth?.term != nil || truth?.current.expirationDate ?? .distantFuture <= now.upperBound
        if isOver, loadings[folder]?.delivered == [] { return }
        let files = files(of: folder) ?? ContentFiles()
        if !used.values.contains(where: { files.contains($0.files[item, default: []]) }) {
            violate("\(folder) has \(files.placed) and counts as complete")
        }
    }

    /// What the app says of its loading is true.
    func checkLoading(in shop: Shop) {
        guard let unlocks = shop.unlocks, isRunning(shop) else { return }
        checkRefusals(in: shop)
        let loading = Dictionary(
            shop.loader.loading.compactMap { loading in item(of: loading.folder).map { ($0, loading) } },
            uniquingKeysWith: { first, _ in first }
        )
        switch unlocks.activity {
        case .loading(let told): if loading[told] == nil { violate("\(told) is told to be loaded, and is not") }
        case nil: if let item = loading.keys.first { violate("\(item) is loaded, and nothing is told") }
        case .purchasing, .restoring, .delivering: break
        }
        for told: ItemID in ["gold-pack", "all", "pro", "starter", "pass", "hints"] {
            let progress = unlocks.progress(of: told)
            if let progress, !(0...progress.totalBytes).contains(progress.completedBytes) {
                violate("\(told) has the progress \(progress)")
            }
            if progress != loading[told]?.progress {
                violate("\(told) has the progress \(String(describing: progress))")
            }
        }
        for (item, loading) in loading where diskSeconds == nil {
            if isRefunded(loading.folder) { violate("\(loading.folder) is loaded, and was refunded") }
            if loading.files != facts.files[item, default: []] { violate("\(item) is loaded as in an earlier catalog") }
        }
    }

    /// Whether the journal says that a purchase was refunded.
    private func isRefunded(_ folder: String) -> Bool {
        let id = String(folder.dropFirst("purchase-".count))
        // The journal may be the other process's.
        guard truths[id]?.current.isRevoked == true, !(isJournalLost && hasOther) else { return false }
        return journalLine(of: id).contains(#""isRevoked":true"#)
    }

    /// In the end, content has exactly the files of the catalog.
    func endFiles(of folder: String) {
        guard let item = item(of: folder) else { return }
        let files = facts.files[item, default: []]
        let placed = self.files(of: folder)?.placed ?? [:]
        if placed != Dictionary(files.map { ($0.path, $0.content) }, uniquingKeysWith: { $1 }) {
            violate("\(folder) has \(placed.sorted { $0.key < $1.key }) in the end, not \(files.map(\.path))")
        }
    }
}
