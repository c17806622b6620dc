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
    public private(set) var catalogue: Catalogue

    /// The app that shows the shop. An edition that has more or fewer items changes what is open.
    public var context: ShopContext { didSet { publish() } }

    /// Who the person is to a referral, if the app knows. Their own links earn them nothing.
    public var person: String?

    /// Called with what an app's log should know.
    public var onProblem: (@MainActor (UnlocksProblem) -> Void)?

    /// The products whose purchase waits for somebody's approval. The store never says that one was declined, so this is
    /// forgotten when the app ends.
    public private(set) var waiting: Set<String> = []

    /// What is being delivered now.
    public private(set) var delivery: Delivery?

    /// The store's prices by product identifier, as far as they are loaded; `nil` if the store couldn't be asked yet.
    public private(set) var prices: [String: String]?

    /// Whether the last attempt to load the prices failed. Those that were loaded before stay.
    public private(set) var isOffline = false

    private let store: any Store
    private let loader: CatalogueLoader?
    private let storage: any UnlocksStorage
    private let clock: BridgeClock
    private let paidBefore: PaidBefore?
    private let appIdentifier: String?
    private let deliver: Deliver

    private var ledger = Ledger()
    private var journal: Journal
    private var queue = DeliveryQueue()
    private var paidBeforeAnswer: PaidBefore.Answer?
    /// Verified statements that can't be used yet, by transaction, until a catalogue knows the product, the clock has come
    /// so far, or the disk takes them.
    private var laterStatements: [String: StoreTransaction] = [:]
    /// Referrals that the disk hasn't taken yet.
    private var unsavedClaims: [Claim] = []
    private var savingFailures = 0
    private var nextSaving: Date?

    private var listening: Task<Void, Never>?
    private var working: Task<Void, Never>?
    private var isWorking = false
    private var timer: Task<Void, Never>?
    private var observers: [Int: AsyncStream<UnlockChange>.Continuation] = [:]
    private var observerCount = 0
    private var published: [String: UnlockState] = [:]
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

    private let damagedLines: [Int]

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

    private func askForTransactions() async {
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

    private func askForAppPurchase() async {
        guard paidBefore != nil else { return }
        do {
            judgePaidBefore(try await store.appPurchase())
        } catch {
            onProblem?(.notLoaded(error))
        }
        publish()
    }

    private func judgePaidBefore(_ purchase: AppPurchase?) {
        guard let paidBefore else { return }
        var kept = ledger.kept
        let answer = paidBefore.judge(purchase, on: context.platform, kept: &kept)
        if kept != ledger.kept { save(.kept(kept)) }
        paidBeforeAnswer = answer
    }

    private func askForPrices() async {
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

// MARK: - What is open

extension Unlocks {
    /// Whether something is open, and why.
    public func state(of unlock: String) -> UnlockState {
        let now = clock.now().date
        let includes = catalogue.items.contains { $0.isIncluded(in: context.edition) && $0.grants.contains(unlock) }
        let before = paidBefore?.grants.contains(unlock) == true ? paidBeforeAnswer : nil
        if includes || before?.isYes == true || ledger.isOpen(unlock, at: now) {
            var evidence: [Evidence] = []
            if includes { evidence.append(.included) }
            if before?.isYes == true { evidence.append(.paidBefore) }
            return .unlocked(by: evidence + ledger.evidence(for: unlock, at: now))
        }
        if let before, before.isYes == nil { return .unknown(.paidBefore(before.reason)) }
        return ledger.hasAskedStore ? .locked : .unknown(.storeNotAsked)
    }

    /// The doses that are left of something.
    public func doses(of unlock: String) -> Int { ledger.doses(of: unlock) }

    /// The state of everything that the catalogue knows or the person has.
    public var allStates: [String: UnlockState] {
        var names = Set(ledger.unlocks)
        names.formUnion(catalogue.items.flatMap(\.grants))
        names.formUnion(catalogue.rewards.flatMap(\.grants))
        names.formUnion(paidBefore?.grants ?? [])
        return Dictionary(uniqueKeysWithValues: names.map { ($0, state(of: $0)) })
    }

    /// The states from now on: first those that are known, then one value a change.
    public var states: AsyncStream<UnlockChange> {
        if observers.isEmpty { published = allStates }
        let (stream, continuation) = AsyncStream.makeStream(of: UnlockChange.self)
        for (unlock, state) in published.sorted(by: { $0.key < $1.key }) {
            continuation.yield(UnlockChange(unlock: unlock, state: state))
        }
        observerCount += 1
        let number = observerCount
        observers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.observers[number] = nil }
        }
        return stream
    }

    /// Tells the observers what has changed, of some unlocks or of all.
    private func publish(_ unlocks: (some Sequence<String>)? = [String]?.none) {
        willChange.send()
        guard !observers.isEmpty else { return }
        let new = unlocks.map { Dictionary($0.map { ($0, state(of: $0)) }, uniquingKeysWith: { first, _ in first }) }
        for (unlock, state) in (new ?? allStates).sorted(by: { $0.key < $1.key }) where published[unlock] != state {
            published[unlock] = state
            for observer in observers.values { observer.yield(UnlockChange(unlock: unlock, state: state)) }
        }
    }

    /// What a person sees in the shop, in the catalogue's order.
    public var offers: [Offer] {
        let open = catalogue.items.flatMap(\.grants).filter { state(of: $0).isUnlocked }
        return catalogue.offers(in: context, prices: prices ?? [:], open: Set(open), waiting: waiting)
    }
}

