import ReferralFoundation

/// What the store was asked and has told, and what is being delivered: the only place that decides what an ``UnlockCenter`` does.
///
/// An event is a call of the app, an answer of the store, the disk, the web or the app, or a moment that was waited for.
/// ``handle(_:_:at:)`` changes the state and returns effects: what is asked of the outside. Each effect that is answered has a
/// number, and its answer has the same number. ``questions`` has what follows each answer of the store, so one that comes twice
/// changes nothing.
struct ShopState: Sendable, Equatable, EventHandling {
    /// What events are judged by.
    struct Facts {
        var ledger: Ledger
        let catalog: ShopCatalog
        /// What the edition includes and sells of the catalog.
        let assortment: Assortment
        let paidBefore: PaidBefore?
        let platform: CatalogItem.Platform
        /// Why the journal isn't open; `nil` if it is.
        let closed: UnlocksError?
        /// The moment at which purchases are judged.
        let now: Date
        /// What the device's clock shows.
        let clock: Date

        /// Whether a kept answer is yes, and counts: in production.
        func isYes(_ kept: PaidBefore.Kept?) -> Bool { kept?.answer == true && ledger.environment == .production }

        /// The unlocks of the user's purchases, and of the app's own purchase.
        func bought(_ answer: PaidBefore.Answer?) -> Set<UnlockID> {
            ledger.bought(at: now).union(answer?.isYes == true ? paidBefore?.grants ?? [] : [])
        }

        /// Whether a transaction is delivered or refunded, so the store may forget it.
        func isFinishable(_ transaction: Name) -> Bool { ledger[.purchase(transaction)].map { !$0.isDue } ?? false }
    }

    /// A question that isn't answered yet.
    struct Question: Sendable, Equatable {
        let topic: Topic
        /// The refresh that is over once its questions are answered; `nil` if none waits for this one.
        let refresh: Int?
    }

    enum Topic: Sendable, Equatable {
        // The disk.
        case open
        case record([StoreTransaction], Use)
        case rewards

        // The store, and the source of the catalog.
        case history(Listing)
        case entitlements(Listing)
        case unfinished
        case products(Set<ProductID>)
        /// With the call that restores, if one does.
        case app(restore: Int?)
        case catalog
        /// With the call that buys once it is finished, if one does.
        case finish(call: Int?)
        case purchase(call: Int, grantCount: Int)
        case sync(call: Int)

        /// The server that guards the files of an item.
        case proof(CatalogItem, Grant.Source)
    }

    /// Something that is waited for.
    enum Wait: Sendable, Hashable {
        /// Until the journal is opened, or written, again.
        case disk
        /// Until time changes what is open, as when a subscription ends.
        case change
        /// Until the products are asked for again, since there were none.
        case products
        case refresh(Int)
        /// The answer to a question.
        case answer(Int)
        /// Until a grant is tried again, whose delivery failed.
        case delivery(Grant.Source)
    }

    /// The app whose transactions count; `nil` if all do.
    let app: String?
    /// What follows the answers that are still to come, by number.
    var questions: [Int: Question] = [:]
    private var deadlines = Deadlines<Wait>()
    private var moment = Timestamp(milliseconds: 0)
    /// The entries that the present event adds to the ledger.
    private var noted: [JournalEntry] = []
    var outbox = Outbox<Effect>()

    // For ShopState+Journal.swift
    private(set) var isStarted = false
    /// The calls that wait until the journal was opened, or can't be.
    var openingCalls: [Int] = []
    /// The number of failed attempts to open the journal, or to write it, since the last success.
    var diskFailures = 0
    /// Verified statements, by transaction, that wait for a catalog with the product, or until they can be written.
    var later: [Name: StoreTransaction] = [:]
    /// Updates that are recorded once those before them are.
    var updates: [StoreStatement] = []

    // For ShopState+Refreshing.swift
    var refreshes: [Int: Refresh] = [:]
    /// Until when an activation of the app doesn't ask again.
    var restsUntil: Timestamp?

    // For ShopState+Listing.swift
    /// The last question for all purchases, and the last one that was answered.
    var (lastListing, answeredListing) = (0, 0)

    // For ShopState+Products.swift
    var products: [ProductID: StoreProduct]?
    var isOffline = false
    /// The last question for products that was answered.
    var answeredProducts = 0
    /// The number of consecutive empty lists of products.
    var emptyLists = 0

