import ReferralFoundation

/// The journal: opening it, and recording what the store says. What can't be written yet waits in the state.
extension ShopState {
    /// What follows a record.
    enum Use: Sendable, Equatable {
        case updates
        case later
        case unfinished
        case history(Listing)
        case entitlements(Listing)
        case purchase(call: Int, StoreStatement, grantCount: Int)

        /// Whether the store has the transactions unfinished.
        var isOfUnfinished: Bool {
            switch self {
            case .updates, .later, .unfinished, .purchase: true
            case .entitlements, .history: false
            }
        }
    }
}

// MARK: - Opening

extension ShopState {
    /// Opens the journal, unless it is open or may not be opened. The call is resumed then.
    mutating func open(for call: Int?, _ facts: Facts) {
        guard isStarted, facts.closed != nil else {
            if let call { perform(.resume(call: call, .done)) }
            return
        }
        if let call { openingCalls.append(call) }
        guard !questions.values.contains(where: { $0.topic == .open }) else { return }
        cancel(.disk)
        ask(.open) { .open($0) }
    }

    mutating func opened(_ result: Result<[UnlocksProblem], UnlocksError>, _ facts: Facts) {
        switch result {
        case .success(let problems):
            diskFailures = 0
            for problem in problems { perform(.report(problem)) }
            noteAdditions(facts)
            judgeKeptAnswer(facts)
            deliverAll(facts)
            perform(.listen)
            refresh(.deliveries, facts)
            saveAgain(facts)
        case .failure(let error):
            if diskFailures == 0 { perform(.report(.notOpened(error))) }
            switch error {
            case .folderIsShared, .newerJournal: break
            // A disk that is full may have room later, and another process may end.
            default: waitForDisk()
            }
        }
        for call in openingCalls { perform(.resume(call: call, .done)) }
        openingCalls = []
    }

    private mutating func waitForDisk() {
        wait(.disk, Backoff.seconds(after: diskFailures))
        diskFailures += 1
    }
}

// MARK: - What couldn't be written

extension ShopState {
    /// Reports that something couldn't be written, and tries again after a pause.
    mutating func saveLater(_ error: UnlocksError, _ facts: Facts) {
        guard facts.closed == nil, !isWaiting(.disk) else { return }
        perform(.report(.notSaved(error)))
        waitForDisk()
    }

    /// Something was written, so what waits for the disk is tried again at once.
    mutating func noteWrite(_ facts: Facts) {
        guard facts.closed == nil else { return }
        diskFailures = 0
        guard isWaiting(.disk) else { return }
        cancel(.disk)
        saveAgain(facts)
    }

    mutating func saveAgain(_ facts: Facts) {
        perform(.save)
        recordLater(nil, facts)
        ask(.rewards) { .grantRewards($0) }
    }
}

// MARK: - Statements

extension ShopState {
    /// Records updates, with those that arrive meanwhile.
    mutating func recordUpdates(_ facts: Facts) {
        let isRecording = questions.values.contains { if case .record(_, .updates) = $0.topic { true } else { false } }
        guard !isRecording, !updates.isEmpty else { return }
        let statements = updates
        updates = []
        record(statements, .updates, nil, facts)
    }

    /// Tries again statements that wait for a catalog or for the disk.
    mutating func recordLater(_ refresh: Int?, _ facts: Facts) {
        record(later.sorted { $0.key < $1.key }.map { .verified($0.value) }, .later, refresh, facts)
    }

    /// Records statements of the store about transactions, those that can be used. All are written at once.
    ///
    /// The device's clock doesn't matter: a purchase that the store has signed is granted.
    mutating func record(_ statements: [StoreStatement], _ use: Use, _ refresh: Int?, _ facts: Facts) {
        for statement in statements {
            guard let reason = problem(with: statement) else { continue }
            perform(.report(.notVerified(statement.transaction, reason: reason)))
        }
        let transactions = statements.filter { problem(with: $0) == nil }.map(\.transaction)
        guard !transactions.isEmpty else { return follow(use, refresh, facts) }
        ask(.record(transactions, use), of: refresh) { .record($0, transactions) }
    }