/// A new state of something.
public struct UnlockChange: Sendable, Hashable {
    /// The name of the unlock.
    public let unlock: String
    /// Its state from now on.
    public let state: UnlockState
}

// MARK: - Buying

extension Unlocks {
    /// What became of an attempt to buy.
    public enum Purchase: Sendable, Hashable {
        /// It is the person's, and is being delivered. ``Unlocks/Unlocks/state(of:)`` says when it is open.
        case bought
        /// Somebody must approve it first.
        case waiting
        /// The person changed their mind.
        case cancelled
    }

    /// Buys an item of the catalogue, or takes a free one.
    ///
    /// - Parameter item: The item's name in the catalogue.
    /// - Returns: What became of it.
    /// - Throws: ``UnlocksError``, or the store's error.
    public func buy(_ item: String) async throws -> Purchase {
        guard let offer = offers.first(where: { $0.item.id == item }) else { throw UnlocksError.unknownItem(item) }
        switch offer.state {
        case .free:
            try take(offer.item)
            return .bought
        case .forSale, .waiting: break
        case .unavailable where prices == nil: break
        default: throw UnlocksError.notForSale(offer.state)
        }
        guard let product = offer.item.product else { throw UnlocksError.notForSale(offer.state) }
        switch try await store.purchase(product) {
        case .cancelled: return .cancelled
        case .pending:
            willChange.send()
            waiting.insert(product)
            return .waiting
        case .purchased(let statement):
            receive(statement)
            await finish(statement.transaction.id)
            if case .unverified(_, let reason) = statement { throw UnlocksError.notVerified(reason) }
            return .bought
        }
    }

    private func take(_ item: CatalogueItem) throws(UnlocksError) {
        let source = Grant.Source.free(item.id)
        guard ledger[source] == nil else { return }
        try add(Grant(source: source, item: item.id, doses: item.doses(), stage: .recorded))
    }

    /// Uses some doses of something.
    ///
    /// - Returns: Whether there were as many. If so, it is on the disk.
    /// - Throws: ``UnlocksError/storage(_:)``, and nothing was used.
    public func spend(_ count: Int = 1, of unlock: String) throws(UnlocksError) -> Bool {
        guard let total = ledger.total(spending: count, of: unlock) else { return false }
        try commit(.spent(unlock, total: total))
        publish([unlock])
        return true
    }

    /// Deletes all content, and delivers it again. What is open stays open.
    ///
    /// - Throws: ``UnlocksError/storage(_:)``. Calling it again goes on.
    public func reset() throws(UnlocksError) {
        for var grant in Array(ledger.all) where grant.counts {
            if !grant.isDueAgain {
                grant.isDueAgain = true
                try commit(.grant(grant))
            }
            try storage.removeFolder(grant.folderName)
            queue.add(grant.source, isUrgent: true)
        }
        work()
    }
}

// MARK: - Rewards

