/// The journal: opening it, and recording what the store and the app say. What can't be written yet waits in the state.
extension StoreState {
    /// The journal is being opened.
    struct Opening: Sendable, Equatable {
        /// Whether somebody has asked for it since this attempt began, so that a failure is followed by another one.
        var isAskedAgain = false
        var waiters: [AfterOpening] = []
    }

    /// What follows the opening, whether it has failed or not.
    enum AfterOpening: Sendable, Equatable {
        case refresh(Waiter?)
        case restore(call: Int)
        case resume(call: Int)
    }

    /// What follows a record.
    enum Use: Sendable, Equatable {
        case updates
        case later(refresh: Int?)
        /// With what was listed.
        case entitlements(Listing, [StoreStatement])
        /// With what was listed and is in the history.
        case history(Listing, [StoreStatement])
        case unfinished(refresh: Int)
        case purchase(call: Int, StoreStatement, grantCount: Int)

        /// Whether the store has the transactions unfinished.
        var isOfUnfinished: Bool {
            switch self {
            case .updates, .later, .unfinished, .purchase: true
            case .entitlements, .history: false
            }
        }

        /// The refresh that waits for it; `nil` if none does.
        var refresh: Int? {
            switch self {
            case .entitlements(let listing, _), .history(let listing, _): listing.refresh
            case .later(let refresh): refresh
            case .unfinished(let refresh): refresh
            case .updates, .purchase: nil
            }
        }
    }
}

// MARK: - Opening

extension StoreState {
    /// Opens the journal, unless it is open or may not be opened, and goes on then.
    mutating func open(then waiter: AfterOpening?, _ facts: Facts) {
        guard isStarted, facts.closed != nil else {
            if let waiter { go(on: waiter, facts) }
            return
        }
        if opening == nil {
            opening = Opening()
            cancel(.disk)
            ask(.prepare) { .prepare($0) }
        }
        opening?.isAskedAgain = true
        if let waiter { opening?.waiters.append(waiter) }
    }

    mutating func awaitJournal(_ call: Int) {
        if opening == nil { perform(.resume(call: call, .done)) } else { opening?.waiters.append(.resume(call: call)) }
    }

    mutating func openJournal() {
        opening?.isAskedAgain = false
        ask(.open) { .open($0) }
    }

    mutating func opened(_ result: Result<[UnlocksProblem], UnlocksError>, _ facts: Facts) {
        switch result {
        case .success(let problems):
            diskFailures = 0
            for problem in problems { perform(.report(problem)) }
            judgeKeptAnswer(facts)
            for call in restores.keys where restores[call]?.before == nil {
                restores[call]?.before = facts.bought(paidBeforeAnswer)
            }
            perform(.deliver(.ledgerChanged))
            perform(.listenToUpdates)
            perform(.listen)
            refresh(.deliveries, facts)
            saveAgain(facts)
        case .failure(let error):
            let isAgain = diskFailures > 0
            switch error {
            case .folderIsShared, .newerJournal: break
            // A disk that is full may have room later, and another process may end.
            default: waitForDisk()
            }
            if !isAgain { perform(.report(.notOpened(error))) }
            if opening?.isAskedAgain ?? false {
                cancel(.disk)
                return openJournal()
            }
        }
        let waiters = opening?.waiters ?? []
        opening = nil
        for waiter in waiters { go(on: waiter, facts) }
    }

    private mutating func go(on waiter: AfterOpening, _ facts: Facts) {
        switch waiter {
        case .refresh(let waiter): refresh(waiter, facts)
        case .restore(let call): sync(call, facts)
        case .resume(let call): perform(.resume(call: call, .done))
        }
    }

    private mutating func waitForDisk() {
        wait(.disk, Backoff.seconds(after: diskFailures))
        diskFailures += 1
    }
}

// MARK: - What couldn't be written

