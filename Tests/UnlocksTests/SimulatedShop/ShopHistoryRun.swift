import Foundation
import ReferralBridge
import SimulatedRuntime
import Unlocks

/// Lets a history happen, and checks what is promised.
///
/// What somebody is owed is worked out from the store's side alone, with rules of its own: nothing here asks the ledger.
@MainActor
final class ShopHistoryRun {
    /// What is true of a transaction.
    struct Truth {
        var statements: [StoreTransaction]
        var current: StoreTransaction { statements[statements.count - 1] }
        /// How often it may be delivered.
        var allowedDeliveries = 1
        var deliveries = 0
        /// How often its folder became complete.
        var completions = 0
        /// Of a purchase for some days: when it was made, and for how many days, as far as that is known.
        var term: Term?

        var wasRevoked: Bool { statements.contains(where: \.isRevoked) }
    }

    /// A state that was open, and by which purchase.
    struct Possession: Hashable { let (id, unlock): (String, UnlockID) }

    /// Something that the app was asked to do, and that isn't done yet.
    struct Spending {
        let count: Int
        let unlock: UnlockID
        let environment: StoreEnvironment
        /// The bounds of the moment at which it is done, and what the catalogs meanwhile have for free.
        var now: ClosedRange<Date>
        var allowances: [Uses.Allowance?]
    }

    let history: ShopHistory
    let shop: Shop
    /// Another process of the app.
    private(set) lazy var other = Shop(beside: shop)
    private(set) var hasOther = false
    /// What is known of the present catalog, and of those that the app has used, by their versions.
    var facts: CatalogFacts
    var used: [ShopHistory.Version: CatalogFacts]
    var truths: [String: Truth] = [:]
    var order: [String] = []
    var pending: [ProductID] = []
    var ending: ShopHistory.Moment?
    var deliveryWorks = true
    var deliverySeconds = 0.0
    var diskWorks = true
    var diskSeconds: Double?
    var clockError = 0.0
    var lastSigned = Date.distantPast
    var hasReached = false
    var hasPerhapsReached = false
    var moments = Moments()
    /// What was spent in each environment.
    var uses: [StoreEnvironment: [UnlockID: Uses]] = [:]
    var spending: [Int: Spending] = [:]
    var spendingCount = 0
    var hasTakenStarter = false
    /// Those whose referral was claimed, in order.
    var claims: [String] = []
    /// Whether a claim failed, which may have been written all the same, and is tried again.
    var isPerhapsClaimed = false
    /// Who came by the person's invitation, and who may have been written down all the same.
    var invited: Set<Int> = []
    var isPerhapsInvited: Set<Int> = []
    /// The smallest number of people who earned the inviter a reward in any catalog.
    var leastEvery = 2
    /// The environments in which the store has told something.
    var answered: Set<StoreEnvironment> = []
    /// What was told to those who observe the states, by the present process.
    var observed: [UnlockID: UnlockChange] = [:]
    /// The number of the present process.
    var observations = 0
    /// How often something was finished.
    var finishedCount = 0
    /// Whether the clock was set since the launch, of which nobody is told until the app looks at it.
    var isClockNew = false
    /// What was seen open.
    var open: Set<Possession> = []
    /// The subscriptions that were seen open and haven't lapsed since, and until when each is paid without a gap.
    var subscribers: Set<String> = []
    var paidUntil: [String: Date] = [:]
    var hasEndedEarly = false
    /// The purchases that the app has heard of since it was launched, while they were valid.
    var knownPurchases: Set<String> = []
    /// Whether the store has listed what isn't true.
    var hasLied = false
    /// Whether the journal was removed or damaged, so that what only it knows may be lost.
    var isJournalLost = false
    /// Whether a catalog had other unlocks, so that a later one may have added those that are open.
    var wasOther = false
    /// Whether a catalog had other kinds, so that nobody knows how a purchase was recorded.
    var hadOtherKinds = false
    /// Whether the disk has failed since the launch.
    var diskHasFailed = false
    var diskWasSlow = false
    /// How often the clock was set, and so how often the app may be woken too early.
    var clockChanges = 0
    /// How often the app was woken since the last event to do something that the disk or a delivery didn't let it begin.
    var idleWakings = 0
    /// How often the app was woken by the limit of a question.
    var limitWakings = 0
    /// How often it was given one.
    var catalogChanges = 0
    /// The content that may be removed though the store has told no refund.
    var removable: Set<String> = []
    /// The reason with which each process was refused the files of an item the last time.
    var refusals: [ObjectIdentifier: [ItemID: DownloadError.Refusal]] = [:]
    /// How often a server was asked about delivered content.
    var questions = 0
    /// How often only the rest of a file was asked for.
    var resumptions = 0
    /// What is known of the files of each folder.
    var loadings: [String: Loading] = [:]
    /// What couldn't be loaded or delivered once, and how often the app was woken for it during one loading.
    var failed: Set<String> = []
    var loadWakings = 0
    /// What each process has tried in vain to load.
    var attempts: [ObjectIdentifier: [String: Attempts]] = [:]

