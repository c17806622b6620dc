import ReferralFoundation

extension StoreState.Facts {
    /// Whether a kept answer is yes, and counts: in production.
    func isYes(_ kept: PaidBefore.Kept?) -> Bool { kept?.answer == true && ledger.environment == .production }

    /// The unlocks of the user's purchases, and of the app's own purchase.
    func bought(_ answer: PaidBefore.Answer?) -> Set<UnlockID> { ledger.bought(at: now).union(boughtWithApp(answer)) }

    /// The unlocks of users who bought the app before it became free, if the user is one.
    func boughtWithApp(_ answer: PaidBefore.Answer?) -> [UnlockID] {
        answer?.isYes == true ? paidBefore?.grants ?? [] : []
    }

    /// Whether a transaction is delivered or refunded, so the store may forget it.
    func isFinishable(_ transaction: Name) -> Bool { ledger[.purchase(transaction)].map { !$0.isDue } ?? false }
}
