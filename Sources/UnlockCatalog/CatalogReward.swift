import ReferralBridge

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
}

extension CatalogReward {
    init(_ value: JSONValue) throws(Catalog.WrongMember) {
        guard let object = value.object else { throw .notAnObject }
        let members = Catalog.Members(object)
        id = RewardID(try members.required("id", .name))
        parameter = try members.optional("parameter", .name)
        self.value =
            try parameter == nil ? members.optional("value", .text) : members.required("value", .text)
        grants = try members.required("grants", .someNames).map { UnlockID($0) }
        limit = try members.optional("limit", .atLeast(1)) ?? 1
        amount = try members.optional("amount", .amount)
        event = try members.optional("after", .name).map { EventName($0) }
        needsSignature = try members.optional("signed", .bool) ?? false
    }
}
