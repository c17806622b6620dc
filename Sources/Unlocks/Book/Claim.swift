import ReferralBridge
import UnlockCatalog

/// A claimed referral. It is kept because its event, or a catalog with its reward, may come later.
struct Claim: Sendable, Hashable {
    let referrer: Name
    let parameters: [Name: Name]
    let isSigned: Bool
}

extension Claim {
    /// Creates a claim; `nil` if the referrer is too long for a name.
    init?(_ arrival: Arrival) {
        guard arrival.referrer.isName else { return nil }
        let parameters = arrival.referral.sortedParameters.map { (Name($0.name), Name($0.value)) }
        self.init(
            referrer: Name(arrival.referrer),
            parameters: Dictionary(parameters, uniquingKeysWith: { first, _ in first }),
            isSigned: arrival.isSigned
        )
    }
}
