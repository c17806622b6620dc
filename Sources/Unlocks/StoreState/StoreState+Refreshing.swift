import ReferralFoundation

/// Asking the store for purchases, prices and the app's own purchase, and the source for a newer catalog.
extension StoreState {
    /// Several questions that are asked at once. Somebody waits for the answers for 30 seconds at most; later ones count too.
    struct Refresh: Sendable, Equatable {
        /// A question.
        enum Part: Sendable, Hashable {
            /// Not all questions are asked yet.
            case beginning
            case finishing
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

    /// A question for all purchases.
    struct Listing: Sendable, Equatable {
        let refresh: Int
        let question: PurchaseQuestion
    }

    /// What the app's own purchase is asked for.
    enum AppUse: Sendable, Equatable {
        case refresh(Int)
        case restore(call: Int)
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

    private mutating func rest() { restsUntil = now.advanced(by: Self.pauseBetweenAsking) }

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
        // Uses that were spent before the store's environment was known belong to that environment.
        if refresh.asksForPurchases { perform(.placeUses) }
        switch refresh.waiter {
        case .call(let call): perform(.resume(call: call, .done))
        case .restore(let call): endRestore(call, refresh, facts)
        case .deliveries: perform(.deliver(.storeAsked))
        case nil: break
        }
    }
}

// MARK: - Asking

private extension StoreState {
    mutating func begin(
        _ part: Refresh.Part,
        of refresh: Int,
        _ question: Question,
        _ effect: (Int) -> Effect
    ) {
        refreshes[refresh]?.parts.insert(part)
        ask(question, effect)
    }

    mutating func askForPurchases(_ refresh: Int, isFromStore: Bool, _ facts: Facts) {
        rest()
        refreshes[refresh]?.parts.insert(.finishing)
        beginPass(for: .refresh(refresh))
        list(refresh, isFromStore: isFromStore, facts)
        askForProducts(refresh, facts)
        askForApp(refresh, facts)
    }

    mutating func list(_ refresh: Int, isFromStore: Bool, _ facts: Facts) {
        lastListing += 1
        let question = PurchaseQuestion(
            number: lastListing,
            date: facts.now,
            clock: facts.clock,
            grantCount: facts.ledger.count,
            isFromStore: isFromStore
        )
        let listing = Listing(refresh: refresh, question: question)
        begin(.purchases(lastListing), of: refresh, .entitlements(listing)) { .listEntitlements($0) }
    }

    /// Asks for the list again once the store was reached.
    mutating func listAgain(_ refresh: Int, _ facts: Facts) {
        guard let asked = refreshes[refresh], asked.listsAgain, asked.isReached,
            asked.listedAgain != facts.ledger.environment
        else { return }
        refreshes[refresh]?.listedAgain = facts.ledger.environment
        list(refresh, isFromStore: true, facts)
    }

    /// Asks for the products of the catalog.
    mutating func askForProducts(_ refresh: Int, _ facts: Facts) {
        let identifiers = facts.assortment.products
        begin(.products, of: refresh, .products(refresh: refresh, identifiers)) { .loadProducts($0, identifiers) }
    }

    /// Asks for the app's own purchase, unless a yes is kept. The system may ask the user to sign in.
    mutating func askForApp(_ refresh: Int, _ facts: Facts) {
        guard facts.paidBefore != nil else { return }
        guard !facts.isYes(facts.ledger.kept) else {
            return judgeKeptAnswer(facts)
        }
        begin(.app, of: refresh, .app(.refresh(refresh))) { .loadApp($0, isRefresh: false) }
    }
}

// MARK: - Purchases

extension StoreState {
    mutating func recordedEntitlements(_ statements: [StoreStatement], _ listing: Listing, _ facts: Facts) {
        let names = names(in: statements)
        // Refunds while the app isn't running are reported to be missing in the updates, so the store is asked about the
        // purchases that it doesn't list. For some users the list is reported to be empty although they have purchases.
        let missing = missing(names, facts)
        let isRestored = if case .restore? = refreshes[listing.refresh]?.waiter { true } else { false }
        guard statements.isEmpty || facts.assortment.hasPasses || isRestored || !missing.isEmpty else {
            return conclude(listing, statements, isLast: true, facts)
        }
        let number = ask(.history(listing, statements)) { .listHistory($0) }
        // Without the history, the list alone is the answer, unless this would lock an open unlock: only subscriptions are locked
        // because they aren't listed.
        let locks = missing.contains {
            $0.transaction?.expirationDate != nil && facts.ledger.isOpen($0, at: facts.now)
        }
        if !locks { wait(.answer(number), Self.answerLimit) }
    }

