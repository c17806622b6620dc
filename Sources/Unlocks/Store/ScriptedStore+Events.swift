#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What happens elsewhere: on another device, at the store, in the family.
extension ScriptedStore {
    /// Ends all streams, as when the app's process ends.
    public func endUpdates() {
        listeners.forEach { $0.continuation.finish() }
        intentListeners.forEach { $0.finish() }
        storefrontListeners.forEach { $0.finish() }
        (listeners, intentListeners, storefrontListeners) = ([], [], [])
    }

    /// The user chooses a product outside of the app, such as on the App Store's page. If the app doesn't listen, it hears
    /// of it when it does.
    public func promote(_ product: String) {
        if intentListeners.isEmpty { intents.append(product) }
        for listener in intentListeners { listener.yield(product) }
    }

    /// The user's storefront changes, and with it the products and their prices.
    public func changeStorefront(_ products: [Product]) {
        self.products = products
        for listener in storefrontListeners { listener.yield() }
    }

    /// The identifier of the next transaction.
    public var nextTransaction: String { String(count + 1) }

    /// Somebody approves the purchase that waits longest for this product. It comes as an update.
    ///
    /// - Returns: The transaction; `nil` if no purchase of this product waits.
    @discardableResult
    public func approve(_ product: String) -> String? {
        decline(product) ? buyElsewhere(product) : nil
    }

    /// Somebody declines the purchase that waits longest for this product. The app hears nothing of it.
    ///
    /// - Returns: Whether a purchase of this product waited.
    @discardableResult
    public func decline(_ product: String) -> Bool {
        guard let index = pending.firstIndex(of: product) else { return false }
        pending.remove(at: index)
        return true
    }

    /// The person buys a product on another device, or the app ended before it heard of the purchase.
    ///
    /// - Returns: The transaction.
    @discardableResult
    public func buyElsewhere(_ product: String, quantity: Int = 1) -> String {
        happen(makeRecord(product, quantity: quantity))
    }

    /// Somebody of the family who has a product begins to share it.
    ///
    /// - Returns: The transaction.
    @discardableResult
    public func beginFamilySharing(_ product: String) -> String { buyElsewhere(product) }

    /// A family member ends sharing, or leaves: the transaction is revoked.
    public func endFamilySharing(_ transaction: String) { refund(transaction) }

    /// The store refunds a transaction. A transaction that it doesn't know is ignored.
    public func refund(_ transaction: String) { change(transaction) { $0.isRevoked = true } }

    /// The store takes a refund back.
    public func reverseRefund(_ transaction: String) { change(transaction) { $0.isRevoked = false } }

    /// Renews a subscription, from where the last period ends; from now if it has ended, or there was none.
    ///
    /// - Returns: The transaction of the new period, which has an identifier of its own.
    @discardableResult
    public func renew(_ product: String) -> String {
        let end = (records + underway).last { $0.transaction.product == product }?.transaction.expirationDate
        return happen(makeRecord(product, from: end.map { max($0, now()) }))
    }

    /// Moves the end of a subscription: later for a grace period, earlier for a change to another product.
    public func setExpiration(of transaction: String, to date: Date?) {
        change(transaction) { $0.expirationDate = date }
    }
}