    // For ShopState+App.swift
    var paidBeforeAnswer: PaidBefore.Answer?

    // For ShopState+Buying.swift
    /// The recorded transactions that the store has unfinished, as it told them.
    var unfinished: [Name: StoreTransaction] = [:]
    var buys: [Int: Buy] = [:]
    var restores: [Int: Restore] = [:]
    var pendingProducts: Set<ProductID> = []

    // For ShopState+Deliveries.swift
    var entries: [Grant.Source: Entry] = [:]
    var lastPlace = 0
    /// Whether content that is still needed may be lost; `nil` until the store was asked, since it may revoke a purchase.
    var mayLackContent: Bool?
    /// The question for the content that is lost.
    var look: Int?

    // For ShopState+Delivering.swift
    /// What is being done for one grant.
    var step: Step?
    /// The statements that the store has told since the launch, as it has signed them. They aren't in the journal.
    var signedTexts: [Name: String] = [:]

    // For ShopState+Loading.swift
    /// What is being loaded: of each item for one grant at a time. A server that never answers holds up its own item alone.
    var loads: [ItemID: Load] = [:]

    // For ShopState+Guards.swift
    /// Why the servers that guard the files of items didn't give them out the last time.
    var refusals: [ItemID: DownloadError.Refusal] = [:]

    init(for app: String?) { self.app = app }

    /// The moment for the next ``Event/woke(_:)``, on the clock of the deadlines; `nil` if nothing is waited for.
    var nextWake: Timestamp? { deadlines.next }
}

// MARK: - Events and effects

extension ShopState {
    enum Event: Sendable {
        // The app, and what the center follows.
        case started
        /// The journal is to be opened, unless it is.
        case openAsked(call: Int)
        case refreshAsked(call: Int)
        case becameActive
        case catalogChanged(call: Int)
        case environmentChanged
        case storefrontChanged
        case contextChanged
        case ownReferrerChanged
        case buyAsked(call: Int, ProductID, isSubscription: Bool)
        case restoreAsked(call: Int)
        case updated(StoreStatement)
        /// Grants were recorded that the store knows nothing of.
        case granted([Grant.Source])
        /// Some content is to be removed and delivered again.
        case resetAsked([Grant.Source])
        /// Something was written into the journal.
        case wrote
        /// Something that can wait couldn't be written.
        case notSaved(UnlocksError)

        // Answers of the disk.
        case opened(Int, Result<[UnlocksProblem], UnlocksError>)
        case recorded(Int, Result<Ledger.Changes, UnlocksError>)
        case rewardsGranted(Int)

        // Answers of the store, and of the source of the catalog.
        case listed(Int, [StoreStatement])
        case products(Int, Result<[StoreProduct], any Error>)
        case app(Int, Result<AppPurchase?, any Error>)
        case catalogLoaded(Int)
        case finished(Int)
        case purchased(Int, Result<StorePurchaseResult, any Error>)
        case synced(Int, (any Error)?)

        // Answers about deliveries.
        case looked(Int, lost: [Grant.Source])
        case folderMade(Int, Result<URL, any Error>)
        case delivered(Int, (any Error)?)
        /// With whether the folder still exists.
        case completed(Int, Result<Bool, UnlocksError>)
        case loadProgressed(Int, ItemID, DownloadProgress)
        case loaded(Int, ItemID, ContentDownloads.Failure?)
        case removed(Int, Grant.Source, UnlocksError?)
        case proved(Int, (any Error)?)
        /// The deadline ``ShopState/nextWake`` has come.
        case woke(Timestamp)
    }

    enum Effect: Sendable {
        // The disk. Answered.
        /// Load the catalog that is on the disk, and open the journal.
        case open(Int)
        case record(Int, [StoreTransaction])
        /// Judge the claims again.
        case grantRewards(Int)

        // The store, and the source of the catalog. Answered, perhaps late or never.
        case listEntitlements(Int)
        case listHistory(Int)
        case listUnfinished(Int)
        case loadProducts(Int, Set<ProductID>)
        case loadApp(Int, isRefresh: Bool)
        case loadCatalog(Int)
        case finish(Int, StoreTransaction)
        case purchase(Int, ProductID, call: Int)
        case sync(Int)

