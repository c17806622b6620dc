import ReferralFoundation

/// The unlocks from one purchase, reward or free item, and the state of its delivery.
struct Grant: Sendable, Codable, Equatable {
    /// The source of a grant. There is one grant per source.
    enum Source: Sendable, Codable, Hashable {
        case purchase(Name)
        case reward(RewardID, referrer: Name)
        case free(ItemID)
        /// The reward for the user who invited others, which is granted several times: the first has the number 1.
        case invited(RewardID, program: Name, number: Int)

        var evidence: Evidence {
            switch self {
            case .purchase(let id): .purchase(transaction: id.rawValue)
            case .reward(let id, let referrer): .reward(id: id, referrer: referrer.rawValue)
            case .free(let item): .free(item: item)
            case .invited(_, let program, let number): .invited(program: program.rawValue, count: number)
            }
        }

        /// The reward's name in the catalog; `nil` for anything else.
        var reward: RewardID? {
            switch self {
            case .reward(let id, _), .invited(let id, _, _): id
            case .purchase, .free: nil
            }
        }
    }

    /// The largest amount of one grant: an item's maximum, a million, in a quantity of a thousand. Sums don't overflow.
    static let maximumDoses = 1_000_000 * maximumQuantity
    /// The largest accepted quantity of a purchase. The store sells at most 10 at once.
    static let maximumQuantity = 1_000

    /// The days that a purchase lasts, if its end isn't the store's.
    enum Term: Sendable, Codable, Equatable {
        /// Days after those of the purchases before it.
        case pass(days: Int)
        /// Days from the first purchase of the product, once per user.
        case trial(days: Int)

        static let secondsPerDay = 86_400.0
    }

    enum Stage: String, Sendable, Codable {
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
    /// The days that it lasts; `nil` if it lasts forever, or until the store's date.
    var term: Term?
    /// When a purchase with a term was recorded, if the store reports no date for it.
    var recorded: Date?
    var stage: Stage
    /// When the server that guards its content gave that out, or was asked about it the last time; otherwise `nil`.
    var proved: Date?
    /// Whether that server has said that it was refunded, so that its content isn't needed until the store says something new about
    /// it, or the user asks for everything again.
    var isWithheld: Bool?

    /// Whether it opens its unlocks only until a moment.
    var isExpiring: Bool { term != nil || transaction?.expirationDate != nil }

    var isRevoked: Bool { transaction?.isRevoked ?? false }

    /// Whether it opens nothing until its content is delivered.
    var isDue: Bool { !isRevoked && stage == .recorded }

    /// Whether it opens something in its environment, up to its expiration.
    var isGranted: Bool { !isRevoked && stage == .delivered }

    /// When it was bought, or recorded if the store reports no date.
    var purchaseDate: Date? { transaction?.purchaseDate ?? recorded }

    /// When it was bought for the first time. The purchase of a restored transaction may be later.
    var originalPurchaseDate: Date? { transaction?.originalPurchaseDate ?? purchaseDate }
}
