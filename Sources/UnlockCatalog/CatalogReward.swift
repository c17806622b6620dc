/// A reward for a referral.
public struct CatalogReward: Sendable, Equatable {
    /// The reward's name in the catalog.
    public let id: RewardID
    /// The parameter that the referral must have; `nil` accepts any referral.
    public let parameter: String?
    /// The value of that parameter.
    public let value: String?
    /// The names of the unlocks that it opens.
    public let grants: [UnlockID]
    /// The maximum number of times that it is granted.
    public let limit: Int
    /// The amount of each of its unlocks, 1 to 1,000,000. If `nil`, it gives one of a counted unlock, and opens any
    /// other unlock permanently.
    public let amount: Int?
    /// The event that the app must have reached; `nil` grants it at once.
    public let event: EventName?
    /// Whether only a signed referral counts.
    public let needsSignature: Bool
    /// The user whom it rewards.
    public let recipient: Recipient

    /// The user whom a reward is for.
    public enum Recipient: Sendable, Hashable {
        /// The user whom a referral brought.
        case newcomer
        /// The user who invited others, in a program of invitations, once for every so many newcomers.
        case inviter(program: String, every: Int)
    }
}

extension CatalogReward {
    private enum RecipientName: String, CaseIterable { case newcomer, inviter }

    init(_ members: inout Members) throws(WrongMember) {
        id = try members.required("id", .id())
        let recipient: RecipientName? = try members.optional("for", .word())
        let isForInviter = recipient == .inviter
        // Nothing is known of the newcomers but their number.
        let other = isForInviter ? ["parameter", "value", "signed", "after"].first(where: members.contains) : nil
        if let other { throw members.wrong(other, "missing in a reward for the inviter") }
        self.recipient =
            isForInviter
            ? .inviter(
                program: try members.required("program", .name),
                every: try members.optional("every", .atLeast(1)) ?? 1
            ) : .newcomer
        parameter = try members.optional("parameter", .name)
        value = try parameter == nil ? members.optional("value", .text) : members.required("value", .text)
        event = try members.optional("after", .id())
        needsSignature = try members.optional("signed", .bool) ?? false
        grants = try members.required("grants", .list(.id(), 1...Int.max, "a list of names"))
        limit = try members.optional("limit", .atLeast(1)) ?? 1
        amount = try members.optional("amount", .number(CatalogItem.amounts))
    }
}
