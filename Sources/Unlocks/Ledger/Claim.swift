import ReferralBridge

/// A referral that was claimed. It is kept, since the catalogue with its reward may come later.
struct Claim: Sendable, Hashable {
    let referrer: String
    let parameters: [String: String]
    let isSigned: Bool
}

extension Claim {
    init(_ referral: Referral) {
        self.init(referrer: referral.referrer, parameters: referral.parameters, isSigned: referral.isSigned)
    }
}
