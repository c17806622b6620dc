/// A problem for the app's log. None of these problems loses a paid purchase: the center tries again.
public enum UnlocksProblem: Sendable {
    /// The store's signature of a transaction isn't valid. It is neither granted nor finished.
    case notVerified(StoreTransaction, reason: String)
    /// A transaction has no identifier or no product, or one of its names is longer than 256 bytes. It isn't finished.
    case incomplete(StoreTransaction)
    /// A transaction belongs to another app. It isn't finished.
    case otherApp(StoreTransaction)
    /// A purchased product isn't in the catalog. The transaction isn't finished, and is tried again with a new catalog.
    case unknownProduct(StoreTransaction)
    /// The user bought a subscription that doesn't renew by itself, and the catalog sells it as another kind. Its length
    /// isn't known, so it is neither granted nor finished. It is tried again with a new catalog.
    case unknownLength(StoreTransaction)
    /// The app asked for an unlock that nothing defines, such as a misspelled one. It is locked. Each name is reported
    /// once.
    case unknownUnlock(UnlockID)
    /// A product that the user chose outside of the app couldn't be bought.
    case notBought(productID: ProductID, any Error)
    /// The shop doesn't offer the subscription with this name in the catalog, because the address of the terms of use or
    /// of the privacy policy is missing. Guideline 3.1.2 requires both in the app: pass them to `ShopView`.
    case subscriptionNotOffered(item: ItemID)
    /// The folder can't be opened. Until it is open, every state is unknown, and nothing is for sale. The center tries
    /// again, unless the reason is ``UnlocksError/folderIsShared`` or ``UnlocksError/newerJournal``.
    case notOpened(UnlocksError)
    /// Something couldn't be written. It is tried again.
    case notSaved(UnlocksError)
    /// The app couldn't deliver something. It is tried again after a number of seconds.
    case notDelivered(Delivery, any Error, retryAfter: Double)
    /// Files of an item couldn't be loaded. If it is about one file, `path` is its path in the catalog. It is tried again
    /// after a number of seconds, and what is loaded is kept.
    case notDownloaded(item: ItemID, path: String?, DownloadError, retryAfter: Double)
    /// An item that had files when it was bought isn't in the catalog, so its files aren't known. The purchase is neither
    /// delivered nor finished, and is tried again with a new catalog.
    case unknownFiles(item: ItemID)
    /// Lines of the journal are damaged. The other lines count, and a copy of the damaged file is kept beside it.
    case damagedJournal(lines: [Int])
    /// The journal was written by the app with this identifier, such as the free one whose files were exported. It is kept beside
    /// the new one, and nothing in it counts.
    case journalOfAnotherApp(String)
    /// The folder with the content of a refunded purchase couldn't be removed. It is tried again at the next launch.
    case contentNotRemoved(UnlocksError)
    /// An item or a reward of the catalog with this revision is invalid, so it is left out. Each one is reported once
    /// at launch and once with each new catalog. `referral-tool catalog` reports the same, with the line in the file.
    case leftOut(ShopCatalog.Rejection, revision: Int)
    /// The catalog or the prices couldn't be loaded, or the store couldn't be asked about the app's own purchase.
    case notLoaded(any Error)
}
