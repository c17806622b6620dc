public import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a person may use, for whatever reason: it came with this edition, they bought it, they bought the app before it
/// became free, or a referral earned it.
///
/// ```swift
/// let unlocks = UnlockCenter(store: StoreKitStore(), catalog: catalog, folder: folder, context: context) { delivery in
///     try await download(delivery.item, into: delivery.folder)
/// }
/// unlocks.start()
/// if unlocks.state(of: "gold").isUnlocked { … }
/// ```
///
/// Make one when the app launches, and keep it. All that changes is on the disk before it counts. The disk isn't used on
/// the main actor, so for a moment after ``start()`` every state is unknown.
@MainActor
public final class UnlockCenter {
    /// Delivers what somebody has. It may be called again for the same, also after it has returned: a crash can come before
    /// that is written down. If it throws, it is called again after a pause.
    public typealias Deliver = @MainActor (Delivery) async throws -> Void

    /// What there is to have.
    public internal(set) var catalog: Catalog { didSet { updateAssortment() } }

    /// The app that shows the shop. An edition that has more or fewer items changes what is open.
    public var context: ShopContext {
        didSet {
            updateAssortment()
            publish()
        }
    }

    /// Who the person is to a referral, if the app knows. Their own links earn them nothing.
    ///
    /// Set it before ``start()`` if it is known by then: a reward that was granted stays. Claims with this name that wait are
    /// forgotten.
    public var ownReferrer: String? {
        didSet { if ownReferrer != oldValue { Task { [weak self] in await self?.takeClaims() } } }
    }

    /// Called with each problem that belongs in the app's log.
    public var onProblem: (@MainActor (UnlocksProblem) -> Void)?

    /// Called when the user chooses a product outside of the app, such as a promoted product on the App Store's page.
    ///
    /// Return true to start the purchase now, which is also what happens without a closure. To defer it, return false, and
    /// call ``buy(_:)`` with the item's name later.
    public var onPurchaseIntent: (@MainActor (CatalogItem) -> Bool)?

    /// The products whose purchase waits for somebody's approval. The store never says that one was declined, so this is
    /// forgotten when the app ends.
    public internal(set) var pendingProducts: Set<String> = []

    /// What is being delivered now.
    public var delivery: Delivery? { deliveries.current }

    /// The store's products that were loaded, by product identifier; `nil` if the store hasn't answered yet.
    public internal(set) var products: [String: StoreProduct]?

    /// Whether the last attempt to load the products failed. Products that were loaded before are kept.
    public internal(set) var isOffline = false

    let store: any Store
    let loader: CatalogLoader?
    let book: Book
    let deliveries: Deliveries
    let observers = Observers()
    let clock: BridgeClock
    let activity: (any AppActivity)?
    let paidBefore: PaidBefore?

    /// What this edition has and sells.
    var assortment: Assortment
    /// The catalog whose rejections were reported.
    var reportedCatalog: Catalog?
    var paidBeforeAnswer: PaidBefore.Answer? { didSet { observers.forget() } }

    var arrivals: Arrivals
    let receiving: Repetition
    var listeners: [Task<Void, Never>] = []
    var questions = Questions()
    let finishing: Repetition

    /// Creates a shop. ``start()`` opens its folder.
    ///
    /// - Parameters:
    ///   - store: The App Store, or a script.
    ///   - catalog: The catalog in the app. With a loader, pass its ``CatalogLoader/current`` one.
    ///   - loader: Loads newer catalogs from the web, at ``start()`` and at each ``refresh()``; `nil` if the catalog changes
    ///     with the app alone.
    ///   - folder: For the journal and for what the app downloads. Nothing else may use it. A good place is in *Application
    ///     Support*.
    ///   - context: The app that shows the shop.
    ///   - paidBefore: Who bought the app before it became free; `nil` if it never cost anything.
    ///   - appIdentifier: The app's bundle identifier. Transactions of other apps don't count. `nil` takes all.
    ///   - clock: The device's clock.
    ///   - activity: Reports when the app becomes active, which is when the store is asked again. On Apple's platforms,
    ///     `nil` uses the activity of the app's windows.
    ///   - deliver: Delivers what somebody has. Without it everything is in the app already.
    public convenience init(
        store: any Store,
        catalog: Catalog,
        loader: CatalogLoader? = nil,
        folder: URL,
        context: ShopContext,
        paidBefore: PaidBefore? = nil,
        appIdentifier: String? = nil,
        clock: BridgeClock = .system,
        activity: (any AppActivity)? = nil,
        deliver: @escaping Deliver = { _ in }
    ) {
        loader?.rememberRevision(in: folder.appendingPathComponent("catalog-revision"))
        self.init(
            store: store,
            catalog: catalog,
            loader: loader,
            storage: DiskStorage(folder),
            context: context,
            paidBefore: paidBefore,
            appIdentifier: appIdentifier,
            clock: clock,
            activity: activity ?? Self.systemActivity,
            protectedData: Self.systemProtectedData,
            deliver: deliver
        )
    }