extension Unlocks {
    /// Claims what a referral earns.
    ///
    /// ```swift
    /// bridge.onReferral = { referral in _ = try? unlocks.claim(referral) }
    /// ```
    ///
    /// A claim whose event isn't reached waits on the disk.
    ///
    /// - Parameters:
    ///   - referral: The referral, as the bridge reported it.
    ///   - isSigned: Whether a signature shows that the app's maker issued the link.
    /// - Returns: The rewards that it earns now or once their event is reached. Claiming it again earns nothing. A later
    ///   catalogue may have more for it.
    /// - Throws: ``UnlocksError/storage(_:)``. It is tried again for as long as the app runs.
    @discardableResult
    public func claim(_ referral: Referral, isSigned: Bool = false) throws(UnlocksError) -> [String] {
        let claim = Claim(referral, isSigned: isSigned)
        do {
            return try take(claim)
        } catch {
            if !unsavedClaims.contains(claim) { unsavedClaims.append(claim) }
            trySavingLater(error)
            throw error
        }
    }

    private func take(_ claim: Claim) throws(UnlocksError) -> [String] {
        guard claim.referrer != person else { return [] }
        if !ledger.claims.contains(claim) { try commit(.claim(claim)) }
        let rewards = ledger.rewards(for: claim, person: person, in: catalogue)
        for grant in rewards { try add(grant) }
        return rewards.compactMap { if case .reward(let id, _) = $0.source { id } else { nil } }
    }

    /// Looks at what was claimed again: the catalogue may have a reward for it now, or the disk takes it.
    private func takeClaims() {
        let claims = ledger.claims + unsavedClaims
        unsavedClaims = []
        for claim in claims {
            do throws(UnlocksError) {
                _ = try take(claim)
            } catch {
                unsavedClaims.append(claim)
                trySavingLater(error)
            }
        }
    }

    /// Says that the person has reached an event that rewards may wait for.
    ///
    /// - Throws: ``UnlocksError/storage(_:)``. Say it again.
    public func didReach(_ event: String) throws(UnlocksError) {
        if !ledger.reached.contains(event) { try commit(.reached(event)) }
        try grantClaims()
    }

    private func grantClaims() throws(UnlocksError) {
        while let grant = ledger.nextClaim(person: person) { try add(grant) }
    }

    private func add(_ grant: Grant) throws(UnlocksError) {
        try commit(.grant(grant))
        guard grant.isDue else { return }
        queue.add(grant.source)
        work()
    }
}

// MARK: - The store's statements

extension Unlocks {
    /// Records what the store says of a transaction, if it can be used.
    ///
    /// - Returns: Whether it counts, or is known already.
    @discardableResult
    private func receive(_ statement: StoreStatement) -> Bool {
        let transaction = statement.transaction
        let signed = transaction.signedDate ?? transaction.purchaseDate ?? .distantPast
        if case .unverified(_, let reason) = statement {
            onProblem?(.notVerified(transaction, reason: reason))
        } else if transaction.id.isEmpty || transaction.product.isEmpty {
            onProblem?(.incomplete(transaction))
        } else if let app = transaction.app, let appIdentifier, app != appIdentifier {
            onProblem?(.otherApp(transaction))
        } else if signed > clock.now().date + Self.clockTolerance {
            receiveLater(transaction, because: .ahead(transaction))
            setTimer()
        } else {
            switch ledger.change(for: transaction, in: catalogue) {
            case .unknownProduct: receiveLater(transaction, because: .unknownProduct(transaction))
            case .nothing: return true
            case .grant(let grant): return record(grant)
            }
        }
        return false
    }

    private func receiveLater(_ transaction: StoreTransaction, because problem: UnlocksProblem) {
        if laterStatements.updateValue(transaction, forKey: transaction.id) == nil { onProblem?(problem) }
    }

    private func record(_ grant: Grant) -> Bool {
        guard let transaction = grant.transaction else { return false }
        do {
            try commit(.grant(grant))
        } catch {
            laterStatements[transaction.id] = transaction
            trySavingLater(error)
            return false
        }
        laterStatements[transaction.id] = nil
        willChange.send()
        waiting.remove(transaction.product)
        if grant.isRevoked {
            queue.remove(grant.source)
            removeContent(of: grant)
        } else if grant.isDue {
            queue.add(grant.source)
        }
        publish(grant.doses.keys)
        work()
        return true
    }

    /// Finishes what is delivered or refunded, one transaction or all, once the store's last word on it is recorded.
    ///
    /// The store may have taken a purchase back meanwhile, without a word, and finishing it would hide that.
    private func finish(_ id: String? = nil) async {
        for statement in await store.unfinishedTransactions() where id == nil || id == statement.transaction.id {
            let id = statement.transaction.id
            guard receive(statement), let grant = ledger[.purchase(id)], !grant.isDue else { continue }
            await store.finish(id)
        }
    }

