import ReferralFoundation

/// Delivers the grants in the book, one after the other: first those that are due, then those whose content was lost.
@MainActor
final class Deliveries {
    /// The owner of the deliveries. It lives at least until a delivery ends.
    @MainActor
    protocol Owner: AnyObject {
        var catalog: ShopCatalog { get }
        var onProblem: (@MainActor (UnlocksProblem) -> Void)? { get }
        /// The statements about these transactions as the store has signed them, by transaction: those that it lists.
        func signedTexts(of transactions: Set<Name>) async -> [Name: String]
        /// Called once a delivery is on the disk.
        func didDeliver(_ grant: Grant)
        /// Called when the next delivery may be tried, when the disk may be written again, or when an unlock has ended.
        func wake() async
    }

    weak var owner: (any Owner)?
    /// The current delivery.
    private(set) var current: Delivery?

    private let book: Book
    private let observers: Observers
    private let clock: DeviceClock
    private let deliver: UnlockCenter.Deliver
    private let loader: any ContentLoader
    private let files: FileLoading
    /// The grants that wait until other files are loaded, or until their folder is removed.
    private var waiting: [Grant.Source] = []
    /// The grants that wait for a catalog with their item.
    private var unknown: [Grant.Source] = []
    /// The grants whose folders are being removed, and how many times. Nothing is loaded or delivered into these.
    private var removals: [Grant.Source: Int] = [:]
    private var queue = DeliveryQueue()
    /// The statements about purchases that are being delivered, as the store has signed them; `nil` if it has told one without it.
    private var signedTexts: [Name: String?] = [:]
    /// The purchases that the store didn't list when their texts were asked for.
    private var unlisted: Set<Name> = []
    /// The grant that is being delivered, and whether its folder was removed meanwhile.
    private var underway: Grant.Source?
    private var isInterrupted = false
    /// Whether content that is still needed may be lost; `nil` until the store was asked, since it may revoke a purchase.
    private var mayLackContent: Bool?
    private var working: Task<Void, Never>?
    private var timer: Task<Void, Never>?

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
        files = FileLoading(loader, observers)
    }

    deinit { for task in [working, timer] { task?.cancel() } }

    /// Begins to deliver, unless deliveries are already being made.
    func work() {
        guard book.isOpen, working == nil else { return }
        working = Task { [weak self] in
            while let self, let owner = self.owner {
                if let source = self.queue.next(at: self.clock.now().date) {
                    await self.deliver(source, for: owner)
                } else if self.mayLackContent == true {
                    self.mayLackContent = false
                    await self.queueLostContent()
                } else {
                    break
                }
            }
            self?.working = nil
            self?.unlisted = []
            self?.setTimer()
        }
        // Meanwhile, the queue needs no timer.
        setTimer()
    }

    /// Wakes the owner when the next delivery may be tried, when the disk may be written again, or when an unlock ends.
    func setTimer() {
        timer?.cancel()
        let now = clock.now().date
        // The device's clock may be behind the moment at which purchases are judged.
        let end = book.ledger.nextChange(after: book.now)?.timeIntervalSince(now)
        let rests = [working == nil ? queue.rest(at: now) : nil, book.rest(at: now), end]
        guard let rest = rests.compactMap(\.self).min() else { return timer = nil }
        timer = Task { [weak self, clock] in
            // Dates are rounded: without a millisecond more it might wake just before the moment, for nothing.
            await clock.sleep(rest + 0.001)
            guard !Task.isCancelled else { return }
            await self?.owner?.wake()
        }
    }

    /// The grants that open nothing yet.
    var undelivered: some Sequence<Grant> { queue.undelivered.lazy.compactMap { [book] in book.ledger[$0] } }

    /// Queues all grants that are due.
    func addDue() {
        for grant in book.ledger.all where grant.isDue && book.ledger.isPresent(grant) { queue.add(grant.source) }
    }

    /// Queues and delivers recorded grants.
    func add(_ grants: [Grant]) {
        for grant in grants where book.ledger[grant.source]?.isDue ?? false { queue.add(grant.source) }
        work()
    }

    /// Adjusts the queue to a purchase's new record. ``work()`` delivers it.
    func follow(_ grant: Grant) {
        if grant.isRevoked {
            queue.remove(grant.source)
            removeContent(of: grant)
        } else if !grant.isDue {
            lookAgainForLostContent()
        } else if book.ledger.isPresent(grant) {
            queue.add(grant.source)
        }
    }

    /// Deletes the content of some grants, and delivers it again. Unlocks stay open.
    func reset(where isMeant: (Grant) -> Bool) async throws(UnlocksError) {
        try await book.ready()
        defer { work() }
        for grant in Array(book.ledger.all) where book.ledger.isPresent(grant) && !grant.isRevoked && isMeant(grant) {
            try await removeFolder(of: grant)
            if underway == grant.source { isInterrupted = true }
            // It may have been refunded or delivered meanwhile.
            guard let grant = book.ledger[grant.source], book.ledger.isPresent(grant) else { continue }
            if book.ledger.needsContent(grant, at: book.now) {
                queue.add(grant.source, isAgain: true, isUrgent: true)
            } else if grant.isDue {
                queue.add(grant.source, isUrgent: true)
            }
        }
    }

    /// Looks for lost content, now that the store was asked.
    func lookForLostContent() {
        mayLackContent = true
        work()
    }

    /// Looks for lost content again, since some of it may be needed again.
    private func lookAgainForLostContent() { if mayLackContent != nil { mayLackContent = true } }

    /// Queues grants without a complete folder, as after a restore from a backup. Their unlocks stay open meanwhile.
    private func queueLostContent() async {
        guard let names = try? await book.completeFolders() else { return }
        let now = book.now
        for grant in Array(book.ledger.all) where book.ledger.needsContent(grant, at: now) {
            if names.contains(grant.folderName), await hasFiles(grant) { continue }
            // It may have been refunded or used up meanwhile.
            guard let grant = book.ledger[grant.source], book.ledger.needsContent(grant, at: book.now) else { continue }
            queue.add(grant.source, isAgain: true)
        }
    }

    /// Whether the content of a grant has the files that the catalog names now. If it names none for the item, those of an
    /// earlier catalog are removed.
    private func hasFiles(_ grant: Grant) async -> Bool {
        guard let files = item(of: grant)?.files else { return true }
        let folder = book.folder(grant.folderName)
        guard files.isEmpty else { return await loader.has(files, in: folder) }
        // Folders that can't be removed now are removed at the next launch.
        try? await install(files, in: folder)
        return true
    }

    private func install(_ files: [CatalogItem.File], in folder: URL) async throws(DownloadError) {
        // Most items have no files, and never had any.
        if files.isEmpty, await loader.has(files, in: folder) { return }
        try await loader.install(files, in: folder)
    }

    /// The item of a grant in the present catalog: the one that sells its product, whatever its name, or that has its name. An
    /// item that the user got for free and that is sold now counts as another item.
    func item(of grant: Grant) -> CatalogItem? {
        guard let catalog = owner?.catalog else { return nil }
        if case .free(let id) = grant.source { return catalog.item(named: id).flatMap { $0.isFree ? $0 : nil } }
        return grant.transaction.flatMap { catalog.item(selling: $0.productID) }
            ?? grant.item.flatMap(catalog.item(named:))
    }

    /// Removes the content of refunded purchases.
    func removeRevoked() { for grant in book.ledger.all where grant.isRevoked { removeContent(of: grant) } }

    private func removeContent(of grant: Grant) {
        if underway == grant.source { isInterrupted = true }
        Task { [weak self] in
            do throws(UnlocksError) {
                try await self?.removeFolder(of: grant)
            } catch {
                self?.owner?.onProblem?(.contentNotRemoved(error))
            }
        }
    }

    /// Ends the loading of a grant's files, and removes its folder.
    private func removeFolder(of grant: Grant) async throws(UnlocksError) {
        let source = grant.source
        removals[source, default: 0] += 1
        defer {
            removals[source] = removals[source].flatMap { $0 > 1 ? $0 - 1 : nil }
            if waiting.contains(source) { releaseWaiting() }
        }
        await files.end(source, in: book.folder(grant.folderName))
        try await book.removeFolder(grant.folderName)
    }

    private func deliver(_ source: Grant.Source, for owner: any Owner) async {
        guard let grant = book.ledger[source], isDeliverable(grant) else { return queue.remove(source) }
        guard removals[source] == nil else { return hold(source) }
        let item = item(of: grant)
        var hasNewFiles = false
        if let item, !item.files.isEmpty {
            guard let hasNew = files.hasNew(item.files, for: source) else { return await load(item, for: grant) }
            hasNewFiles = hasNew
        }
        (underway, isInterrupted) = (source, false)
        defer { underway = nil }
        // The next catalog may lack unlocks that this one has added.
        if !grant.isDue, !hasNewFiles {
            let isComplete = await book.isComplete(grant.folderName)
            guard removals[source] == nil else { return hold(source) }
            if isInterrupted { return }
            if isComplete {
                files.forgetLoaded(source)
                return queue.remove(source)
            }
        }
        if item == nil, grant.hasFiles, let id = grant.item {
            queue.hold(source)
            unknown.append(source)
            owner.onProblem?(.unknownFiles(item: id))
            return
        }
        await readSignedText(of: grant, from: owner)
        guard removals[source] == nil else { return hold(source) }
        if isInterrupted { return }
        var (delivery, wasUsedUp): (Delivery?, Bool) = (nil, false)
        do throws(any Error) {
            let folder = try await book.makeFolder(grant.folderName)
            if let item { try await install(item.files, in: folder) }
            delivery = Delivery(
                evidence: source.evidence,
                unlocks: grant.amounts.keys.sorted(),
                reward: source.reward,
                item: item,
                transaction: signed(grant.transaction),
                folder: folder
            )
            setCurrent(delivery)
            if let delivery { try await deliver(delivery) }
            setCurrent(nil)
            let description = JournalEntry.grant(grant).json
            let isComplete = isInterrupted ? false : try await book.completeFolder(grant.folderName, description)
            let isRevoked = try await book.change { ledger throws(UnlocksError) in
                guard var grant = ledger[source], !grant.isRevoked else { return ([], true) }
                guard isComplete, !isInterrupted, grant.isDue else { return ([], false) }
                wasUsedUp = grant.amounts.contains { $1 > 0 && ledger.boughtUses(of: $0) == 0 }
                grant.stage = .delivered
                return ([.grant(grant)], false)
            }
            guard !isRevoked else {
                // It was refunded meanwhile.
                queue.remove(source)
                return removeContent(of: grant)
            }
            // Its folder was removed meanwhile: by this app, which delivers it again at once, or by something else.
            if isInterrupted { return }
            guard isComplete else { return _ = queue.fail(source, at: clock.now().date) }
        } catch {
            setCurrent(nil)
            let pause = queue.fail(source, at: clock.now().date)
            if let error = error as? UnlocksError {
                owner.onProblem?(.notSaved(error))
            } else if let item, delivery == nil, let error = error as? DownloadError {
                files.forgetLoaded(source)
                owner.onProblem?(.notDownloaded(item: item.id, path: nil, error, retryAfter: pause))
            } else if let delivery {
                owner.onProblem?(.notDelivered(delivery, error, retryAfter: pause))
            }
            return
        }
        queue.remove(source)
        files.forgetLoaded(source)
        if let transaction = grant.transaction { forgetSignedTexts(of: [transaction]) }
        if wasUsedUp { lookAgainForLostContent() }
        owner.didDeliver(grant)
    }

    /// Keeps the signed text of a statement for its delivery.
    func keepSignedText(of transaction: StoreTransaction) {
        let name = Name(transaction.id)
        signedTexts[name] = .some(transaction.signedText ?? signedTexts[name] ?? nil)
    }

    /// Asks the store for the signed text of a purchase, unless it is here. Those of all that wait are asked for at once, since the
    /// store's list may be long.
    private func readSignedText(of grant: Grant, from owner: any Owner) async {
        func lacksText(_ name: Name) -> Bool { signedTexts[name] == nil && !unlisted.contains(name) }
        guard case .purchase(let name) = grant.source, lacksText(name) else { return }
        let waiting = queue.all.compactMap { if case .purchase(let name) = $0, lacksText(name) { name } else { nil } }
        let names = Set(waiting).union([name])
        let texts = await owner.signedTexts(of: names)
        for (name, text) in texts { signedTexts[name] = text }
        unlisted.formUnion(names.subtracting(texts.keys))
    }

    private func signed(_ transaction: StoreTransaction?) -> StoreTransaction? {
        var transaction = transaction
        if let id = transaction?.id { transaction?.signedText = signedTexts[Name(id)] ?? nil }
        return transaction
    }

    /// Forgets the signed texts of transactions that no delivery needs.
    func forgetSignedTexts(of transactions: [StoreTransaction]) {
        for name in transactions.map({ Name($0.id) }) where !queue.contains(.purchase(name)) {
            if book.ledger[.purchase(name)]?.isDue == false { signedTexts[name] = nil }
        }
    }

    private func setCurrent(_ delivery: Delivery?) {
        guard current != nil || delivery != nil else { return }
        observers.willChange()
        current = delivery
    }

    private func isDeliverable(_ grant: Grant) -> Bool {
        book.ledger.isPresent(grant) && (grant.isDue || queue.isAgain(grant.source) && !grant.isRevoked)
    }
}

