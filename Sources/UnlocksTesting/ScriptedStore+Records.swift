import ReferralFoundation
import Unlocks

extension ScriptedStore {
    struct Record {
        var transaction: StoreTransaction
        var isFinished = false

        var id: String { transaction.id }
        var isConsumable: Bool { transaction.productKind == .consumable }
    }

    func requireReachable() throws {
        guard isReachable else { throw StoreError.unreachable }
    }

    func statement(_ record: Record) -> StoreStatement {
        var transaction = record.transaction
        // Not JWS: nothing has signed it.
        transaction.signedText = "scripted.\(record.id).text"
        return unverified[record.id].map { .unverified(transaction, reason: $0) } ?? .verified(transaction)
    }

    func isOpen(_ record: Record) -> Bool {
        guard !record.isConsumable, !record.transaction.isRevoked else { return false }
        guard let end = record.transaction.expirationDate else { return true }
        return clock.now().date < end
    }

    func makeRecord(_ product: ProductID, from start: Date? = nil) -> Record {
        count += 1
        let kind = products.first { $0.listing.id == product }?.kind ?? .nonConsumable
        let date = clock.now().date
        var transaction = StoreTransaction(
            id: String(count),
            originalID: String(count),
            productID: product,
            productKind: kind.productKind,
            app: app,
            environment: environment,
            purchaseDate: start ?? date,
            signedDate: date
        )
        if case .subscription(let seconds) = kind {
            transaction.expirationDate = (start ?? date).addingTimeInterval(seconds)
        }
        return Record(transaction: transaction)
    }

    /// A purchase in the app. Its transaction is returned instead of sent.
    func buy(_ product: ProductID) -> Record {
        if let owned = records.last(where: { $0.transaction.productID == product && isOpen($0) }) { return owned }
        endOtherPlan(than: product)
        let record = makeRecord(product)
        records.append(record)
        return record
    }

    /// The open subscription in a product's group that is another plan.
    func otherPlan(than product: ProductID) -> Record? {
        let listings = products.map(\.listing)
        guard let group = listings.first(where: { $0.id == product })?.group else { return nil }
        let others = listings.filter { $0.group == group && $0.id != product }.map(\.id)
        return records.last { others.contains($0.transaction.productID) && isOpen($0) }
    }

    /// Ends the plan that another one of its group replaces.
    func endOtherPlan(than product: ProductID) {
        guard let plan = otherPlan(than: product) else { return }
        change(plan.id) { $0.expirationDate = clock.now().date }
    }

    func change(_ id: String, _ body: (inout StoreTransaction) -> Void) {
        guard var record = (records + underway).last(where: { $0.id == id }) else { return }
        body(&record.transaction)
        // The newer statement counts, so the dates must differ even if the clock stands still.
        let last = record.transaction.signedDate ?? .distantPast
        record.transaction.signedDate = max(clock.now().date, last.addingTimeInterval(0.001))
        record.isFinished = false
        happen(record)
    }

    @discardableResult
    func happen(_ record: Record) -> String {
        underway.append(record)
        if isReachable { arriveAll() }
        return record.id
    }

    func arriveAll() {
        let arrived = underway
        underway = []
        for record in arrived {
            if let index = records.firstIndex(where: { $0.id == record.id }) {
                records[index] = record
            } else {
                records.append(record)
            }
            for listener in listeners { listener.yield(statement(record)) }
        }
    }
}

private extension ScriptedStore.Product.Kind {
    var productKind: StoreTransaction.ProductKind {
        switch self {
        case .nonConsumable: .nonConsumable
        case .consumable: .consumable
        case .subscription: .subscription
        case .nonRenewing: .nonRenewing
        }
    }
}