    private func takeLaterStatements() async {
        for transaction in laterStatements.values.sorted(by: { $0.id < $1.id }) { receive(.verified(transaction)) }
        await finish()
    }

    private func trySavingLater(_ error: UnlocksError) {
        onProblem?(.notSaved(error))
        guard nextSaving == nil else { return }
        let pause = DeliveryQueue.pause(after: savingFailures)
        savingFailures += 1
        nextSaving = clock.now().date + pause
        setTimer()
    }

    /// Writes an entry, and lets it count once it is on the disk.
    private func commit(_ entry: JournalEntry) throws(UnlocksError) {
        try journal.append(entry)
        ledger.apply(entry)
        savingFailures = 0
    }

    /// Writes an entry that is asked for again at the next launch.
    private func save(_ entry: JournalEntry) {
        do { try commit(entry) } catch { onProblem?(.notSaved(error)) }
    }

    private func removeContent(of grant: Grant) {
        do { try storage.removeFolder(grant.folderName) } catch { onProblem?(.contentNotRemoved(error)) }
    }
}

// MARK: - Delivering

extension Unlocks {
    /// Delivers what is due, one after the other, unless that is happening.
    private func work() {
        guard listening != nil, !isWorking else { return }
        isWorking = true
        timer?.cancel()
        working = Task { [weak self] in
            while let self, let source = self.queue.next(at: self.clock.now().date) { await self.deliver(source) }
            self?.isWorking = false
            self?.setTimer()
        }
    }

    private func deliver(_ source: Grant.Source) async {
        guard let grant = ledger[source], grant.isDue else { return queue.remove(source) }
        var delivery: Delivery?
        do {
            let folder = try storage.makeFolder(grant.folderName, for: JournalEntry.grant(grant).json)
            let item = grant.item.flatMap { id in catalogue.items.first { $0.id == id } }
            delivery = Delivery(
                evidence: source.evidence,
                unlocks: grant.doses.keys.sorted(),
                item: item,
                transaction: grant.transaction,
                folder: folder
            )
            willChange.send()
            self.delivery = delivery
            if let delivery { try await deliver(delivery) }
            willChange.send()
            self.delivery = nil
            // It may have been refunded meanwhile.
            guard var delivered = ledger[source], delivered.isDue else {
                queue.remove(source)
                return removeContent(of: grant)
            }
            delivered.stage = .delivered
            delivered.isDueAgain = false
            try commit(.grant(delivered))
        } catch {
            willChange.send()
            self.delivery = nil
            let pause = queue.fail(source, at: clock.now().date)
            if let error = error as? UnlocksError {
                onProblem?(.notSaved(error))
            } else if let delivery {
                onProblem?(.notDelivered(delivery, error, retryAfter: pause))
            }
            return
        }
        queue.remove(source)
        publish(grant.doses.keys)
        if case .purchase(let id) = source { await finish(id) }
    }

    /// Wakes up when the next delivery may be tried, when the disk may take what it didn't take, or when something ends.
    private func setTimer() {
        timer?.cancel()
        let now = clock.now().date
        let ahead = laterStatements.values.compactMap { $0.signedDate ?? $0.purchaseDate }
            .map { $0 - Self.clockTolerance }
            .filter { $0 > now }
        let expiration = ledger.nextExpiration(after: now)
        guard let next = ([queue.earliest, nextSaving, expiration].compactMap { $0 } + ahead).min() else { return }
        // Dates are rounded: without a least pause it might wake just before the moment, again and again.
        let pause = max(0.001, next.timeIntervalSince(now))
        timer = Task { [weak self, clock] in
            await clock.sleep(pause)
            guard !Task.isCancelled else { return }
            await self?.wake()
        }
    }

    private func wake() async {
        nextSaving = nil
        publish()
        await takeLaterStatements()
        takeClaims()
        try? grantClaims()
        work()
    }
}

extension StoreStatement {
    var transaction: StoreTransaction {
        switch self {
        case .verified(let transaction), .unverified(let transaction, _): transaction
        }
    }
}

private extension CatalogueItem {
    func isIncluded(in edition: String?) -> Bool { edition.map(includedIn.contains) ?? false }
}
