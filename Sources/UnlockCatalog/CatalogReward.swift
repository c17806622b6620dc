import WireText

/// What a referral earns.
public struct CatalogReward: Sendable, Equatable {
    /// The reward's name in the catalog.
    public let id: String
    /// The parameter that the referral must have; `nil` takes any referral.
    public let parameter: String?
    /// The value of that parameter.
    public let value: String?
    /// The names of the unlocks that it opens.
    public let grants: [String]
    /// How often it is granted in all.
    public let limit: Int
    /// How much of each of its unlocks it gives, 1 to 1,000,000. With `nil` it gives one of an unlock that is
    /// counted, and opens any other one for good.
    public let amount: Int?
    /// The event that the app must have reached; `nil` grants it at once.
    public let event: String?
    /// Whether only a signed referral counts.
    public let needsSignature: Bool
}

extension CatalogReward {
    init(_ value: JSONValue) throws(Catalog.WrongMember) {
        guard let object = value.object else { throw .notAnObject }
        let members = Catalog.Members(object)
        id = try members.required("id", .name)
        parameter = try members.optional("parameter", .name)
        self.value =
            try parameter == nil ? members.optional("value", .text) : members.required("value", .text)
        grants = try members.required("grants", .someNames)
        limit = try members.optional("limit", .atLeast(1)) ?? 1
        amount = try members.optional("amount", .amount)
        event = try members.optional("after", .name)
        needsSignature = try members.optional("signed", .bool) ?? false
    }
}
