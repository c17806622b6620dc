import Foundation

@testable import ReferralBasics
@testable import Unlocks

/// The store's side.
extension DirectShop {
    func truth(_ number: Int) -> Truth? { order.isEmpty ? nil : truths[order[number % order.count]] }

    func transaction(of product: ProductID) -> StoreTransaction {
        StoreTransaction(
            id: "\(order.count + 1)",
            productID: product,
            app: "app",
            environment: environment,
            purchaseDate: moment.date,
            expirationDate: product == "pro" ? moment.date + 3_000 : nil
        )
    }

    /// A new statement about a transaction.
    @discardableResult
    mutating func say(_ transaction: StoreTransaction, isAnnounced: Bool) -> StoreStatement {
        var transaction = transaction
        if history.hasDates {
            lastSigned = max(lastSigned + 0.001, moment.date)
            transaction.signedDate = lastSigned
        }
        let count = truths[transaction.id]?.statements.count ?? 0
        transaction.signedText = "\(transaction.id) \(count)"
        if truths[transaction.id] == nil {
            truths[transaction.id] = Truth(statements: [])
            order.append(transaction.id)
        }
        truths[transaction.id]?.statements.append(transaction)
        truths[transaction.id]?.isFinished = false
        if isAnnounced { announce(.verified(transaction)) }
        return .verified(transaction)
    }

    mutating func announce(_ statement: StoreStatement) {
        guard process?.isListening ?? false, statement.transaction.environment == environment else { return }
        tell([statement])
        send(.updated(statement))
    }

    /// The process hears of purchases.
    mutating func tell(_ statements: [StoreStatement]) {
        for case .verified(let transaction) in statements where !transaction.isRevoked {
            process?.knownPurchases.insert(transaction.id)
        }
    }

    /// What the store lists now; nothing if it can't be reached.
    func list(_ isListed: (Truth) -> Bool) -> [StoreStatement] {
        order.compactMap { id in
            guard let truth = truths[id], truth.current.environment == environment, isListed(truth) else { return nil }
            return .verified(truth.current)
        }
    }

    var entitlements: [StoreStatement] {
        broken.contains(.lists)
            ? []
            : list { truth in
                !truth.current.isRevoked && truth.current.productID != "hints" && !unlisted.contains(truth.current.id)
                    && truth.current.expirationDate ?? .distantFuture > moment.date
            }
    }

    var transactions: [StoreStatement] {
        broken.contains(.lists)
            ? [] : list { $0.current.isRevoked || $0.current.productID != "hints" || !$0.isFinished }
    }

    /// The device knows these, also without the network.
    var unfinished: [StoreStatement] { list { !$0.isFinished } }

    /// The person answers the store's sheet.
    mutating func purchase(_ product: ProductID) -> Result<StorePurchaseResult, any Error> {
        guard !broken.contains(.purchase) else { return .failure(StoreError.unreachable) }
        switch purchaseAnswer {
        case .bought: return .success(.purchased(say(transaction(of: product), isAnnounced: false)))
        case .pending:
            pendingProducts.append(product)
            process?.waiting[product] = process?.recorded
            return .success(.pending)
        case .cancelled: return .success(.cancelled)
        case .fails: return .failure(StoreError.unreachable)
        }
    }

    mutating func willFinish(_ id: String) {
        guard let truth = truths[id] else { return violate("\(id) was never bought, and is finished") }
        let grant = saved[.purchase(Name(id))]
        if grant.map(\.isDue) ?? true { violate("\(id) is finished before it is delivered and on the disk") }
        if grant?.isRevoked == false, truth.completions == 0 {
            violate("\(id) is finished before its folder is complete")
        }
    }

    mutating func didFinish(_ transaction: StoreTransaction) {
        if truths[transaction.id]?.current == transaction { truths[transaction.id]?.isFinished = true }
    }
}
