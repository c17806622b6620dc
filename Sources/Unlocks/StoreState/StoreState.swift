import ReferralFoundation

/// What the store was asked and has told, and the only place that decides what an ``UnlockCenter`` asks next.
///
/// An event is what has happened: a call of the app, an answer of the store or the disk, or a moment that was waited for.
/// ``handle(_:_:at:)`` changes the state and returns effects: what is asked of the outside. Each effect that is answered has a
/// number, and its answer has the same number. ``questions`` has what follows each answer, so one that comes twice changes nothing.
struct StoreState: Sendable, Equatable, EventHandling {
    /// What events are judged by.
    struct Facts {
        let ledger: Ledger
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
    }

    /// What an open question is about.
    enum Question: Sendable, Equatable {
        // The journal.
        case prepare
        case open
        case record([StoreTransaction], Use)
        case settle([Claim], wereWaiting: Bool, call: Int?, refresh: Int?)
        case keepAdditions(refresh: Int?)
        case saveAnswer(Listing, StoreAnswer, isLast: Bool)
        case saveApp(AppUse, isNew: Bool, PaidBefore.Kept?)

        // The store, and the source of the catalog.
        case entitlements(Listing)
        /// With what was listed.
        case history(Listing, [StoreStatement])
        case products(refresh: Int, Set<ProductID>)
        case app(AppUse)
        case catalog(refresh: Int)
        case unfinished(refresh: Int)
        /// With the call that buys once it is finished, if one does.
        case finish(call: Int?)
        case purchase(call: Int, grantCount: Int)
        case sync(call: Int)
    }

    /// Something that is waited for.
    enum Wait: Sendable, Hashable {
        /// Until the journal is opened, or written, again.
        case disk
        /// Until the updates are listened to again.
        case updates
        /// Until time changes what is open, as when a subscription ends.
        case change
        /// Until the products are asked for again, since there were none.
        case products
        case refresh(Int)
        /// The answer to a question.
        case answer(Int)
    }

    /// The app whose transactions count; `nil` if all do.
    let app: String?
    /// What follows the answers that are still to come, by number.
    var questions: [Int: Question] = [:]
    private var deadlines = Deadlines<Wait>()
    private var moment = Timestamp(milliseconds: 0)
    var outbox = Outbox<Effect>()

    // For StoreState+Journal.swift
    private(set) var isStarted = false
    var opening: Opening?
    /// The number of failed attempts to open the journal, or to write it, since the last success.
    var diskFailures = 0
    /// Claims that couldn't be written yet.
    var claims: [Claim] = []
    /// Verified statements, by transaction, that wait for a catalog with the product, or until they can be written.
    var later: [Name: StoreTransaction] = [:]
    /// Updates that are recorded once those before them are.
    var updates: [StoreStatement] = []

    // For StoreState+Refreshing.swift
    var refreshes: [Int: Refresh] = [:]
    /// Until when an activation of the app doesn't ask again.
    var restsUntil: Timestamp?

    // For StoreState+Listing.swift
    /// The last question for all purchases, and the last one that was answered.
    var (lastListing, answeredListing) = (0, 0)

    // For StoreState+Products.swift
    var products: [ProductID: StoreProduct]?
    var isOffline = false
    /// The last question for products that was answered.
    var answeredProducts = 0
    /// The number of consecutive empty lists of products.
    var emptyLists = 0

    // For StoreState+App.swift
    var paidBeforeAnswer: PaidBefore.Answer?

    // For StoreState+Finishing.swift
    /// The recorded transactions that the store has unfinished, as it told them.
    var unfinished: [Name: StoreTransaction] = [:]

    // For StoreState+Buying.swift
    var buys: [Int: Buy] = [:]
    var restores: [Int: Restore] = [:]
    var pendingProducts: Set<ProductID> = []

    /// The number of times in a row that the updates have ended without one.
    private var updateFailures = 0

    init(for app: String?) { self.app = app }

    /// The moment for the next ``Event/woke(_:)``, on the clock of the deadlines; `nil` if nothing is waited for.
    var nextWake: Timestamp? { deadlines.next }
}

// MARK: - Events and effects