    private(set) var violations: [String] = []
    /// How many purchases the history had.
    var purchases: Int { order.count }

    init(_ history: ShopHistory) {
        guard let whole = ShopHistory.Version.whole.facts else { preconditionFailure("it is written") }
        self.history = history
        facts = whole
        used = [.whole: whole]
        shop = Shop(whole.catalog)
    }

    func run() {
        JobQueue.run { [self] in
            prepare(shop)
            moments.show(shop.now.date)
            shop.clock.willWake = { [unowned self] in willWake($0, $1) }
            for event in history.events where violations.isEmpty {
                let clock = shop.now.date
                apply(event)
                JobQueue.drain()
                if !event.isPrepared { check(since: clock) }
            }
            if violations.isEmpty { end() }
            weak let unlocks = shop.unlocks
            if hasOther { other.end() }
            shop.end()
            if unlocks != nil { violate("something waits for ever: the process is still there") }
        }
    }

    func violate(_ reason: String) { violations.append(reason) }

    func isRunning(_ shop: Shop) -> Bool { shop.unlocks != nil && !shop.storage.hasEnded }

    var isRunning: Bool { isRunning(shop) }

    /// The environment of the build that is installed.
    var environment: StoreEnvironment { shop.store.environment ?? .production }

    /// The moment by the store's clock.
    var storeTime: Date { shop.now.date - clockError }

    /// The other process, which is there from now on.
    func makeOther() -> Shop {
        if !hasOther { prepare(other) }
        hasOther = true
        return other
    }
}

// MARK: - The device and the store

extension ShopHistoryRun {
    private func prepare(_ shop: Shop) {
        shop.store.products = Set(ShopHistory.products.map { ProductID($0) })
        shop.store.isPack = { $0 == "hints" }
        shop.store.listsLatestOnly = { transaction in
            switch transaction.productID {
            case "pass", "day": transaction.productID.rawValue
            case "pro": "pro " + transaction.subscription
            default: nil
            }
        }
        if history.asksForApp {
            // It grants nothing, so no answer is kept.
            shop.paidBefore = PaidBefore(grants: [], firstFreeVersions: [:])
            shop.store.makeApp = { [unowned self] in
                .onIPhone("1", environment: environment, signed: sign(in: environment))
            }
        }
        shop.store.hasAnswered = { [unowned self] in answered.insert(environment) }
        shop.store.now = { [unowned self] in storeTime }
        shop.store.tell = { [unowned self, unowned shop] in if shop === self.shop { noteKnown($0) } }
        shop.storage.next = { [unowned self, unowned shop] in nextWrite(shop) }
        // A delivery that can't be written down is made again.
        shop.storage.isRefused = { [unowned self] in allowMore() }
        shop.storage.pause = { [unowned self, unowned shop] in
            guard let diskSeconds else { return }
            if diskSeconds == 0 { await Task.yield() } else { await shop.takeTime(diskSeconds) }
        }
        prepareFiles(shop)
        shop.deliver = { [unowned self, unowned shop] in try await deliver($0, in: shop) }
        shop.store.willFinish = { [unowned self, unowned shop] in willFinish($0, in: shop) }
        shop.store.didFinish = { [unowned self, unowned shop] id in
            didFinish(id)
            if ending == .afterFinish { endNow(shop) }
        }
        shop.store.isDisconnected = { [unowned shop] in shop.storage.hasEnded }
    }

    private func noteKnown(_ statements: [StoreStatement]) {
        guard !shop.storage.hasEnded else { return }
        for case .verified(let transaction) in statements where !transaction.isRevoked {
            knownPurchases.insert(transaction.id)
        }
    }

    private func nextWrite(_ shop: Shop) -> MemoryStorage.Write {
        if case .write(let count, let bytes) = ending {
            guard count == 0 else {
                ending = .write(count - 1, after: bytes)
                return .succeeds
            }
            ending = nil
            hasEndedEarly = true
            allowMore()
            return .ends(after: bytes)
        }
        if !diskWorks {
            allowMore()
            diskHasFailed = true
        }
        return diskWorks ? .succeeds : .fails
    }

    /// A delivery that couldn't be written down happens once more.
    func allowMore() { for id in order { truths[id]?.allowedDeliveries += 1 } }

    func endNow(_ shop: Shop) {
        ending = nil
        hasEndedEarly = true
        allowMore()
        endPauses(of: shop)
        shop.storage.hasEnded = true
    }

    /// Ends the app without a word.
    func end(_ shop: Shop) {
        allowMore()
        endPauses(of: shop)
        shop.end()
        if shop === self.shop {
            knownPurchases = []
            moments.end()
        }
    }