    package init(
        store: any Store,
        catalog: Catalog,
        loader: CatalogLoader? = nil,
        storage: any UnlocksStorage,
        context: ShopContext,
        paidBefore: PaidBefore? = nil,
        appIdentifier: String? = nil,
        clock: BridgeClock,
        activity: (any AppActivity)? = nil,
        protectedData: (any ProtectedData)? = nil,
        deliver: @escaping Deliver
    ) {
        (self.store, self.catalog, self.loader) = (store, catalog, loader)
        (book, self.context) = (Book(storage, clock: clock, protectedData: protectedData), context)
        (self.paidBefore, self.clock, arrivals) = (paidBefore, clock, Arrivals(for: appIdentifier))
        receiving = Repetition(clock: clock)
        finishing = Repetition(clock: clock, seconds: Self.pauseBetweenFinishing)
        deliveries = Deliveries(of: book, observers, clock: clock, deliver)
        self.activity = activity
        assortment = Assortment(catalog, edition: context.edition)
        deliveries.owner = self
        book.follow(additions: assortment.grants)
        book.willChange = { [observers] unlocks in observers.forget(unlocks) }
        book.canSave = { [weak self] in Task { await self?.saveAgain() } }
        followEnvironment()
    }

    deinit { for task in listeners { task.cancel() } }
}

// MARK: - From launch to the end

extension UnlockCenter {
    /// Opens the folder, begins to listen to the store, asks it what the person has, and delivers what isn't delivered.
    ///
    /// Call it when the app launches, once ``onProblem`` is set. Calling it again does nothing. A folder that can't be
    /// opened is reported as ``UnlocksProblem/notOpened(_:)``.
    public func start() {
        guard !book.isStarted else { return }
        book.start()
        Task { [weak self] in await self?.open() }
    }

    /// Opens the journal, unless that is happening.
    func open() async {
        await book.open {
            await self.loader?.load()
            if let current = self.loader?.current, current.revision >= self.catalog.revision, current != self.catalog {
                self.catalog = current
            }
            self.reportRejections()
        } _: { result, isAgain in
            switch result {
            case .success(let damagedLines): self.didOpen(damagedLines)
            case .failure(let error): self.didNotOpen(error, isAgain: isAgain)
            }
        }
        if !book.isOpen { deliveries.setTimer() }
    }

    private func didNotOpen(_ error: UnlocksError, isAgain: Bool) {
        observers.forget()
        publish()
        if error == .deviceLocked {
            book.observeUnlocking { [weak self] in Task { await self?.open() } }
        } else if !isAgain {
            onProblem?(.notOpened(error))
        }
    }

    private func didOpen(_ damagedLines: [Int]) {
        if !damagedLines.isEmpty { onProblem?(.damagedJournal(lines: damagedLines)) }
        followEnvironment()
        judgeKeptAnswer()
        deliveries.addDue()
        publish()
        deliveries.removeRevoked()
        listenToUpdates()
        listen(to: store.purchaseIntents()) { unlocks, product in await unlocks.buyPromoted(product) }
        listen(to: store.storefrontChanges()) { unlocks, _ in await unlocks.askForProducts() }
        activity?.observe { [weak self] state in if state == .active { self?.askAgain() } }
        Task { [weak self] in
            await self?.refresh()
            self?.deliveries.lookForLostContent()
        }
        Task { [weak self] in await self?.takeClaims() }
        Task { [weak self] in await self?.keepAdditions() }
        deliveries.work()
    }

    private func listen<Element: Sendable>(
        to stream: AsyncStream<Element>,
        _ receive: @escaping @MainActor (UnlockCenter, Element) async -> Void
    ) {
        let task = Task { [weak self] in
            for await element in stream {
                guard let self else { return }
                await receive(self, element)
            }
        }
        listeners.append(task)
    }

    /// Listens to the store's updates. If they end, it listens again after a pause.
    private func listenToUpdates() {
        let task = Task { [weak self, clock] in
            var failures = 0
            while let stream = self?.store.updates() {
                for await statement in stream {
                    guard let self else { return }
                    failures = 0
                    receiveSoon(statement)
                }
                guard !Task.isCancelled else { return }
                await clock.sleep(Pause.seconds(after: failures))
                guard !Task.isCancelled else { return }
                failures += 1
            }
        }
        listeners.append(task)
    }
}
