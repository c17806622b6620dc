/// What an app's log should know. Nothing that was paid is lost by any of these: it is tried again.
public enum UnlocksProblem: Sendable {
    /// The store's signature of a transaction isn't valid. It is neither granted nor finished.
    case notVerified(StoreTransaction, reason: String)
    /// A transaction has no identifier or no product. It isn't finished.
    case incomplete(StoreTransaction)
    /// A transaction belongs to another app. It isn't finished.
    case otherApp(StoreTransaction)
    /// A transaction is over a day ahead of this device's clock. It isn't finished, and is looked at again.
    case ahead(StoreTransaction)
    /// The catalogue doesn't know a product that was bought. It isn't finished, and is looked at again with a new catalogue.
    case unknownProduct(StoreTransaction)
    /// Something couldn't be written. It is tried again.
    case notSaved(UnlocksError)
    /// The app couldn't deliver something. It is tried again after a number of seconds.
    case notDelivered(Delivery, any Error, retryAfter: Double)
    /// Lines of the journal are damaged. The others count, and the damaged file is kept beside it.
    case damagedJournal(lines: [Int])
    /// The folder with the content of a refunded purchase couldn't be removed. It is tried again at the next launch.
    case contentNotRemoved(UnlocksError)
    /// The catalogue or the prices couldn't be loaded, or the store couldn't be asked about the app's own purchase.
    case notLoaded(any Error)
}
