package import ReferralFoundation

/// An error of an ``UnlockCenter``.
public enum UnlocksError: Error, Sendable, Hashable {
    /// ``UnlockCenter/start()`` hasn't been called yet.
    case notStarted
    /// The folder is used by another `UnlockCenter`, in this app or in an extension of it. Create one, and keep it.
    case folderInUse
    /// The folder is in an app group's container. The app locks the journal's file while it runs, and iOS ends a suspended
    /// app that holds a lock there. Choose a folder in the app's own container, such as *Application Support*.
    case folderIsShared
    /// The journal was written by a newer version of the app. It remains unchanged.
    case newerJournal
    /// The disk is full or can't be written, for this reason. Nothing was changed.
    case storage(String)
    /// The catalog has no item with this name.
    case unknownItem(ItemID)
    /// The item isn't for sale now: it is in this state.
    case notForSale(ShopOffer.State)
    /// The store answered with a purchase that is already recorded, and did so again when it was asked once more. Nothing was bought.
    /// Try again later.
    case repeatedPurchase
    /// The store reported the purchase, but its signature isn't valid, it belongs to another app, or it is incomplete. It is
    /// neither granted nor finished. If the user has paid, they must not buy the item again.
    case notVerified(String)
}

extension UnlocksError: DescribedError {
    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .notStarted: "The shop has not been started."
        case .folderInUse: "The folder is in use by another UnlockCenter."
        case .folderIsShared: "The folder is in an app group's container. Choose one in the app's own container."
        case .newerJournal: "The journal was written by a newer version of the app."
        case .storage(let reason): "What the person has can't be saved: \(reason: reason)"
        case .unknownItem(let id): "The catalog has no item \(name: id.rawValue)."
        case .notForSale(let state): "The item is not for sale: \(reason: "\(state)")."
        case .repeatedPurchase: "The store repeated an earlier purchase, and sold nothing."
        case .notVerified(let reason): "The store's answer can't be verified: \(reason: reason)"
        }
    }
}

extension UnlocksError: FileFailure {
    package init(_ problem: FileProblem, at url: URL) { self = .storage("\(url.lastPathComponent): \(problem)") }
}