extension StoreState {
    /// Reports that something couldn't be written, and tries again after a pause.
    mutating func saveLater(_ error: UnlocksError, _ facts: Facts) {
        perform(.report(.notSaved(error)))
        // Once the folder is open, changes that weren't saved are tried again.
        if facts.closed == nil, !isWaiting(.disk) { waitForDisk() }
    }

    /// Something was written, so what waits for the disk is tried again at once.
    mutating func diskWorks(_ facts: Facts) {
        guard facts.closed == nil else { return }
        diskFailures = 0
        guard isWaiting(.disk) else { return }
        cancel(.disk)
        saveAgain(facts)
    }

    mutating func saveAgain(_ facts: Facts) {
        recordLater(refresh: nil, facts)
        settleWaitingClaims()
        keepAdditions()
    }

    /// Records what the present catalog adds to the user's purchases, since a later one may not contain it.
    mutating func keepAdditions(refresh: Int? = nil) { ask(.keepAdditions(refresh: refresh)) { .keepAdditions($0) } }

    mutating func keptAdditions(_ failure: UnlocksError?, _ refresh: Int?, _ facts: Facts) {
        if let failure, facts.closed == nil { saveLater(failure, facts) }
        if let refresh { end(.additions, of: refresh, facts) }
    }
}

// MARK: - Claims

extension StoreState {
    /// Settles claims. Those that can't be written wait, at most as many as the ledger keeps.
    mutating func settle(_ claims: [Claim], reaching event: EventName? = nil, call: Int) {
        ask(.settle(claims, wereWaiting: false, call: call, refresh: nil)) { .settle($0, claims, reaching: event) }
    }

    /// Judges the kept claims again: the catalog may have a reward for it now, the app may have ended before a reward was
    /// granted, or the disk accepts it.
    mutating func settleWaitingClaims(refresh: Int? = nil) {
        let waiting = claims
        claims = []
        ask(.settle(waiting, wereWaiting: true, call: nil, refresh: refresh)) { .settle($0, waiting, reaching: nil) }
    }

    mutating func settled(
        _ settled: [Claim],
        wereWaiting: Bool,
        _ result: Result<Ledger.Settlement, UnlocksError>,
        _ call: Int?,
        _ refresh: Int?,
        _ facts: Facts
    ) {
        switch result {
        case .success(let settlement): perform(.deliver(.recorded(settlement.grants.map(\.source))))
        case .failure(let error):
            claims = wereWaiting ? settled + claims : claims + settled.filter { !claims.contains($0) }
            let dispensable = Set(facts.ledger.dispensable(claims, in: facts.catalog))
            claims.removeAll(where: dispensable.contains)
            // Reaching an event is for the app to try again.
            if wereWaiting ? facts.closed == nil : !settled.isEmpty { saveLater(error, facts) }
        }
        if let call { perform(.resume(call: call, .rewards(result.map(\.rewards)))) }
        if let refresh { end(.claims, of: refresh, facts) }
    }
}

// MARK: - Statements

extension StoreState {
    /// Records updates, with those that arrive meanwhile.
    mutating func recordUpdates(_ facts: Facts) {
        let isRecording = questions.values.contains { if case .record(_, .updates) = $0 { true } else { false } }
        guard !isRecording, !updates.isEmpty else { return }
        let statements = updates
        updates = []
        record(statements, .updates, facts)
    }

    /// Tries again statements that wait for a catalog or for the disk.
    mutating func recordLater(refresh: Int?, _ facts: Facts) {
        let statements = later.sorted { $0.key < $1.key }.map { StoreStatement.verified($0.value) }
        record(statements, .later(refresh: refresh), facts)
    }

    /// Records statements of the store about transactions, those that can be used. All are written at once.
    ///
    /// The device's clock doesn't matter: a purchase that the store has signed is granted.
    mutating func record(_ statements: [StoreStatement], _ use: Use, _ facts: Facts) {
        for statement in statements {
            guard let reason = problem(with: statement) else { continue }
            perform(.report(.notVerified(statement.transaction, reason: reason)))
        }
        let transactions = statements.filter { problem(with: $0) == nil }.map(\.transaction)
        guard !transactions.isEmpty else { return goOn(after: use, facts) }
        ask(.record(transactions, use)) { .record($0, transactions) }
    }

