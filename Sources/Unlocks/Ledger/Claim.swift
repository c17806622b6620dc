import ReferralBridge
import UnlockCatalog

/// A referral that was claimed. It is kept, since its event or the catalog with its reward may come later.
struct Claim: Sendable, Hashable {
    let referrer: Name
    let parameters: [Name: Name]
    let isSigned: Bool
}

extension Claim {
    /// A claim of a referral; `nil` if its referrer is longer than any name may be.
    init?(_ referral: Referral) {
        guard referral.referrer.isName else { return nil }
        let parameters = referral.sortedParameters.map { (Name($0.name), Name($0.value)) }
        self.init(
            referrer: Name(referral.referrer),
            parameters: Dictionary(parameters, uniquingKeysWith: { first, _ in first }),
            isSigned: referral.isSigned
        )
    }
}
