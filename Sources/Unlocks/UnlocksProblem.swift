import ReferralFoundation

/// A problem for the app's log. None of these problems loses a paid purchase: the center tries again.
public enum UnlocksProblem: Sendable {
    /// A transaction can't be used, for this reason: its signature isn't valid, it belongs to another app, or it has no identifier or
    /// no product. It is neither granted nor finished.
    case notVerified(StoreTransaction, reason: String)
    /// A purchased product isn't in the catalog. The transaction isn't finished, and is tried again with a new catalog.
    case unknownProduct(StoreTransaction)
    /// The user bought a subscription that doesn't renew by itself, and the catalog sells it as another kind. Its length
    /// isn't known, so it is neither granted nor finished. It is tried again with a new catalog.
    case unknownLength(StoreTransaction)
    /// A product that the user chose outside of the app couldn't be bought.
    case notBought(productID: ProductID, any Error)
    /// The shop doesn't offer the subscription with this name in the catalog, because the address of the terms of use or
    /// of the privacy policy is missing. Guideline 3.1.2 requires both in the app: pass them to `ShopView`.
    case subscriptionNotOffered(item: ItemID)
    /// The folder can't be opened. Until it is open, every state is unknown, and nothing is for sale. The center tries
    /// again, unless the reason is ``UnlocksError/folderIsShared`` or ``UnlocksError/newerJournal``.
    case notOpened(UnlocksError)
    /// Something couldn't be written, or the content of a refunded purchase couldn't be removed. It is tried again.
    case notSaved(UnlocksError)
    /// The app couldn't deliver something. It is tried again after a number of seconds.
    case notDelivered(Delivery, any Error, retryAfter: Double)
    /// Files of an item couldn't be loaded. If it is about one file, `path` is its path in the catalog. It is tried again
    /// after a number of seconds, and what is loaded is kept.
    case notDownloaded(item: ItemID, path: String?, DownloadError, retryAfter: Double)
    /// Lines of the journal are damaged. The other lines count.
    case damagedJournal(lines: [Int])
    /// An item or a reward of the catalog with this revision, or a member, is invalid, so it is left out. Each one is reported once
    /// at launch and once with each new catalog. `referral-tool catalog` reports the same, with the line in the file.
    case leftOut(WrongMember, revision: Int)
    /// The catalog or the prices couldn't be loaded, or the store couldn't be asked about the app's own purchase.
    case notLoaded(any Error)
}

extension UnlocksProblem: CustomStringConvertible {
    /// A sentence suitable for a log, without paths and signed texts.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .notVerified(let transaction, let reason):
            "Transaction \(name: transaction.id) can't be verified: \(reason: reason)"
        case .unknownProduct(let transaction):
            "Product \(name: transaction.productID.rawValue) was bought and isn't in the catalog."
        case .unknownLength(let transaction):
            "Product \(name: transaction.productID.rawValue) doesn't renew by itself, and the catalog has no days for it."
        case .notBought(let product, let error):
            "Product \(name: product.rawValue) couldn't be bought: \(reason: "\(error)")"
        case .subscriptionNotOffered(let item):
            "Item \(name: item.rawValue) isn't offered, since the terms of use or the privacy policy is missing."
        case .notOpened(let error): "The folder can't be opened. \(reason: error.description)"
        case .notSaved(let error): "Something couldn't be saved. \(reason: error.description)"
        case .notDelivered(let delivery, let error, let pause):
            "\(name: delivery.item?.id.rawValue ?? "A reward") couldn't be delivered: \(reason: "\(error)"); next try in \(Int(pause)) s."
        case .notDownloaded(let item, let path, let error, let pause):
            "\(name: path ?? "Files") of \(name: item.rawValue) couldn't be loaded: \(reason: error); next try in \(Int(pause)) s."
        case .damagedJournal(let lines): "Lines of the journal are damaged: \(lines.count)."
        case .leftOut(let rejection, let revision):
            "The catalog has revision \(revision). \(reason: "\(rejection)")"
        case .notLoaded(let error): "Something couldn't be loaded: \(reason: "\(error)")"
        }
    }
}
