import ReferralFoundation

/// Asking the store for purchases, prices and the app's own purchase, and the source for a newer catalog.
extension StoreState {
    /// Several questions that are asked at once. Somebody waits for the answers for 30 seconds at most; later ones count too.
    struct Refresh: Sendable, Equatable {
        /// A question.
        enum Part: Sendable, Hashable {
            /// Not all questions are asked yet.
            case beginning
            case unfinished
            /// For the list with this number.
            case purchases(Int)
            case products
            case app
            case catalog
            case additions
            case claims
            case later
        }

        let waiter: Waiter?
        /// Whether the user's purchases are asked for.
        let asksForPurchases: Bool
        /// Whether the list of purchases is asked for again once the store was reached.
        let listsAgain: Bool
        /// The questions that aren't answered yet.
        var parts: Set<Part> = [.beginning]
        /// Whether nobody waits any more.
        var isOver = false

        /// Whether products have arrived; `nil` if the question for them isn't answered.
        var hasProducts: Bool?
        /// Whether a new app transaction has arrived. The system may have a copy that is new to the app, also offline.
        var hasNewApp = false
        /// The environment in which the list was asked for again since; `nil` if it wasn't.
        var listedAgain: StoreEnvironment?
        /// Whether the store has told everything that the user has.
        var isWhole = false
        /// Why a listed purchase can't be verified; `nil` if all can.
        var unverified: String?
        /// Why a listed purchase couldn't be written; `nil` if all could.
        var notSaved: UnlocksError?

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

    /// Whether somebody waits for the user's purchases.
    var isAsking: Bool { refreshes.values.contains { $0.asksForPurchases && !$0.isOver } }

    /// Whether the store was ever asked for the user's purchases.
    var hasAsked: Bool { lastListing > 0 }
}

// MARK: - Beginning and ending

extension StoreState {
    /// Asks the store, unless it was asked in the last 15 minutes.
    mutating func refreshAgain(_ facts: Facts) {
        // Once the journal is open, everything is asked for.
        guard facts.closed == nil else { return open(then: nil, facts) }
        if let restsUntil, now < restsUntil { return }
        refresh(nil, facts)
    }

    /// Asks for everything.
    mutating func refresh(_ waiter: Waiter?, isFromStore: Bool = false, _ facts: Facts) {
        let isOpen = facts.closed == nil
        begin(Refresh(waiter: waiter, asksForPurchases: isOpen, listsAgain: isOpen), facts) {
            if isOpen { $0.askForPurchases($1, isFromStore: isFromStore, facts) }
            // Whoever restores waits for the store alone.
            if case .restore? = waiter {} else { $0.refreshes[$1]?.parts.insert(.catalog) }
            $0.ask(.catalog(refresh: $1)) { .loadCatalog($0) }
        }
    }

    /// Asks the store alone.
    mutating func askStore(_ facts: Facts) {
        guard facts.closed == nil else { return }
        begin(Refresh(waiter: nil, asksForPurchases: true, listsAgain: true), facts) {
            $0.askForPurchases($1, isFromStore: false, facts)
        }
    }

    mutating func followCatalog(_ waiter: Waiter?, _ facts: Facts) {
        begin(Refresh(waiter: waiter, asksForPurchases: false, listsAgain: facts.lacksAnswer), facts) { state, number in
            for part in [Refresh.Part.additions, .claims, .later] { state.refreshes[number]?.parts.insert(part) }
            state.keepAdditions(refresh: number)
            state.settleWaitingClaims(refresh: number)
            state.recordLater(refresh: number, facts)
            state.askForProducts(number, facts)
        }
    }

    mutating func askForProducts(listsAgain: Bool, _ facts: Facts) {
        begin(Refresh(waiter: nil, asksForPurchases: false, listsAgain: listsAgain), facts) {
            $0.askForProducts($1, facts)
        }
    }

    private mutating func begin(_ refresh: Refresh, _ facts: Facts, _ ask: (inout Self, _ number: Int) -> Void) {
        let number = outbox.nextNumber()
        refreshes[number] = refresh
        wait(.refresh(number), Self.answerLimit)
        ask(&self, number)
        end(.beginning, of: number, facts)
    }

    mutating func end(_ part: Refresh.Part, of number: Int, _ facts: Facts) {
        refreshes[number]?.parts.remove(part)
        guard refreshes[number]?.parts.isEmpty ?? false else { return }
        end(refresh: number, facts)
        refreshes[number] = nil
    }

    /// Nobody waits any longer. Answers that come later count too.
    mutating func end(refresh number: Int, _ facts: Facts) {
        guard let refresh = refreshes[number], !refresh.isOver else { return }
        cancel(.refresh(number))
        refreshes[number]?.isOver = true
        switch refresh.waiter {
        case .call(let call): perform(.resume(call: call, .done))
        case .restore(let call): endRestore(call, refresh, facts)
        case .deliveries: perform(.deliver(.storeAsked))
        case nil: break
        }
    }

    /// Asks a question for whose answer a refresh waits.
    mutating func begin(
        _ part: Refresh.Part,
        of refresh: Int,
        _ question: Question,
        _ effect: (Int) -> Effect
    ) {
        refreshes[refresh]?.parts.insert(part)
        ask(question, effect)
    }

    private mutating func askForPurchases(_ refresh: Int, isFromStore: Bool, _ facts: Facts) {
        restsUntil = now.advanced(by: Self.pauseBetweenAsking)
        begin(.unfinished, of: refresh, .unfinished(refresh: refresh)) { .listUnfinished($0) }
        list(refresh, isFromStore: isFromStore, facts)
        askForProducts(refresh, facts)
        askForApp(refresh, facts)
    }
}
