import UnlockCatalog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The unlocks from one purchase, reward or free item, and the state of its delivery.
struct Grant: Sendable, Equatable {
    /// The source of a grant. There is one grant per source.
    enum Source: Sendable, Hashable {
        case purchase(Name)
        case reward(RewardID, referrer: Name)
        case free(ItemID)

        var evidence: Evidence {
            switch self {
            case .purchase(let id): .purchase(transaction: id.rawValue)
            case .reward(let id, let referrer): .reward(id: id, referrer: referrer.rawValue)
            case .free(let item): .free(item: item)
            }
        }
    }

    /// The largest amount of one grant: an item's maximum, a million, in a quantity of a thousand. Sums don't overflow.
    static let maximumDoses = 1_000_000 * maximumQuantity
    /// The largest accepted quantity of a purchase. The store sells at most 10 at once.
    static let maximumQuantity = 1_000

    enum Stage: String, Sendable {
        /// Recorded, but not delivered yet.
        case recorded
        /// Delivered, so it counts as evidence.
        case delivered
    }

    let source: Source
    /// The store's latest statement about a purchase; otherwise `nil`.
    var transaction: StoreTransaction?
    /// The item's name in the catalog.
    var item: ItemID?
    /// The unlocks that it opens, and the amount of each; 0 opens the unlock permanently.
    var amounts: [UnlockID: Int]
    var stage: Stage

    var isRevoked: Bool { transaction?.isRevoked ?? false }

    /// Whether it opens nothing until its content is delivered.
    var isDue: Bool { !isRevoked && stage == .recorded }

    /// Whether it opens something in its environment, up to its expiration.
    var isGranted: Bool { !isRevoked && stage == .delivered }

    var expiration: Date? { transaction?.expirationDate }
}
