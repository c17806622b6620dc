extension UnlockCenter {
    /// Receives an update of the store, with those that arrive meanwhile.
    func receiveSoon(_ statement: StoreStatement) {
        observers.willChange()
        arrivals.add(statement)
        receiving.run { [weak self] in
            guard let self else { return }
            finishSoon(of: await receive(arrivals.take()))
        }
    }

    /// Records statements of the store about transactions, those that can be used. All are written at once.
    ///
    /// The device's clock doesn't matter: a purchase that the store has signed is granted.
    ///
    /// - Returns: The transactions that are recorded now, and those that were before and haven't changed.
    @discardableResult
    func receive(_ statements: [StoreStatement]) async -> (new: Set<Name>, known: Set<Name>) {
        followEnvironment()
        var transactions: [StoreTransaction] = []
        for statement in statements {
            if let problem = arrivals.problem(with: statement) {
                onProblem?(problem)
            } else {
                var transaction = statement.transaction
                // It is longer than all else, and only a delivery needs it.
                deliveries.keepSignedText(of: transaction)
                transaction.signedText = nil
                transactions.append(transaction)
            }
        }
        guard !transactions.isEmpty else { return ([], []) }
        if transactions.contains(where: book.ledger.isNewPurchase) { observers.willChange() }
        do throws(UnlocksError) {
            return try await book.record(transactions) {
                catalog
            } _: { changes in
                for (_, problem) in changes.later { onProblem?(problem) }
                for grant in changes.grants { didRecord(grant) }
                publishChanges()
                deliveries.forgetSignedTexts(of: transactions)
                return (changes.new, changes.known)
            }
        } catch {
            trySavingLater(error)
            return ([], [])
        }
    }

    private func didRecord(_ grant: Grant) {
        guard let transaction = grant.transaction else { return }
        observers.willChange()
        pendingProducts.remove(transaction.productID)
        deliveries.follow([grant])
    }

    /// Whether a transaction is delivered or refunded, so the store may forget it.
    private func isFinishable(_ transaction: Name) -> Bool {
        book.ledger[.purchase(transaction)].map { !$0.isDue } ?? false
    }

    /// Schedules finishing if any received transaction can be finished.
    func finishSoon(of received: (new: Set<Name>, known: Set<Name>)) {
        if received.new.union(received.known).contains(where: isFinishable) { finishSoon() }
    }

    /// Finishes delivered and refunded transactions, once the store's latest statement about them is recorded.
    ///
    /// The store may have revoked a purchase meanwhile without reporting it, and finishing it would hide that. So a pass over
    /// what the store has finishes only what was recorded before it, as the store has it then. There is a second between two
    /// passes.
    func finishSoon() {
        finishing.run { await self.finish() }
    }

    func finish() async {
        await ask {
            await $0.unfinishedTransactions()
        } use: { unlocks, statements in
            let (new, known) = await unlocks.receive(statements)
            if new.contains(where: unlocks.isFinishable) { unlocks.finishSoon() }
            for case .verified(let transaction) in statements where known.contains(Name(transaction.id)) {
                // The one before may have taken long.
                guard unlocks.isFinishable(Name(transaction.id)) else { continue }
                // One that the store never finishes must not hold up the others.
                await unlocks.ask { await $0.finish(transaction) }
            }
        }
    }

    /// Tries again statements that wait for a catalog or for the disk.
    func takeLaterStatements() async {
        finishSoon(of: await receive(book.laterStatements.map(StoreStatement.verified)))
    }

    func trySavingLater(_ error: UnlocksError) {
        onProblem?(.notSaved(error))
        // Once the folder is open, changes that weren't saved are tried again.
        if book.saveLater() { deliveries.setTimer() }
    }

    /// Tries again changes that couldn't be written.
    func saveAgain() async {
        await takeLaterStatements()
        await takeClaims()
        await keepAdditions()
    }
}

extension StoreStatement {
    package var transaction: StoreTransaction {
        switch self {
        case .verified(let transaction), .unverified(let transaction, _): transaction
        }
    }
}
