/// Why something is open.
public enum Evidence: Sendable, Hashable {
    /// This edition of the app has it.
    case included
    /// The person bought the app before it became free.
    case paidBefore
    /// The store says that they bought it, in the transaction with this identifier.
    case purchase(transaction: String)
    /// A referral by this referrer earned it.
    case reward(id: String, referrer: String)
    /// The catalog gives it for nothing.
    case free(item: String)
}

/// Whether something is open.
public enum UnlockState: Sendable, Hashable {
    /// That isn't known yet, and why. An app that can't wait treats it as open.
    case unknown(Unknown)
    /// It isn't.
    case locked
    /// It is, and why. There may be several reasons, in the order in which they came.
    case unlocked(by: [Evidence])

    /// Why it isn't known whether something is open.
    public enum Unknown: Sendable, Hashable {
        /// The store hasn't answered since the app was installed, or since a subscription's expiration passed.
        case storeNotAsked
        /// What the person has isn't read yet: the app has just started, or the folder can't be opened.
        case notOpened
        /// The device hasn't been unlocked since it started, so the app can't read its files.
        case deviceLocked
        /// Whether the person bought the app before it became free isn't known, and why.
        case paidBefore(PaidBefore.Reason)
    }

    /// Whether it is open.
    public var isUnlocked: Bool { if case .unlocked = self { true } else { false } }

    /// Whether it is known not to be open.
    public var isLocked: Bool { self == .locked }
}
