import ReferralFoundation

/// The app's own purchase: whether the user bought the app before it became free.
extension ShopState {
    /// Asks for the app's own purchase, unless a yes is kept. The system may ask the user to sign in.
    mutating func askForApp(_ refresh: Int, _ facts: Facts) {
        guard facts.paidBefore != nil else { return }
        if facts.isYes(facts.ledger.kept) { return judgeKeptAnswer(facts) }
        ask(.app(restore: nil), of: refresh) { .loadApp($0, isRefresh: false) }
    }

    /// Follows the store's present environment.
    mutating func followEnvironment(_ facts: Facts) {
        if facts.closed == nil { judgeKeptAnswer(facts) }
        deliverAll(facts)
    }

    /// Judges whether the app was bought before it became free by the answer that is kept.
    mutating func judgeKeptAnswer(_ facts: Facts) {
        var kept = facts.ledger.kept
        paidBeforeAnswer = facts.paidBefore?
            .answer(for: nil, in: facts.ledger.environment, on: facts.platform, kept: &kept)
    }

    /// Judges the app's own purchase, and keeps the answer.
    mutating func judge(
        _ result: Result<AppPurchase?, any Error>,
        restore call: Int?,
        _ refresh: Int?,
        _ facts: Facts
    ) {
        var isNew = false
        switch result {
        case .success(let purchase): if let rule = facts.paidBefore { isNew = judge(purchase, by: rule, facts) }
        case .failure(let error):
            if let call { return synced(call, error, facts) }
            perform(.report(.notLoaded(error)))
        }
        if let call { return self.refresh(.restore(call: call), isFromStore: isNew, updated(facts)) }
        guard let refresh else { return }
        if isNew { refreshes[refresh]?.hasNewApp = true }
        listAgain(refresh, facts)
    }

    /// - Returns: Whether the store has signed it since its latest statement.
    private mutating func judge(_ purchase: AppPurchase?, by rule: PaidBefore, _ facts: Facts) -> Bool {
        let ledger = facts.ledger
        var kept = ledger.kept
        let answer = rule.answer(for: purchase, in: ledger.environment, on: facts.platform, kept: &kept)
        // Only a revocation replaces a yes, and not another account's purchase.
        paidBeforeAnswer = facts.isYes(kept) ? rule.answer(for: nil, on: facts.platform, kept: &kept) : answer
        var moments: [JournalEntry] = []
        if let purchase, purchase.isVerified, purchase.environment == ledger.environment,
            let signed = purchase.signedDate
        {
            moments = ledger.moments(signed: signed, at: facts.clock)
        }
        let entries = moments + (kept == ledger.kept ? [] : [.kept(kept)])
        if !entries.isEmpty { note(entries) }
        // Without a date, it isn't known whether the system has shown a copy.
        return purchase?.isVerified == true && (purchase?.signedDate == nil || !moments.isEmpty)
    }
}