extension StoreState {
    enum Event: Sendable {
        // The app, and what the center follows.
        case started
        /// The journal is to be opened, unless it is.
        case openAsked(call: Int)
        /// The call is resumed once the journal isn't being opened.
        case journalAwaited(call: Int)
        case refreshAsked(call: Int)
        case becameActive
        case catalogChanged(call: Int)
        case environmentChanged
        case storefrontChanged
        case editionChanged
        case ownReferrerChanged
        /// Something on which states depend may have changed.
        case changed
        case buyAsked(call: Int, ProductID, isSubscription: Bool)
        case restoreAsked(call: Int)
        case claimed(call: Int, [Claim])
        case reached(call: Int, EventName)
        case updated(StoreStatement)
        case updatesEnded
        /// A purchase was delivered.
        case delivered
        /// Something was written into the journal.
        case wrote

        // Answers of the disk.
        case prepared(Int)
        case opened(Int, Result<[UnlocksProblem], UnlocksError>)
        case recorded(Int, Result<Ledger.Changes, UnlocksError>)
        case settled(Int, Result<Ledger.Settlement, UnlocksError>)
        case additionsKept(Int, UnlocksError?)
        case answerSaved(Int, UnlocksError?)
        case appSaved(Int, UnlocksError?)

        // Answers of the store, and of the source of the catalog.
        case listed(Int, [StoreStatement])
        case products(Int, Result<[StoreProduct], any Error>)
        case app(Int, Result<AppPurchase?, any Error>)
        case catalogLoaded(Int)
        case finished(Int)
        case purchased(Int, Result<StorePurchaseResult, any Error>)
        case synced(Int, (any Error)?)
        /// The deadline ``StoreState/nextWake`` has come.
        case woke(Timestamp)
    }

    enum Effect: Sendable {
        // The disk. Answered.
        /// Load the catalog that is on the disk.
        case prepare(Int)
        case open(Int)
        case record(Int, [StoreTransaction])
        case settle(Int, [Claim], reaching: EventName?)
        case keepAdditions(Int)
        case saveAnswer(Int, StoreAnswer)
        /// Note when the store has signed the app's own purchase, and keep the answer.
        case saveApp(Int, signed: Date?, PaidBefore.Kept?)

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

        // Not answered.
        case listenToUpdates
        /// Listen to everything else of the store.
        case listen
        /// Observe when the app becomes active.
        case observe
        case report(UnlocksProblem)
        /// Tell the deliveries.
        case deliver(DeliveryState.Event)
        /// An answer that can't be saved counts until the app ends.
        case count(StoreAnswer)
        /// Tell the observers which states have changed.
        case publish
        case resume(call: Int, Reply)
    }

    /// The result of a call.
    enum Reply: Sendable {
        case done
        case purchase(Result<UnlockCenter.Purchase, any Error>)
        case restoration(Result<UnlockCenter.Restoration, any Error>)
        case rewards(Result<[RewardID], UnlocksError>)
        case reset(UnlocksError?)
    }

    /// Takes an event, and returns what is to be done, in this order.
    mutating func handle(_ event: Event, _ facts: Facts, at moment: Timestamp) -> [Effect] {
        var limit = moment
        if case .woke(let deadline) = event { limit = max(limit, deadline) }
        self.moment = limit
        happen(event, facts)
        for wait in deadlines.due(at: limit) where deadlines.take(wait, at: limit) { end(wait, facts) }
        return outbox.take()
    }

