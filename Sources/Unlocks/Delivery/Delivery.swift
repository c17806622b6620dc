#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an app is to deliver: what was bought, earned or taken for nothing.
public struct Delivery: Sendable, Hashable {
    /// Why the person gets it.
    public let evidence: Evidence
    /// The unlocks that it opens.
    public let unlocks: [String]
    /// The item; `nil` for a reward, and if the catalog doesn't have it any more.
    public let item: CatalogItem?
    /// What the store said, of a purchase.
    public let transaction: StoreTransaction?
    /// A folder for what the app downloads for it. It has no other use, and goes with a refund.
    ///
    /// After a crash, what was downloaded so far may be in it.
    public let folder: URL
}