    private func names(in statements: [StoreStatement]) -> Set<Name> {
        Set(statements.filter { problem(with: $0) == nil }.map { Name($0.transaction.id) })
    }

    /// The purchases that aren't listed and haven't ended, as far as is known.
    private func missing(_ listed: Set<Name>, _ facts: Facts) -> [Grant] {
        facts.ledger.grants.values.filter { grant in
            guard case .purchase(let name) = grant.source, !listed.contains(name) else { return false }
            return !facts.ledger.hasEnded(grant, at: facts.now)
        }
    }

    mutating func recordHistory(
        _ history: [StoreStatement],
        after listed: [StoreStatement],
        _ listing: Listing,
        _ facts: Facts
    ) {
        let names = names(in: listed)
        let isSold = { (product: ProductID) in facts.catalog.item(selling: product)?.kind.isNonRenewing ?? false }
        // Of several purchases for some days, the store may list only the latest one. A renewal is reported to be missing in
        // the list at times.
        let needed = history.filter {
            facts.ledger.grants.keys.contains(.purchase(Name($0.transaction.id))) || isSold($0.transaction.productID)
                || $0.transaction.isEntitlement(at: facts.now)
        }
        let missing = history.filter {
            $0.transaction.isEntitlement(at: facts.now) && !names.contains(Name($0.transaction.id))
        }
        record(needed, .history(listing, listed + missing), facts)
    }

    /// Uses a list, if it is an answer.
    mutating func conclude(_ listing: Listing, _ listed: [StoreStatement], isLast: Bool, _ facts: Facts) {
        if isLast {
            refreshes[listing.refresh]?.isWhole = true
            let reasons = listed.compactMap { if case .unverified(_, let reason) = $0 { reason } else { nil } }
            // The list that was asked for again replaces the first one.
            if listing.question.isFromStore || !reasons.isEmpty {
                refreshes[listing.refresh]?.unverified = reasons.last
            }
        }
        let unverified = listed.filter { if case .unverified = $0 { true } else { false } }
        // The answer to a later question is newer.
        let isLatest = listing.question.number >= answeredListing
        let answer =
            isLatest
            ? facts.ledger.answer(
                to: listing.question,
                listing: listed.filter { problem(with: $0) == nil }.map(\.transaction),
                unverified: unverified.map(\.transaction),
                in: facts.catalog
            ) : nil
        guard let answer else {
            if isLast { end(.purchases(listing.question.number), of: listing.refresh, facts) }
            return
        }
        // A list that may come from StoreKit's cache doesn't replace a late answer.
        if listing.question.isFromStore { answeredListing = listing.question.number }
        ask(.saveAnswer(listing, answer, isLast: isLast)) { .saveAnswer($0, answer) }
    }

    /// On a full disk, an answer counts until the app ends.
    mutating func savedAnswer(
        _ answer: StoreAnswer,
        _ listing: Listing,
        isLast: Bool,
        _ failure: UnlocksError?,
        _ facts: Facts
    ) {
        if let failure {
            perform(.report(.notSaved(failure)))
            perform(.count(answer))
        }
        if isLast { end(.purchases(listing.question.number), of: listing.refresh, facts) }
    }
}

private extension StoreTransaction {
    /// Whether the user has something from it, as far as it says itself.
    func isEntitlement(at now: Date) -> Bool {
        !isRevoked && productKind != .consumable && expirationDate.map { $0 > now } ?? (productKind != .subscription)
    }
}

// MARK: - Products

extension StoreState {
    mutating func use(
        _ result: Result<[StoreProduct], any Error>,
        of identifiers: Set<ProductID>,
        _ number: Int,
        _ refresh: Int,
        _ facts: Facts
    ) {
        // A later question was for a newer catalog or storefront.
        if number >= answeredProducts { use(result, of: identifiers, number) }
        if let known = try? result.get() {
            refreshes[refresh]?.hasProducts = !known.isEmpty
            listAgain(refresh, facts)
        }
        end(.products, of: refresh, facts)
    }

    private mutating func use(
        _ result: Result<[StoreProduct], any Error>,
        of identifiers: Set<ProductID>,
        _ number: Int
    ) {
        if case .success = result { answeredProducts = number }
        switch result {
        case .success([]) where !identifiers.isEmpty:
            if emptyLists == 0 { perform(.report(.notLoaded(StoreError.noProducts))) }
            isOffline = true
            // StoreKit sometimes lists no products, without an error, although they exist.
            askForProductsLater()
        case .success(let known):
            cancel(.products)
            (emptyLists, isOffline) = (0, false)
            products = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        case .failure(let error):
            isOffline = true
            perform(.report(.notLoaded(error)))
            if emptyLists > 0 { askForProductsLater() }
        }
    }

