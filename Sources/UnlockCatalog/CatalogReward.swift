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
    init(_ value: JSONValue) throws(ShopCatalog.WrongMember) {
        guard let object = value.object else { throw .notAnObject }
        let members = ShopCatalog.Members(object)
        id = RewardID(try members.required("id", .name))
        if try members.optional("for", .oneOf("newcomer", "inviter")) == "inviter" {
            // Nothing is known of the newcomers but their number.
            let others = ["parameter", "value", "signed", "after"]
            if let name = others.first(where: { members[$0] != nil }) { throw .notForInviters(name) }
            parameter = nil
            self.value = nil
            event = nil
            needsSignature = false
            recipient = .inviter(
                program: try members.required("program", .name),
                every: try members.optional("every", .atLeast(1)) ?? 1
            )
        } else {
            parameter = try members.optional("parameter", .name)
            self.value =
                try parameter == nil ? members.optional("value", .text) : members.required("value", .text)
            event = try members.optional("after", .name).map { EventName($0) }
            needsSignature = try members.optional("signed", .bool) ?? false
            recipient = .newcomer
        }
        grants = try members.required("grants", .someNames).map { UnlockID($0) }
        limit = try members.optional("limit", .atLeast(1)) ?? 1
        amount = try members.optional("amount", .amount)
    }
}

private extension ShopCatalog.WrongMember {
    static func notForInviters(_ name: String) -> Self {
        ShopCatalog.WrongMember(name: name, requirement: "missing in a reward for the inviter")
    }
}