    /// Delivers content in two parts, which takes a while.
    private func deliver(_ delivery: Delivery, in shop: Shop) async throws {
        struct Failure: Error {}
        guard !shop.storage.hasEnded else { throw Failure() }
        if ending == .beforeContent {
            endNow(shop)
            throw Failure()
        }
        let folder = delivery.folder.lastPathComponent
        willDeliver(delivery, folder, in: shop)
        guard deliveryWorks else {
            failed.insert(folder)
            throw Failure()
        }
        shop.storage.folders[folder]?.insert("first")
        if deliverySeconds > 0 { await shop.takeTime(deliverySeconds) }
        guard !shop.storage.hasEnded, deliveryWorks else {
            failed.insert(folder)
            throw Failure()
        }
        // Some apps make the folder again if it is gone.
        shop.storage.folders[folder, default: []].insert("second")
        if case .purchase(let id) = delivery.evidence {
            didDeliver(id)
            if truths[id] == nil { violate("\(id) was never bought, and was delivered") }
            if truths[id]?.current.environment != environment { violate("\(id) of another environment was delivered") }
            if delivery.transaction?.isRevoked != false { violate("\(id) was delivered though it was refunded") }
        }
        if ending == .afterContent {
            endNow(shop)
            throw Failure()
        }
    }

    private func willFinish(_ id: String, in shop: Shop) {
        if ending == .beforeFinish { endNow(shop) }
        guard !shop.storage.hasEnded else { return }
        if truths[id] == nil { violate("\(id) was never bought, and was finished") }
        guard !isJournalLost else { return }
        let last = journalLine(of: id)
        if !last.contains(#""isRevoked":true"#), truths[id]?.completions == 0 {
            return violate("\(id) was finished before its folder was complete")
        }
        guard last.contains(#""stage":"delivered""#) || last.contains(#""isRevoked":true"#) else {
            return violate("\(id) was finished before it was delivered and on the disk: \(last)")
        }
    }

    /// What the journal says last of a purchase.
    func journalLine(of id: String) -> String {
        let lines = shop.storage.journal.split(separator: UInt8(ascii: "\n")).lazy.reversed()
        return lines.map { String(decoding: $0, as: UTF8.self) }
            .first { $0.contains(#""purchase":{"_0":"\#(id)"}"#) } ?? ""
    }

    /// A new statement of the store on a transaction.
    @discardableResult
    func say(_ transaction: StoreTransaction, isAnnounced: Bool) -> StoreTransaction {
        var transaction = transaction
        if history.hasDates { transaction.signedDate = sign(in: transaction.environment ?? environment) }
        transaction.signedText = "\(transaction.id) \(truths[transaction.id]?.statements.count ?? 0)"
        if truths[transaction.id] == nil {
            truths[transaction.id] = Truth(statements: [], term: term(of: transaction))
            order.append(transaction.id)
        }
        truths[transaction.id]?.statements.append(transaction)
        noteSubscription(transaction)
        shop.store.record(.verified(transaction))
        if isAnnounced { announce(.verified(transaction)) }
        return transaction
    }

    private func noteSubscription(_ transaction: StoreTransaction) {
        guard transaction.productID == "pro", let end = transaction.expirationDate else { return }
        let subscription = transaction.subscription
        if !transaction.isRevoked, let paid = paidUntil[subscription], storeTime < paid {
            paidUntil[subscription] = max(paid, end)
        } else {
            paidUntil[subscription] = transaction.isRevoked ? nil : end
            subscribers.remove(subscription)
        }
    }

    /// The moment of a new signature.
    func sign(in environment: StoreEnvironment) -> Date {
        lastSigned = max(lastSigned + 0.001, storeTime)
        moments.sign(lastSigned, in: environment, at: shop.now.date)
        return lastSigned
    }

    /// A store tells only of its own environment, and every process.
    func announce(_ statement: StoreStatement) {
        guard statement.transaction.environment == environment else { return }
        shop.store.announce(statement)
        if hasOther { other.store.announce(statement) }
    }

    func transaction(of product: ProductID) -> StoreTransaction {
        let expires = product == "pro" ? storeTime + 3_000 : nil
        let count = order.count
        // What the person had before is restored with its own date.
        let first = truths.values.map(\.statements[0]).first {
            $0.productID == "taste" && $0.environment == environment
        }
        return StoreTransaction(
            id: "\(count + 1)",
            productID: product,
            productKind: product == "pass" || product == "day" ? .nonRenewing : nil,
            quantity: product == "pass" && count.isMultiple(of: 4) ? 2 : 1,
            app: "com.example.trestle",
            environment: environment,
            purchaseDate: storeTime,
            originalPurchaseDate: product == "taste" && count.isMultiple(of: 2) ? first?.purchaseDate : nil,
            expirationDate: expires
        )
    }

    func truth(_ number: Int) -> Truth? { order.isEmpty ? nil : truths[order[number % order.count]] }
}

extension StoreTransaction {
    /// The first transaction of the subscription.
    var subscription: String { originalID ?? id }
}