        // Deliveries. Answered.
        /// Which of these grants have lost content?
        case look(Int, [Content])
        /// Make the folder, and move the files that were loaded into it; `nil` if the grant has no item.
        case makeFolder(Int, Grant.Source, [CatalogItem.File]?)
        case deliver(Int, Delivery)
        /// Mark the folder as complete, and record the delivery.
        case complete(Int, Grant)
        case load(Int, CatalogItem, Grant.Source, by: ContentGuard?, besides: [Content])
        case remove(Int, Grant.Source)
        /// Would the files still be given out?
        case prove(Int, ContentGuard)

        // Not answered. A load that is canceled ends with an answer.
        case cancelLoad(Int)
        /// Add these entries to the ledger. They count at once, and are written when the disk accepts them.
        case note([JournalEntry])
        /// Write what was noted.
        case save
        /// Listen to the store.
        case listen
        /// Observe when the app becomes active.
        case observe
        case report(UnlocksProblem)
        case resume(call: Int, Reply)
    }

    /// The result of a call.
    enum Reply: Sendable {
        case done
        case purchase(Result<UnlockCenter.Purchase, any Error>)
        case restoration(Result<UnlockCenter.Restoration, any Error>)
    }

    /// Handles an event, and returns what is to be done, in this order.
    mutating func handle(_ event: Event, _ facts: Facts, at moment: Timestamp) -> [Effect] {
        self.moment = moment
        if case .woke(let deadline) = event { self.moment = max(moment, deadline) }
        follow(event, facts)
        for wait in deadlines.due(at: self.moment) where deadlines.take(wait, at: self.moment) { end(wait, facts) }
        let updated = updated(facts)
        endAnsweredRefreshes(updated)
        beginDeliveries(updated)
        waitForChange(updated)
        noted = []
        return outbox.take()
    }

    private mutating func follow(_ event: Event, _ facts: Facts) {
        switch event {
        case .started:
            guard !isStarted else { return }
            perform(.observe)
            isStarted = true
            open(for: nil, facts)
        case .openAsked(let call): if begin(call) { open(for: call, facts) }
        case .refreshAsked(let call): if begin(call) { refresh(.call(call), facts) }
        case .becameActive: refreshAgain(facts)
        case .catalogChanged(let call):
            guard begin(call) else { return }
            deliver(by: facts.catalog, facts)
            followCatalog(.call(call), facts)
        case .environmentChanged: followEnvironment(facts)
        case .storefrontChanged: askForProducts(facts)
        case .contextChanged: if isStarted { followCatalog(nil, facts) }
        case .ownReferrerChanged: ask(.rewards) { .grantRewards($0) }
        case .buyAsked(let call, let product, let isSubscription):
            if begin(call) { buy(product, isSubscription: isSubscription, call, facts) }
        case .restoreAsked(let call): if begin(call) { restore(call, facts) }
        case .updated(let statement):
            updates.append(statement)
            recordUpdates(facts)
        case .granted(let sources): deliver(sources, facts)
        case .resetAsked(let sources):
            for source in sources {
                // What can't be loaded again stays.
                guard let grant = facts.ledger[source], facts.ledger.isPresent(grant), !grant.isRevoked,
                    grant.isWithheld == true || !lacksProof(of: facts.catalog.item(of: grant), for: source)
                else { continue }
                if grant.isWithheld == true { note(grant) { $0.isWithheld = nil } }
                remove(source)
            }
        case .wrote: noteWrite(facts)
        case .notSaved(let error): saveLater(error, facts)
        case .opened(let number, let result): if end(number) != nil { opened(result, facts) }
        case .recorded(let number, let result):
            if let question = end(number), case .record(let transactions, let use) = question.topic {
                recorded(transactions, result, use, question.refresh, facts)
            }
        case .listed(let number, let statements): if let question = end(number) { listed(statements, question, facts) }
        case .products(let number, let result):
            if let question = end(number), case .products(let identifiers) = question.topic {
                receiveProducts(result, of: identifiers, number, question.refresh, facts)
            }
        case .app(let number, let result):
            if let question = end(number), case .app(let call) = question.topic {
                judge(result, restore: call, question.refresh, facts)
            }
        case .rewardsGranted(let number), .catalogLoaded(let number): _ = end(number)
        case .finished(let number): if case .finish(let call?)? = end(number)?.topic { purchase(call, facts) }
        case .purchased(let number, let result):
            if case .purchase(let call, let count)? = end(number)?.topic { purchased(call, count, result, facts) }
        case .synced(let number, let error):
            if case .sync(let call)? = end(number)?.topic { synced(call, error, facts) }
        case .looked(let number, let lost): queue(lost, number, facts)
        case .folderMade(let number, let result): deliver(number, result)
        case .delivered(let number, let error): complete(number, error, facts)
        case .completed(let number, let result): endDelivery(number, result, facts)
        case .loadProgressed(let number, let item, let progress):
            if loads[item]?.number == number { loads[item]?.progress = progress }
        case .loaded(let number, let item, let failure): endLoad(number, of: item, failure, facts)
        case .removed(let number, let source, let failure): endRemoval(number, of: source, failure, facts)
        case .proved(let number, let error):
            if case .proof(let item, let source)? = end(number)?.topic {
                note(error as? DownloadError, from: item, about: source, facts)
                prove(updated(facts))
            }
        case .woke: break
        }
    }

