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
/// let unlocks = try Unlocks(store: AppStore(), catalogue: catalogue, folder: folder, context: context) { delivery in
///     try await download(delivery.item, into: delivery.folder)
/// }
/// unlocks.start()
/// if unlocks.state(of: "gold").isUnlocked { … }
/// ```
///
/// Make one when the app launches, and keep it. All that changes is on the disk before it counts.
@MainActor
public final class Unlocks {
    /// Delivers what somebody has. It may be called again for the same, also after it has returned: a crash can come before
    /// that is written down. If it throws, it is called again after a pause.
    public typealias Deliver = @MainActor (Delivery) async throws -> Void

    /// What there is to have.
    public internal(set) var catalogue: Catalogue

    /// The app that shows the shop. An edition that has more or fewer items changes what is open.
    public var context: ShopContext { didSet { publish() } }

    /// Who the person is to a referral, if the app knows. Their own links earn them nothing.
    public var person: String?

    /// Called with each problem that belongs in the app's log.
    public var onProblem: (@MainActor (UnlocksProblem) -> Void)?

    /// Called when the user chooses a product outside of the app, such as a promoted product on the App Store's page.
    ///
    /// Return true to start the purchase now, which is also what happens without a closure. To defer it, return false, and
    /// call ``buy(_:)`` with the item's name later.
    public var onPurchaseIntent: (@MainActor (CatalogueItem) -> Bool)?

    /// The products whose purchase waits for somebody's approval. The store never says that one was declined, so this is
    /// forgotten when the app ends.
    public internal(set) var waiting: Set<String> = []

    /// What is being delivered now.
    public internal(set) var delivery: Delivery?

    /// The store's products that were loaded, by product identifier; `nil` if the store hasn't answered yet.
    public internal(set) var products: [String: StoreProduct]?

    /// Whether the last attempt to load the products failed. Products that were loaded before are kept.
    public internal(set) var isOffline = false

    let store: any Store
    let loader: CatalogueLoader?
    let storage: any UnlocksStorage
    let clock: BridgeClock
    let activity: (any AppActivity)?
    let protectedData: (any ProtectedData)?
    let paidBefore: PaidBefore?
    let appIdentifier: String?
    let deliver: Deliver

    var ledger = Ledger()
    /// The journal; `nil` before the device's first unlock, when it can't be read.
    var journal: Journal?
    var damagedLines: [Int] = []
    var queue = DeliveryQueue()
    var paidBeforeAnswer: PaidBefore.Answer?
    /// Verified statements, by transaction, that wait for a catalogue with the product, or until they can be written.
    var laterStatements: [String: StoreTransaction] = [:]
    /// Referrals that the disk hasn't taken yet.
    var unsavedClaims: [Claim] = []
    var savingFailures = 0
    var nextSaving: Date?

    /// The last question to the store: its moment, its number, and the number of the latest one that was answered.
    var lastAsked: Date?
    var (askCount, answerNumber) = (0, 0)
    /// The same numbers of the questions for products.
    var (productAskCount, productAnswerNumber) = (0, 0)
    var isStarted = false
    var listeners: [Task<Void, Never>] = []
    var working: Task<Void, Never>?
    var isWorking = false
    var timer: Task<Void, Never>?
    var observers: [Int: AsyncStream<UnlockChange>.Continuation] = [:]
    var observerCount = 0
    var published: [String: UnlockState] = [:]
    let willChange = ChangeSignal()

