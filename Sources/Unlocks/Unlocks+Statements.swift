import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Unlocks {
    /// Records a statement of the store about a transaction, if it can be used.
    ///
    /// The device's clock doesn't matter: a purchase that the store has signed is granted.
    ///
    /// - Returns: Whether it was recorded, or is known already.
    @discardableResult
    func receive(_ statement: StoreStatement) -> Bool {
        followEnvironment()
        if let problem = problem(with: statement) {
            onProblem?(problem)
            return false
        }
        let transaction = statement.transaction
        switch ledger.change(for: transaction, in: catalogue) {
        case .unknownProduct: receiveLater(transaction, because: .unknownProduct(transaction))
        case .unknownLength: receiveLater(transaction, because: .unknownLength(transaction))
        case .nothing: return true
        case .grant(let grant): return record(grant)
        }
        return false
    }

    /// Why a statement can't be used; `nil` if it can.
    func problem(with statement: StoreStatement) -> UnlocksProblem? {
        let transaction = statement.transaction
        if case .unverified(_, let reason) = statement { return .notVerified(transaction, reason: reason) }
        if transaction.id.isEmpty || transaction.product.isEmpty { return .incomplete(transaction) }
        if let app = transaction.app, let appIdentifier, app != appIdentifier { return .otherApp(transaction) }
        return nil
    }

    func receiveLater(_ transaction: StoreTransaction, because problem: UnlocksProblem) {
        if laterStatements.updateValue(transaction, forKey: transaction.id) == nil { onProblem?(problem) }
    }

    func record(_ grant: Grant) -> Bool {
        guard let transaction = grant.transaction else { return false }
        do {
            try commit(.grant(grant))
        } catch {
            laterStatements[transaction.id] = transaction
            trySavingLater(error)
            return false
        }
        laterStatements[transaction.id] = nil
        if let answer = ledger.answer(with: transaction) { use(answer) }
        willChange.send()
        waiting.remove(transaction.product)
        if grant.isRevoked {
            queue.remove(grant.source)
            removeContent(of: grant)
        } else if grant.isDue, ledger.isPresent(grant) {
            queue.add(grant.source)
        }
        publish(grant.doses.keys)
        work()
        return true
    }

    /// Finishes what is delivered or refunded, one transaction or all, once the store's last word on it is recorded.
    ///
    /// The store may have taken a purchase back meanwhile, without a word, and finishing it would hide that.
    func finish(_ id: String? = nil) async {
        for statement in await store.unfinishedTransactions() where id == nil || id == statement.transaction.id {
            let id = statement.transaction.id
            guard receive(statement), let grant = ledger[.purchase(id)], !grant.isDue else { continue }
            await store.finish(id)
        }
    }

    func takeLaterStatements() async {
        for transaction in laterStatements.values.sorted(by: { $0.id < $1.id }) { receive(.verified(transaction)) }
        await finish()
    }

    func trySavingLater(_ error: UnlocksError) {
        onProblem?(.notSaved(error))
        guard nextSaving == nil else { return }
        let pause = DeliveryQueue.pause(after: savingFailures)
        savingFailures += 1
        nextSaving = clock.now().date + pause
        setTimer()
    }

    /// Writes an entry, and lets it count once it is on the disk.
    func commit(_ entry: JournalEntry) throws(UnlocksError) {
        guard let journal else { throw .deviceLocked }
        try journal.append(entry)
        ledger.apply(entry)
        savingFailures = 0
    }

    /// Writes an entry that is asked for again at the next launch.
    func save(_ entry: JournalEntry) {
        do { try commit(entry) } catch { onProblem?(.notSaved(error)) }
    }

    func removeContent(of grant: Grant) {
        do { try storage.removeFolder(grant.folderName) } catch { onProblem?(.contentNotRemoved(error)) }
    }
}

extension StoreStatement {
    package var transaction: StoreTransaction {
        switch self {
        case .verified(let transaction), .unverified(let transaction, _): transaction
        }
    }
}