    /// Waits for the next moment at which something ends because time passes.
    private mutating func waitForChange(_ facts: Facts) {
        guard let nextChange = facts.ledger.nextChange(after: facts.now) else { return cancel(.change) }
        // Dates are rounded. Without a millisecond more, the deadline might come just before the moment.
        wait(.change, nextChange.timeIntervalSince(facts.clock) + 0.001)
    }

    private mutating func listed(_ statements: [StoreStatement], _ question: Question, _ facts: Facts) {
        switch question.topic {
        case .history(let listing): recordHistory(statements, listing, question.refresh, facts)
        case .entitlements(var listing):
            listing.statements = statements
            record(statements, .entitlements(listing), question.refresh, facts)
        default: record(statements, .unfinished, question.refresh, facts)
        }
    }

    private mutating func end(_ wait: Wait, _ facts: Facts) {
        switch wait {
        case .disk: if facts.closed == nil { saveAgain(facts) } else { open(for: nil, facts) }
        case .change: break
        case .products: if emptyLists > 0 { askForProducts(facts) }
        case .refresh(let number): end(refresh: number, facts)
        case .delivery(let source): putInLine(source)
        case .answer(let number):
            switch questions[number]?.topic {
            case .finish(let call?):
                _ = end(number)
                purchase(call, facts)
            case .history(let listing): askForEntitlements(listing, questions[number]?.refresh, facts)
            default: break
            }
        }
    }
}

// MARK: - For the files of this folder

extension ShopState {
    /// Asks a question.
    ///
    /// - Parameters:
    ///   - topic: What it is about.
    ///   - refresh: The refresh that waits for the answer; `nil` if none does.
    ///   - effect: The effect with the question's number.
    /// - Returns: The number.
    @discardableResult
    mutating func ask(_ topic: Topic, of refresh: Int? = nil, _ effect: (Int) -> Effect) -> Int {
        let number = ask(effect)
        questions[number] = Question(topic: topic, refresh: refresh)
        return number
    }

    /// Ends a question.
    ///
    /// - Returns: The question; `nil` if it has ended before.
    private mutating func end(_ number: Int) -> Question? {
        deadlines.cancel(.answer(number))
        return questions.removeValue(forKey: number)
    }

    /// Adds entries to the ledger, which count at once.
    mutating func note(_ entries: [JournalEntry]) {
        noted += entries
        perform(.note(entries))
    }

    /// Notes what the catalog adds to earlier purchases.
    mutating func noteAdditions(_ facts: Facts) {
        let entries = facts.ledger.additions(in: facts.catalog)
        if !entries.isEmpty { note(entries) }
    }

    /// The facts with what the present event has noted.
    func updated(_ facts: Facts) -> Facts {
        guard !noted.isEmpty else { return facts }
        var facts = facts
        facts.ledger.apply(noted)
        return facts
    }

    mutating func wait(_ wait: Wait, _ seconds: TimeInterval) { deadlines.set(wait, after: seconds, at: moment) }

    mutating func cancel(_ wait: Wait) { deadlines.cancel(wait) }

    func isWaiting(_ wait: Wait) -> Bool { deadlines.contains(wait) }

    /// The present moment, on the clock of the deadlines.
    var now: Timestamp { moment }
}
