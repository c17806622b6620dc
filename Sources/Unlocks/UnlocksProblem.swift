public import UnlockCatalog

/// What an app's log should know. Nothing that was paid is lost by any of these: it is tried again.
public enum UnlocksProblem: Sendable {
    /// The store's signature of a transaction isn't valid. It is neither granted nor finished.
    case notVerified(StoreTransaction, reason: String)
    /// A transaction has no identifier or no product. It isn't finished.
    case incomplete(StoreTransaction)
    /// A transaction belongs to another app. It isn't finished.
    case otherApp(StoreTransaction)
    /// The catalog doesn't know a product that was bought. It isn't finished, and is looked at again with a new catalog.
    case unknownProduct(StoreTransaction)
    /// The user bought a subscription that doesn't renew by itself, and the catalog sells it as another kind. Its length
    /// isn't known, so it is neither granted nor finished. It is tried again with a new catalog.
    case unknownLength(StoreTransaction)
    /// A product that the user chose outside of the app couldn't be bought.
    case notBought(product: String, any Error)
    /// The shop doesn't offer the subscription with this name in the catalog, because the address of the terms of use or
    /// of the privacy policy is missing. Guideline 3.1.2 requires both in the app: pass them to `ShopView`.
    case subscriptionNotOffered(item: String)
    /// The folder can't be opened. Until it can, every state is unknown, and nothing is for sale. Unless the reason is
    /// ``UnlocksError/folderIsShared`` or ``UnlocksError/newerJournal``, it is tried again.
    case notOpened(UnlocksError)
    /// Something couldn't be written. It is tried again.
    case notSaved(UnlocksError)
    /// The app couldn't deliver something. It is tried again after a number of seconds.
    case notDelivered(Delivery, any Error, retryAfter: Double)
    /// Lines of the journal are damaged. The others count, and the damaged file is kept beside it.
    case damagedJournal(lines: [Int])
    /// The folder with the content of a refunded purchase couldn't be removed. It is tried again at the next launch.
    case contentNotRemoved(UnlocksError)
    /// An item or a reward of the catalog with this revision is wrong, so it is left out. At launch, and with each new
    /// catalog, each of them is reported once. `referral-tool catalog` reports the same, with the line in the file.
    case leftOut(Catalog.Rejection, revision: Int)
    /// The catalog or the prices couldn't be loaded, or the store couldn't be asked about the app's own purchase.
    case notLoaded(any Error)
}
