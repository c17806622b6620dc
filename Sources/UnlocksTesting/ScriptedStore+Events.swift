import ReferralFoundation
public import Unlocks

/// Events outside of the app: on another device, in the store, or in the family.
extension ScriptedStore {
    /// Approves the oldest pending purchase of this product. The app receives it as an update.
    ///
    /// - Returns: The transaction; `nil` if no purchase of this product is pending.
    @discardableResult
    public func approve(_ product: ProductID) -> String? { decline(product) ? buyElsewhere(product) : nil }

    /// Declines the oldest pending purchase of this product. The app isn't notified.
    ///
    /// - Returns: Whether a purchase of this product was pending.
    @discardableResult
    public func decline(_ product: ProductID) -> Bool {
        guard let index = pending.firstIndex(of: product) else { return false }
        pending.remove(at: index)
        return true
    }

    /// The user buys a product on another device, or in an app that ends before it receives the transaction.
    ///
    /// - Returns: The transaction.
    @discardableResult
    public func buyElsewhere(_ product: ProductID) -> String {
        endOtherPlan(than: product)
        return happen(makeRecord(product))
    }

    /// A family member starts to share a product.
    ///
    /// - Returns: The transaction.
    @discardableResult
    public func beginFamilySharing(_ product: ProductID) -> String {
        var record = makeRecord(product)
        record.transaction.isFamilyShared = true
        return happen(record)
    }

    /// The store refunds a transaction, or a family member stops sharing it. A transaction that it doesn't know is ignored.
    public func refund(_ transaction: String) { change(transaction) { $0.isRevoked = true } }

    /// Renews a subscription. The new period starts at the end of the last one, or now if that has passed.
    ///
    /// - Returns: The transaction of the new period, with a new identifier.
    @discardableResult
    public func renew(_ product: ProductID) -> String {
        let end = (records + underway).last { $0.transaction.productID == product }?.transaction.expirationDate
        return happen(makeRecord(product, from: end.map { max($0, clock.now().date) }))
    }
}
