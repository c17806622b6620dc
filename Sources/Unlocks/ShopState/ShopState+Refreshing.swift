import ReferralFoundation

/// Asking the store for purchases, prices and the app's own purchase, and the source for a newer catalog.
extension ShopState {
    /// Several questions that are asked at once. Somebody waits for the answers for 30 seconds at most; later ones count too.
    struct Refresh: Sendable, Equatable {
        let waiter: Waiter?
        /// Whether the user's purchases are asked for, and not only prices.
        var asksForPurchases = false
        /// Whether nobody waits any more.
        var isOver = false

        /// Whether products have arrived; `nil` if the question for them isn't answered.
        var hasProducts: Bool?
        /// Whether a new app transaction has arrived. The system may have a copy that is new to the app, also offline.
        var hasNewApp = false
        /// The environment in which the list was asked for again since; `nil` if it wasn't.
        var listedAgain: StoreEnvironment?
        /// Why the store hasn't told everything that the user has; `nil` if it has.
        var failure: Failure? = Failure(error: StoreError.unreachable)
        /// Why what it has told couldn't be written.
        var notSaved: Failure?

        /// Whether the store was reached.
        var isReached: Bool { hasProducts ?? false || hasProducts != nil && hasNewApp }
    }

    /// Who waits for a refresh.
    enum Waiter: Sendable, Equatable {
        case call(Int)
        case restore(call: Int)
        /// The deliveries, which look for lost content then.
        case deliveries
    }

    /// How long to wait for an answer, in seconds. An answer that comes later counts too.
    static let answerLimit = 30.0

    /// The shortest time, in seconds, between two activations of the app at which the store is asked: 15 minutes.
    private static let pauseBetweenAsking = 900.0

    /// Whether the store is asked for the user's purchases, or wasn't yet.
    var isAsking: Bool { lastListing == 0 || refreshes.values.contains { $0.asksForPurchases && !$0.isOver } }
}

// MARK: - Beginning and ending

extension ShopState {
    /// Asks the store, unless it was asked in the last 15 minutes.
    mutating func refreshAgain(_ facts: Facts) {
        // Once the journal is open, everything is asked for.
        guard facts.closed == nil else { return open(for: nil, facts) }
        if let restsUntil, now < restsUntil { return }
        refresh(nil, facts)
    }

    /// Asks for everything.
    mutating func refresh(_ waiter: Waiter?, isFromStore: Bool = false, _ facts: Facts) {
        let number = begin(waiter)
        if facts.closed == nil { askForPurchases(number, isFromStore: isFromStore, facts) }
        // A restoration waits for the store alone.
        let isRestoring = if case .restore? = waiter { true } else { false }
        ask(.catalog, of: isRestoring ? nil : number) { .loadCatalog($0) }
    }

    mutating func followCatalog(_ waiter: Waiter?, _ facts: Facts) {
        let number = begin(waiter)
        noteAdditions(facts)
        ask(.rewards, of: number) { .grantRewards($0) }
        recordLater(number, facts)
        askForProducts(number, facts)
    }

    mutating func askForProducts(_ facts: Facts) { askForProducts(begin(nil), facts) }

    private mutating func begin(_ waiter: Waiter?) -> Int {
        let number = outbox.nextNumber()
        refreshes[number] = Refresh(waiter: waiter)
        wait(.refresh(number), Self.answerLimit)
        return number
    }

    /// Ends the refreshes whose questions are all answered.
    mutating func endAnsweredRefreshes(_ facts: Facts) {
        guard !refreshes.isEmpty else { return }
        let unanswered = Set(questions.values.compactMap(\.refresh))
        for number in refreshes.keys.sorted() where !unanswered.contains(number) {
            end(refresh: number, facts)
            refreshes[number] = nil
        }
    }

    /// Nobody waits any longer. Answers that come later count too.
    mutating func end(refresh number: Int, _ facts: Facts) {
        guard let refresh = refreshes[number], !refresh.isOver else { return }
        cancel(.refresh(number))
        refreshes[number]?.isOver = true
        switch refresh.waiter {
        case .call(let call): perform(.resume(call: call, .done))
        case .restore(let call): endRestore(call, refresh, facts)
        case .deliveries: mayLackContent = true
        case nil: prove(facts)
        }
    }

    private mutating func askForPurchases(_ refresh: Int, isFromStore: Bool, _ facts: Facts) {
        restsUntil = now.advanced(by: Self.pauseBetweenAsking)
        refreshes[refresh]?.asksForPurchases = true
        ask(.unfinished, of: refresh) { .listUnfinished($0) }
        list(refresh, isFromStore: isFromStore)
        askForProducts(refresh, facts)
        askForApp(refresh, facts)
    }
}