    private mutating func askForProductsLater() {
        guard !isWaiting(.products) else { return }
        wait(.products, Backoff.seconds(after: emptyLists))
        emptyLists += 1
    }
}

// MARK: - The app's own purchase

extension StoreState {
    /// Follows the store's present environment.
    mutating func followEnvironment(_ facts: Facts) {
        if facts.closed == nil { judgeKeptAnswer(facts) }
        perform(.deliver(.ledgerChanged))
    }

    /// Judges whether the app was bought before it became free by the answer that is kept.
    mutating func judgeKeptAnswer(_ facts: Facts) {
        var kept = facts.ledger.kept
        paidBeforeAnswer = facts.paidBefore?
            .answer(for: nil, in: facts.ledger.environment, on: facts.platform, kept: &kept)
    }

    mutating func judge(_ result: Result<AppPurchase?, any Error>, _ use: AppUse, _ facts: Facts) {
        switch result {
        case .success(let purchase): judge(purchase, use, facts)
        case .failure(let error):
            switch use {
            case .refresh(let refresh):
                perform(.report(.notLoaded(error)))
                listAgain(refresh, facts)
                end(.app, of: refresh, facts)
            case .restore(let call): synced(call, error, facts)
            }
        }
    }

    /// Judges the app's own purchase, and keeps the answer.
    private mutating func judge(_ purchase: AppPurchase?, _ use: AppUse, _ facts: Facts) {
        guard let paidBefore = facts.paidBefore else { return judged(use, isNew: false, facts) }
        let ledger = facts.ledger
        var kept = kept(facts)
        let answer = paidBefore.answer(for: purchase, in: ledger.environment, on: facts.platform, kept: &kept)
        // Only a revocation replaces a yes, and not another account's purchase.
        paidBeforeAnswer =
            facts.isYes(kept) ? paidBefore.answer(for: nil, on: facts.platform, kept: &kept) : answer
        // Whether the store has signed it since its latest statement.
        var isNew = purchase?.isVerified ?? false
        var moment: Date?
        if isNew, let signed = purchase?.signedDate {
            let isPresent = purchase?.environment == ledger.environment
            isNew = isPresent && !ledger.moments(signed: signed, at: facts.clock).isEmpty
            moment = isPresent ? signed : nil
        }
        guard moment != nil || kept != ledger.kept else { return judged(use, isNew: isNew, facts) }
        ask(.saveApp(use, isNew: isNew, kept)) { .saveApp($0, signed: moment, kept) }
    }

    /// The kept answer, with the one that is being written.
    private func kept(_ facts: Facts) -> PaidBefore.Kept? {
        let last = questions.filter { if case .saveApp = $0.value { true } else { false } }.max { $0.key < $1.key }
        if case .saveApp(_, _, let kept)? = last?.value { return kept }
        return facts.ledger.kept
    }

    mutating func savedApp(_ use: AppUse, isNew: Bool, _ failure: UnlocksError?, _ facts: Facts) {
        if let failure { perform(.report(.notSaved(failure))) }
        judged(use, isNew: isNew, facts)
    }

    private mutating func judged(_ use: AppUse, isNew: Bool, _ facts: Facts) {
        switch use {
        case .refresh(let refresh):
            refreshes[refresh]?.hasNewApp = isNew
            listAgain(refresh, facts)
            end(.app, of: refresh, facts)
        case .restore(let call): refresh(.restore(call: call), isFromStore: isNew, facts)
        }
    }
}

extension StoreState.Facts {
    /// Whether the store was never heard, and the journal can be written, so that an answer is needed.
    var lacksAnswer: Bool { closed == nil && !ledger.hasAnswer }

    /// Whether a kept answer is yes, and counts: in production.
    func isYes(_ kept: PaidBefore.Kept?) -> Bool { kept?.answer == true && ledger.environment == .production }

    /// The unlocks of the user's purchases, and of the app's own purchase.
    func bought(_ answer: PaidBefore.Answer?) -> Set<UnlockID> { ledger.bought(at: now).union(boughtWithApp(answer)) }

    /// The unlocks of users who bought the app before it became free, if the user is one.
    func boughtWithApp(_ answer: PaidBefore.Answer?) -> [UnlockID] {
        answer?.isYes == true ? paidBefore?.grants ?? [] : []
    }

    /// Whether a transaction is delivered or refunded, so the store may forget it.
    func isFinishable(_ transaction: Name) -> Bool { ledger[.purchase(transaction)].map { !$0.isDue } ?? false }
}
