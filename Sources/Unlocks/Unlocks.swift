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

    /// How far ahead of the device's clock a transaction may be, in seconds: a day.
    public static let clockTolerance = 86_400.0

    /// What there is to have.
    public internal(set) var catalogue: Catalogue

    /// The app that shows the shop. An edition that has more or fewer items changes what is open.
    public var context: ShopContext { didSet { publish() } }

    /// Who the person is to a referral, if the app knows. Their own links earn them nothing.
    public var person: String?

    /// Called with what an app's log should know.
    public var onProblem: (@MainActor (UnlocksProblem) -> Void)?

    /// The products whose purchase waits for somebody's approval. The store never says that one was declined, so this is
    /// forgotten when the app ends.
    public internal(set) var waiting: Set<String> = []

    /// What is being delivered now.
    public internal(set) var delivery: Delivery?

    /// The store's prices by product identifier, as far as they are loaded; `nil` if the store couldn't be asked yet.
    public internal(set) var prices: [String: String]?

    /// Whether the last attempt to load the prices failed. Those that were loaded before stay.
    public internal(set) var isOffline = false

    let store: any Store
    let loader: CatalogueLoader?
    let storage: any UnlocksStorage
    let clock: BridgeClock
    let paidBefore: PaidBefore?
    let appIdentifier: String?
    let deliver: Deliver

    var ledger = Ledger()
    let journal: Journal
    var queue = DeliveryQueue()
    var paidBeforeAnswer: PaidBefore.Answer?
    /// Verified statements that can't be used yet, by transaction, until a catalogue knows the product, the clock has come
    /// so far, or the disk takes them.
    var laterStatements: [String: StoreTransaction] = [:]
    /// Referrals that the disk hasn't taken yet.
    var unsavedClaims: [Claim] = []
    var savingFailures = 0
    var nextSaving: Date?

    var listening: Task<Void, Never>?
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
    ///   - deliver: Delivers what somebody has. Without it everything is in the app already.
    /// - Throws: ``UnlocksError/folderInUse``, ``UnlocksError/newerJournal`` or ``UnlocksError/storage(_:)``.
    public convenience init(
        store: any Store,
        catalogue: CatalogueLoader,
        folder: URL,
        context: ShopContext,
        paidBefore: PaidBefore? = nil,
        appIdentifier: String? = nil,
        clock: BridgeClock = .system,
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
        deliver: @escaping Deliver
    ) throws(UnlocksError) {
        (self.store, self.catalogue, self.loader) = (store, catalogue, loader)
        (self.storage, self.context) = (storage, context)
        (self.paidBefore, self.appIdentifier, self.clock, self.deliver) = (paidBefore, appIdentifier, clock, deliver)
        var damaged: [Int] = []
        journal = try Journal(storage, into: &ledger, damaged: &damaged)
        damagedLines = damaged
        judgePaidBefore(nil)
        for grant in ledger.all where grant.isDue { queue.add(grant.source) }
    }

    let damagedLines: [Int]

    deinit {
        for task in [listening, working, timer] { task?.cancel() }
        for observer in observers.values { observer.finish() }
    }
}

// MARK: - From launch to the end

extension Unlocks {
    /// Begins to listen to the store, asks it what the person has, and delivers what isn't delivered.
    ///
    /// Call it when the app launches, once ``onProblem`` is set. Calling it again does nothing.
    public func start() {
        guard listening == nil else { return }
        if !damagedLines.isEmpty { onProblem?(.damagedJournal(lines: damagedLines)) }
        for grant in ledger.all where grant.isRevoked { removeContent(of: grant) }
        deliverLostContent()
        let updates = store.updates()
        listening = Task { [weak self] in
            for await statement in updates {
                guard let self else { return }
                receive(statement)
                await finish(statement.transaction.id)
            }
        }
        Task { [weak self] in await self?.refresh() }
        takeClaims()
        work()
    }

    /// Asks the store what the person has and what things cost, and the web for a newer catalogue, as at launch.
    public func refresh() async {
        await askForTransactions()
        await askForAppPurchase()
        await askForPrices()
        do {
            if let new = try await loader?.refresh() { await use(new) }
        } catch {
            onProblem?(.notLoaded(error))
        }
    }

    /// Brings back what the person bought on another device.
    ///
    /// Call it only when the person asks for it: they may have to sign in.
    ///
    /// - Throws: The store's error.
    public func restore() async throws {
        try await store.sync()
        await refresh()
    }

    /// Uses another catalogue.
    ///
    /// What was bought before keeps what the catalogue said then. What only the new one knows is delivered now.
    public func use(_ catalogue: Catalogue) async {
        self.catalogue = catalogue
        publish()
        takeClaims()
        await takeLaterStatements()
        await askForPrices()
    }

    func askForTransactions() async {
        await finish()
        let entitlements = await store.currentEntitlements()
        for statement in entitlements { receive(statement) }
        // Updates have missed refunds that came while the app was closed, so what the store doesn't list is asked about.
        let listed = Set(entitlements.map(\.transaction.id))
        var asked: Set<String> = []
        for grant in ledger.all where grant.counts {
            guard let transaction = grant.transaction, !listed.contains(transaction.id),
                asked.insert(transaction.product).inserted,
                let latest = await store.latestTransaction(of: transaction.product)
            else { continue }
            receive(latest)
        }
        guard !ledger.hasAskedStore else { return }
        save(.askedStore)
        publish()
    }

    func askForAppPurchase() async {
        guard paidBefore != nil else { return }
        do {
            judgePaidBefore(try await store.appPurchase())
        } catch {
            onProblem?(.notLoaded(error))
        }
        publish()
    }

    func judgePaidBefore(_ purchase: AppPurchase?) {
        guard let paidBefore else { return }
        var kept = ledger.kept
        let answer = paidBefore.judge(purchase, on: context.platform, kept: &kept)
        if kept != ledger.kept { save(.kept(kept)) }
        paidBeforeAnswer = answer
    }

    func askForPrices() async {
        let products = Set(catalogue.items.filter { !$0.isIncluded(in: context.edition) }.compactMap(\.product))
        do {
            let known = products.isEmpty ? [] : try await store.products(products)
            willChange.send()
            prices = Dictionary(known.map { ($0.id, $0.price) }, uniquingKeysWith: { first, _ in first })
            isOffline = false
        } catch {
            willChange.send()
            isOffline = true
            onProblem?(.notLoaded(error))
        }
    }
}