// MARK: - Files

extension Deliveries {
    /// Connects to the files that the system has loaded since the app ended.
    func connect() { loader.connect(book.contents) }

    /// The progress of an item's files; `nil` if none are being loaded.
    func progress(of item: ItemID) -> DownloadProgress? { files.progress(of: item) }

    /// An item whose files are being loaded.
    var loadingItem: ItemID? { files.items.min() }

    /// Loads the files that have changed in a new catalog.
    func follow(_ catalog: ShopCatalog) {
        files.follow(catalog)
        for source in unknown { queue.release(source) }
        unknown = []
        lookAgainForLostContent()
        work()
    }

    /// Loads the files of a grant. Meanwhile, others are delivered.
    private func load(_ item: CatalogItem, for grant: Grant) async {
        let source = grant.source
        // The next purchase of the same item needs the same files, and copies them.
        guard !files.isLoading(item.id) else { return hold(source) }
        let others = await contents(besides: source)
        // It may have been refunded or reset meanwhile, or the catalog may have changed.
        guard let grant = book.ledger[source], isDeliverable(grant), removals[source] == nil,
            self.item(of: grant) == item
        else { return }
        queue.hold(source)
        files.load(item, for: source, into: book.folder(grant.folderName), besides: others) { [weak self] failure in
            self?.didLoad(item, for: source, failure)
        }
    }

