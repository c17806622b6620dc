import ReferralInviteCodes

/// A claimed referral. It is kept because its event, or a catalog with its reward, may come later.
struct Claim: Sendable, Codable, Hashable {
    let referrer: Name
    let parameters: [Name: Name]
    let isSigned: Bool

    /// The identity of the referrer: a code is one person, in whatever spelling.
    var person: Name { referrer.person }
}

extension Name {
    /// Who a referrer with this name is: a code as ``InviteCode`` writes it, or the name.
    var person: Name { Name(InviteCode.canonical(rawValue)) }
}

extension Claim {
    /// Creates a claim; `nil` if the referrer is too long for a name.
    init?(_ arrival: Arrival) {
        guard arrival.referrer.isName else { return nil }
        let parameters = arrival.referral.claims.parameters.map { (Name($0.name), Name($0.value)) }
        self.init(
            referrer: Name(arrival.referrer),
            parameters: Dictionary(parameters, uniquingKeysWith: { first, _ in first }),
            isSigned: arrival.isSigned
        )
    }
}