    private mutating func happen(_ event: Event, _ facts: Facts) {
        switch event {
        case .started:
            if !isStarted { perform(.observe) }
            isStarted = true
            open(then: nil, facts)
        case .openAsked(let call): if isNew(call) { open(then: .resume(call: call), facts) }
        case .journalAwaited(let call): if isNew(call) { awaitJournal(call) }
        case .refreshAsked(let call): if isNew(call) { open(then: .refresh(.call(call)), facts) }
        case .becameActive:
            // The device may have slept.
            publish(facts)
            refreshAgain(facts)
        case .catalogChanged(let call): if isNew(call) { followCatalog(.call(call), facts) }
        case .environmentChanged: followEnvironment(facts)
        case .storefrontChanged: askForProducts(listsAgain: facts.lacksAnswer, facts)
        case .editionChanged: if isStarted { followCatalog(nil, facts) }
        case .ownReferrerChanged: settleWaitingClaims()
        case .changed: publish(facts)
        case .buyAsked(let call, let product, let isSubscription):
            if isNew(call) { buy(product, isSubscription: isSubscription, call, facts) }
        case .restoreAsked(let call): if isNew(call) { restore(call, facts) }
        case .claimed(let call, let claims): if isNew(call) { settle(claims, call: call) }
        case .reached(let call, let event): if isNew(call) { settle([], reaching: event, call: call) }
        case .updated(let statement):
            updateFailures = 0
            updates.append(statement)
            recordUpdates(facts)
        case .updatesEnded:
            wait(.updates, Backoff.seconds(after: updateFailures))
            updateFailures += 1
        case .delivered: finishDelivered(facts)
        case .wrote: diskWorks(facts)
        case .prepared(let number): if case .prepare? = take(number) { openJournal() }
        case .opened(let number, let result): if case .open? = take(number) { opened(result, facts) }
        case .recorded(let number, let result):
            if case .record(let transactions, let use)? = take(number) { recorded(transactions, result, use, facts) }
        case .settled(let number, let result):
            if case .settle(let claims, let wereWaiting, let call, let refresh)? = take(number) {
                settled(claims, wereWaiting: wereWaiting, result, call, refresh, facts)
            }
        case .additionsKept(let number, let failure):
            if case .keepAdditions(let refresh)? = take(number) { keptAdditions(failure, refresh, facts) }
        case .answerSaved(let number, let failure):
            if case .saveAnswer(let listing, let answer, let isLast)? = take(number) {
                savedAnswer(answer, listing, isLast: isLast, failure, facts)
            }
        case .appSaved(let number, let failure):
            if case .saveApp(let use, let isNew, _)? = take(number) { savedApp(use, isNew: isNew, failure, facts) }
        case .listed(let number, let statements): listed(number, statements, facts)
        case .products(let number, let result):
            if case .products(let refresh, let identifiers)? = take(number) {
                receiveProducts(result, of: identifiers, number, refresh, facts)
            }
        case .app(let number, let result): if case .app(let use)? = take(number) { judge(result, use, facts) }
        case .catalogLoaded(let number):
            if case .catalog(let refresh)? = take(number) { end(.catalog, of: refresh, facts) }
        case .finished(let number):
            if case .finish(let call?)? = take(number) { purchase(call, facts) }
        case .purchased(let number, let result):
            if case .purchase(let call, let count)? = take(number) { purchased(call, count, result, facts) }
        case .synced(let number, let error): if case .sync(let call)? = take(number) { synced(call, error, facts) }
        case .woke: break
        }
    }

    private mutating func publish(_ facts: Facts) {
        perform(.publish)
        guard let nextChange = facts.ledger.nextChange(after: facts.now) else { return cancel(.change) }
        // Dates are rounded. Without a millisecond more, the deadline might come just before the moment.
        wait(.change, nextChange.timeIntervalSince(facts.clock) + 0.001)
    }

    private mutating func listed(_ number: Int, _ statements: [StoreStatement], _ facts: Facts) {
        switch take(number) {
        case .entitlements(let listing): record(statements, .entitlements(listing, statements), facts)
        case .history(let listing, let listed): recordHistory(statements, after: listed, listing, facts)
        case .unfinished(let refresh): record(statements, .unfinished(refresh: refresh), facts)
        default: break
        }
    }

    private mutating func end(_ wait: Wait, _ facts: Facts) {
        switch wait {
        case .disk: if facts.closed == nil { saveAgain(facts) } else { open(then: nil, facts) }
        case .updates: perform(.listenToUpdates)
        case .change: publish(facts)
        case .products: if emptyLists > 0 { askForProducts(listsAgain: true, facts) }
        case .refresh(let number): end(refresh: number, facts)
        case .answer(let number):
            switch questions[number] {
            case .finish(let call?):
                _ = take(number)
                purchase(call, facts)
            case .history(let listing, let listed): conclude(listing, listed, isLast: false, facts)
            default: break
            }
        }
    }
}

// MARK: - For the files of this folder

extension StoreState {
    /// Asks a question.
    ///
    /// - Returns: Its number.
    @discardableResult
    mutating func ask(_ question: Question, _ effect: (Int) -> Effect) -> Int {
        let number = ask(effect)
        questions[number] = question
        return number
    }

    /// Ends a question.
    ///
    /// - Returns: The question; `nil` if it has ended before.
    mutating func take(_ number: Int) -> Question? {
        deadlines.cancel(.answer(number))
        return questions.removeValue(forKey: number)
    }

    mutating func wait(_ wait: Wait, _ seconds: TimeInterval) { deadlines.set(wait, after: seconds, at: moment) }

    mutating func cancel(_ wait: Wait) { deadlines.cancel(wait) }

    func isWaiting(_ wait: Wait) -> Bool { deadlines.contains(wait) }

    /// The present moment, on the clock of the deadlines.
    var now: Timestamp { moment }
}