    /// Opens what is on the disk.
    ///
    /// - Parameters:
    ///   - store: The App Store, or a script.
    ///   - catalogue: What there is to have, from the app and from the web. It is asked for again with each ``refresh()``.
    ///   - folder: For the journal and for what the app downloads. Nothing else may use it. A good place is in *Application
    ///     Support*.
    ///   - context: The app that shows the shop.
    ///   - paidBefore: Who bought the app before it became free; `nil` if it never cost anything.
    ///   - appIdentifier: The app's bundle identifier. Transactions of other apps don't count. `nil` takes all.
    ///   - clock: The device's clock.
    ///   - activity: Reports when the app becomes active, which is when the store is asked again. On Apple's platforms,
    ///     `nil` uses the activity of the app's windows.
    ///   - deliver: Delivers what somebody has. Without it everything is in the app already.
    /// - Throws: ``UnlocksError/folderInUse``, ``UnlocksError/folderIsShared``, ``UnlocksError/newerJournal`` or
    ///   ``UnlocksError/storage(_:)``. If the device hasn't been unlocked since it started, the folder is opened later
    ///   instead, and until then every state is unknown, with the reason ``UnlockState/Unknown/deviceLocked``.
    public convenience init(
        store: any Store,
        catalogue: CatalogueLoader,
        folder: URL,
        context: ShopContext,
        paidBefore: PaidBefore? = nil,
        appIdentifier: String? = nil,
        clock: BridgeClock = .system,
        activity: (any AppActivity)? = nil,
        deliver: @escaping Deliver = { _ in }
    ) throws(UnlocksError) {
        try self.init(
            store: store,
            catalogue: catalogue.current,
            loader: catalogue,
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

    /// Opens what is on the disk, with a catalogue that changes with the app alone.
    ///
    /// The other parameters and the errors are those of the other initializer.
    public convenience init(
        store: any Store,
        catalogue: Catalogue,
        folder: URL,
        context: ShopContext,
        paidBefore: PaidBefore? = nil,
        appIdentifier: String? = nil,
        clock: BridgeClock = .system,
        activity: (any AppActivity)? = nil,
        deliver: @escaping Deliver = { _ in }
    ) throws(UnlocksError) {
        try self.init(
            store: store,
            catalogue: catalogue,
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
        catalogue: Catalogue,
        loader: CatalogueLoader? = nil,
        storage: any UnlocksStorage,
        context: ShopContext,
        paidBefore: PaidBefore? = nil,
        appIdentifier: String? = nil,
        clock: BridgeClock,
        activity: (any AppActivity)? = nil,
        protectedData: (any ProtectedData)? = nil,
        deliver: @escaping Deliver
    ) throws(UnlocksError) {
        (self.store, self.catalogue, self.loader) = (store, catalogue, loader)
        (self.storage, self.context) = (storage, context)
        (self.paidBefore, self.appIdentifier, self.clock, self.deliver) = (paidBefore, appIdentifier, clock, deliver)
        (self.activity, self.protectedData) = (activity, protectedData)
        do throws(UnlocksError) {
            try openJournal()
        } catch {
            guard case .storage = error, let protectedData, !protectedData.isAvailable else { throw error }
            protectedData.observe { [weak self] in self?.openLater() }
        }
    }

    deinit {
        for task in listeners + [working, timer].compactMap(\.self) { task.cancel() }
        for observer in observers.values { observer.finish() }
    }
}

// MARK: - From launch to the end

extension Unlocks {
    /// Begins to listen to the store, asks it what the person has, and delivers what isn't delivered.
    ///
    /// Call it when the app launches, once ``onProblem`` is set. Calling it again does nothing.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        if journal != nil { startWork() }
    }

    private func openJournal() throws(UnlocksError) {
        var (ledger, damaged) = (Ledger(), [Int]())
        journal = try Journal(storage, into: &ledger, damaged: &damaged)
        (self.ledger, damagedLines) = (ledger, damaged)
        followEnvironment()
        judgePaidBefore(nil)
        queueDueGrants()
    }

    /// Opens the journal once the device is unlocked.
    private func openLater() {
        guard journal == nil else { return }
        do throws(UnlocksError) {
            try openJournal()
        } catch {
            onProblem?(.notOpened(error))
            return
        }
        publish()
        if isStarted { startWork() }
    }

    private func startWork() {
        if !damagedLines.isEmpty { onProblem?(.damagedJournal(lines: damagedLines)) }
        for grant in ledger.all where grant.isRevoked { removeContent(of: grant) }
        deliverLostContent()
        listen(to: store.updates()) { unlocks, statement in
            unlocks.receive(statement)
            await unlocks.finish(statement.transaction.id)
        }
        listen(to: store.purchaseIntents()) { unlocks, product in await unlocks.buyPromoted(product) }
        listen(to: store.storefrontChanges()) { unlocks, _ in _ = await unlocks.askForProducts() }
        activity?.observe { [weak self] state in if state == .active { self?.askAgain() } }
        Task { [weak self] in await self?.refresh() }
        takeClaims()
        work()
    }

    private func listen<Element: Sendable>(
        to stream: AsyncStream<Element>,
        _ receive: @escaping @MainActor (Unlocks, Element) async -> Void
    ) {
        let task = Task { [weak self] in
            for await element in stream {
                guard let self else { return }
                await receive(self, element)
            }
        }
        listeners.append(task)
    }

    func queueDueGrants() {
        for grant in ledger.all where grant.isDue && ledger.isPresent(grant) { queue.add(grant.source) }
    }

    /// Uses another catalogue.
    ///
    /// What was bought before keeps what the catalogue said then. What only the new one knows is delivered now.
    public func use(_ catalogue: Catalogue) async {
        self.catalogue = catalogue
        publish()
        takeClaims()
        await takeLaterStatements()
        _ = await askForProducts()
    }
}
