/// What a referral earns.
public struct CatalogueReward: Sendable, Equatable {
    /// The reward's name in the catalogue.
    public let id: String
    /// The parameter that the referral must have; `nil` takes any referral.
    public let parameter: String?
    /// The value of that parameter.
    public let value: String?
    /// The names of the unlocks that it opens.
    public let grants: [String]
    /// How often it is granted in all.
    public let limit: Int
    /// How many doses of a counted unlock it gives.
    public let doses: Int
    /// The event that the app must have reached; `nil` grants it at once.
    public let event: String?
    /// Whether only a signed referral counts.
    public let needsSignature: Bool
}

extension CatalogueReward {
    init(_ value: JSONValue) throws(Catalogue.WrongMember) {
        guard let object = value.object else { throw Catalogue.WrongMember(name: nil) }
        let members = Catalogue.Members(object)
        id = try members.required("id", \.nonEmptyString)
        parameter = try members.optional("parameter", \.string)
        self.value =
            try parameter == nil ? members.optional("value", \.string) : members.required("value", \.string)
        grants = try members.required("grants", \.nonEmptyStrings)
        let positive: (JSONValue) -> Int? = { $0.wholeNumber.flatMap { $0 > 0 ? $0 : nil } }
        limit = try members.optional("limit", positive) ?? 1
        doses = try members.optional("doses", positive) ?? 1
        event = try members.optional("after", \.string)
        needsSignature = try members.optional("signed", \.bool) ?? false
    }
}