    mutating func recorded(
        _ transactions: [StoreTransaction],
        _ result: Result<Ledger.Changes, UnlocksError>,
        _ use: Use,
        _ refresh: Int?,
        _ facts: Facts
    ) {
        let ledger = facts.ledger
        switch result {
        case .success(let changes):
            keep(changes.later)
            // After a purchase before it, a refund that waits still changes something.
            for name in transactions.map({ Name($0.id) }) where later[name].map(ledger.isKnown) ?? false {
                later[name] = nil
            }
            pendingProducts.subtract(changes.bought)
            for transaction in transactions { signedTexts[Name(transaction.id)] = transaction.signedText }
            deliver(changes.grants.map(\.source), facts)
            noteAdditions(facts)
            let waiting = Set(changes.later.map { Name($0.0.id) })
            for transaction in transactions where use.isOfUnfinished && !waiting.contains(Name(transaction.id)) {
                unfinished[Name(transaction.id)] = transaction
            }
            follow(use, refresh, facts)
            finishDelivered(facts)
            // While the others were written, the catalog may have changed.
            let unknown = ledger.changes(for: changes.later.map(\.0), in: facts.catalog, at: facts.clock).later
            if unknown.count < changes.later.count { recordLater(nil, facts) }
        case .failure(let error):
            keep(ledger.changes(for: transactions, in: facts.catalog, at: facts.clock).later)
            for transaction in transactions where !ledger.isKnown(transaction) { _ = keep(transaction) }
            saveLater(error, facts)
            follow(use, refresh, facts)
            if let refresh { refreshes[refresh]?.notSaved = Failure(error: error) }
        }
    }

    private mutating func follow(_ use: Use, _ refresh: Int?, _ facts: Facts) {
        switch use {
        case .updates: recordUpdates(facts)
        case .later, .unfinished: break
        case .history(let listing): askForEntitlements(listing, refresh, facts)
        case .entitlements(let listing): conclude(listing, refresh, facts)
        case .purchase(let call, let statement, let count): recordedPurchase(statement, call, count, facts)
        }
    }

    /// Keeps statements for later, and reports each transaction once.
    private mutating func keep(_ statements: [(StoreTransaction, UnlocksProblem)]) {
        for (transaction, problem) in statements where keep(transaction) { perform(.report(problem)) }
    }

    /// Keeps a statement for later. Of two about the same transaction, the one that replaces the other stays.
    ///
    /// - Returns: Whether it is the first one about its transaction.
    private mutating func keep(_ transaction: StoreTransaction) -> Bool {
        let name = Name(transaction.id)
        let old = later[name]
        if old.map(transaction.replaces) ?? true { later[name] = transaction }
        return old == nil
    }

    /// Why a statement can't be used; `nil` if it can.
    func problem(with statement: StoreStatement) -> String? {
        let transaction = statement.transaction
        if case .unverified(_, let reason) = statement { return reason }
        let names = [transaction.id, transaction.productID.rawValue, transaction.app ?? "app"]
        let dates = [
            transaction.purchaseDate, transaction.originalPurchaseDate, transaction.signedDate,
            transaction.expirationDate,
        ]
        let isFinite = dates.allSatisfy { $0?.timeIntervalSinceReferenceDate.isFinite ?? true }
        if !isFinite || !names.allSatisfy(\.isName) { return "It is incomplete." }
        if let app, let other = transaction.app, Name(other) != Name(app) { return "It belongs to another app." }
        return nil
    }

    /// The products of purchases that the store has told and that aren't recorded yet.
    func unrecordedProducts(besides ledger: Ledger) -> Set<ProductID> {
        var told = later.values + updates.filter { problem(with: $0) == nil }.map(\.transaction)
        for case .record(let recording, _) in questions.values.map(\.topic) { told += recording }
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