    mutating func recorded(
        _ transactions: [StoreTransaction],
        _ result: Result<Ledger.Changes, UnlocksError>,
        _ use: Use,
        _ facts: Facts
    ) {
        switch result {
        case .success(let changes):
            for (transaction, problem) in changes.later where wait(transaction) { perform(.report(problem)) }
            // After a purchase before it, a refund that waits still changes something.
            for name in changes.new.union(changes.known) {
                if let waiting = later[name], facts.ledger.isKnown(waiting) { later[name] = nil }
            }
            pendingProducts.subtract(changes.bought)
            perform(.deliver(.told(transactions)))
            perform(.deliver(.recorded(changes.grants.map(\.source))))
            if use.isOfUnfinished {
                for transaction in transactions where !changes.later.contains(where: { $0.0.id == transaction.id }) {
                    unfinished[Name(transaction.id)] = transaction
                }
            }
            goOn(after: use, facts)
            finishDelivered(facts)
            // While the others were written, the catalog may have changed.
            let waiting = changes.later.map(\.0)
            let unknown = facts.ledger.changes(for: waiting, in: facts.catalog, at: facts.clock).later
            if unknown.count < waiting.count { recordLater(refresh: nil, facts) }
        case .failure(let error):
            let changes = facts.ledger.changes(for: transactions, in: facts.catalog, at: facts.clock)
            for (transaction, problem) in changes.later where wait(transaction) { perform(.report(problem)) }
            for transaction in changes.pending { _ = wait(transaction) }
            if let refresh = use.refresh { refreshes[refresh]?.notSaved = error }
            saveLater(error, facts)
            goOn(after: use, facts)
        }
    }

    private mutating func goOn(after use: Use, _ facts: Facts) {
        switch use {
        case .updates: recordUpdates(facts)
        case .later(let refresh): if let refresh { end(.later, of: refresh, facts) }
        case .entitlements(let listing, let statements): recordedEntitlements(statements, listing, facts)
        case .history(let listing, let statements): conclude(listing, statements, isLast: true, facts)
        case .unfinished(let refresh): end(.unfinished, of: refresh, facts)
        case .purchase(let call, let statement, let count): recordedPurchase(statement, call, count, facts)
        }
    }

    /// Keeps a statement for later. Of two about the same transaction, the one that replaces the other stays.
    ///
    /// - Returns: Whether it is the first one about its transaction.
    private mutating func wait(_ transaction: StoreTransaction) -> Bool {
        let name = Name(transaction.id)
        guard let old = later[name] else {
            later[name] = transaction
            return true
        }
        if transaction.replaces(old) { later[name] = transaction }
        return false
    }

    /// Why a statement can't be used; `nil` if it can.
    func problem(with statement: StoreStatement) -> String? {
        let transaction = statement.transaction
        if case .unverified(_, let reason) = statement { return reason }
        let names = [transaction.id, transaction.productID.rawValue, transaction.app ?? "app"]
        if !names.allSatisfy(\.isName) { return "It is incomplete." }
        if let app, let other = transaction.app, Name(other) != Name(app) { return "It belongs to another app." }
        return nil
    }

    /// How many updates and questions have purchases that may not be recorded yet.
    var unrecordedCount: Int {
        updates.count + questions.values.count { if case .record = $0 { true } else { false } }
    }

    /// The products of purchases that the store has told and that aren't recorded yet.
    func unrecordedProducts(besides ledger: Ledger) -> Set<ProductID> {
        var told = later.values + updates.filter { problem(with: $0) == nil }.map(\.transaction)
        for case .record(let recording, _) in questions.values { told += recording }
        return Set(told.filter(ledger.isNewPurchase).map(\.productID))
    }
}

extension StoreStatement {
    package var transaction: StoreTransaction {
        switch self {
        case .verified(let transaction), .unverified(let transaction, _): transaction
        }
    }
}