    /// The latest whole content of each item.
    private func contents(besides source: Grant.Source) async -> [DeliveredContent] {
        guard let names = try? await book.completeFolders() else { return [] }
        var latest: [ItemID: Grant] = [:]
        for grant in book.ledger.all where grant.source != source && names.contains(grant.folderName) {
            if let item = item(of: grant)?.id { latest[item] = grant }
        }
        return latest.values.compactMap { grant in
            guard let files = item(of: grant)?.files, !files.isEmpty else { return nil }
            return DeliveredContent(folder: book.folder(grant.folderName), files: files)
        }
    }

    private func didLoad(_ item: CatalogItem, for source: Grant.Source, _ failure: ContentDownloads.Failure?) {
        if let failure, failure.error != .cancelled {
            let pause = queue.fail(
                source,
                at: clock.now().date,
                least: failure.retryAfter ?? 0,
                hasProgressed: failure.hasProgressed
            )
            owner?.onProblem?(.notDownloaded(item: item.id, path: failure.path, failure.error, retryAfter: pause))
        }
        waiting.append(source)
        releaseWaiting()
    }

    private func hold(_ source: Grant.Source) {
        queue.hold(source)
        waiting.append(source)
    }

    private func releaseWaiting() {
        for source in waiting { queue.release(source) }
        waiting = []
        work()
    }
}
