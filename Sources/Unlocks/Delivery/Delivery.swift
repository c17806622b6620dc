public import ReferralFoundation

/// Something that the app has to deliver: a purchase, a reward or a free item.
public struct Delivery: Sendable, Hashable {
    /// Why the user gets it.
    public let evidence: Evidence
    /// The unlocks that it opens.
    public let unlocks: [UnlockID]
    /// The reward's name in the catalog; `nil` for a purchase or a free item.
    public let reward: RewardID?
    /// The item; `nil` for a reward, or if the item is no longer in the catalog, or has ended before its server gave out its files.
    public let item: CatalogItem?
    /// The transaction of a purchase; otherwise `nil`.
    public let transaction: StoreTransaction?
    /// A folder for the app's downloads for this delivery alone. It is removed after a refund.
    ///
    /// After a crash, it may contain an incomplete download.
    public let folder: URL
}
