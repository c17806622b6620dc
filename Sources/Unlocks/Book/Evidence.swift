/// Why an unlock is open.
public enum Evidence: Sendable, Hashable {
    /// This edition of the app includes it.
    case included
    /// The user bought the app before it became free.
    case paidBefore
    /// The user bought it in the transaction with this identifier.
    case purchase(transaction: String)
    /// A referral by this referrer earned it.
    case reward(id: RewardID, referrer: String)
    /// The catalog offers this item for free.
    case free(item: ItemID)
    /// The user invited others in this program. The count is the number of times that this reward was granted by then.
    case invited(program: String, count: Int)
    /// The catalog gives everybody some free uses, and some are left.
    case allowance
}

/// Whether an unlock is open.
public enum UnlockState: Sendable, Hashable {
    /// The state isn't known yet, for this reason. An app that can't wait should treat the unlock as open.
    case unknown(Unknown)
    /// The unlock is locked.
    case locked
    /// The unlock is open, for these reasons, in the order in which they arrived.
    case unlocked(by: [Evidence])

    /// Why it isn't known whether an unlock is open.
    public enum Unknown: Sendable, Hashable {
        /// The store hasn't answered since the app was installed, or since a subscription's expiration passed.
        case storeNotAsked
        /// The journal hasn't been read yet: the app has just started, or the folder can't be opened, as on a device that wasn't
        /// unlocked since its restart.
        case notOpened
        /// The user has it, and it isn't delivered yet.
        case beingDelivered
        /// It isn't known whether the user bought the app before it became free, for this reason.
        case paidBefore(PaidBefore.Reason)
    }

    /// Whether the unlock is known to be open.
    public var isUnlocked: Bool { if case .unlocked = self { true } else { false } }

    /// Whether the unlock is known to be locked.
    public var isLocked: Bool { self == .locked }
}
