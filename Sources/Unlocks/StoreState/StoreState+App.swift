import ReferralFoundation

/// The app's own purchase: whether the user bought the app before it became free.
extension StoreState {
    /// What the app's own purchase is asked for.
    enum AppUse: Sendable, Equatable {
        case refresh(Int)
        case restore(call: Int)
    }

    /// Asks for the app's own purchase, unless a yes is kept. The system may ask the user to sign in.
    mutating func askForApp(_ refresh: Int, _ facts: Facts) {
        guard facts.paidBefore != nil else { return }
        if facts.isYes(facts.ledger.kept) { return judgeKeptAnswer(facts) }
        begin(.app, of: refresh, .app(.refresh(refresh))) { .loadApp($0, isRefresh: false) }
    }

    /// Follows the store's present environment.
    mutating func followEnvironment(_ facts: Facts) {
        if facts.closed == nil { judgeKeptAnswer(facts) }
        perform(.deliver(.ledgerChanged))
    }

    /// Judges whether the app was bought before it became free by the answer that is kept.
    mutating func judgeKeptAnswer(_ facts: Facts) {
        var kept = facts.ledger.kept
        paidBeforeAnswer = facts.paidBefore?
            .answer(for: nil, in: facts.ledger.environment, on: facts.platform, kept: &kept)
    }

    mutating func judge(_ result: Result<AppPurchase?, any Error>, _ use: AppUse, _ facts: Facts) {
        switch result {
        case .success(let purchase): judge(purchase, use, facts)
        case .failure(let error):
            switch use {
            case .refresh(let refresh):
                perform(.report(.notLoaded(error)))
                listAgain(refresh, facts)
                end(.app, of: refresh, facts)
            case .restore(let call): synced(call, error, facts)
            }
        }
    }

    /// Judges the app's own purchase, and keeps the answer.
    private mutating func judge(_ purchase: AppPurchase?, _ use: AppUse, _ facts: Facts) {
        guard let paidBefore = facts.paidBefore else { return goOn(with: use, isNew: false, facts) }
        let ledger = facts.ledger
        var kept = kept(facts)
        let answer = paidBefore.answer(for: purchase, in: ledger.environment, on: facts.platform, kept: &kept)
        // Only a revocation replaces a yes, and not another account's purchase.
        paidBeforeAnswer =
            facts.isYes(kept) ? paidBefore.answer(for: nil, on: facts.platform, kept: &kept) : answer
        // Whether the store has signed it since its latest statement.
        var isNew = purchase?.isVerified ?? false
        var moment: Date?
        if isNew, let signed = purchase?.signedDate {
            let isPresent = purchase?.environment == ledger.environment
            isNew = isPresent && !ledger.moments(signed: signed, at: facts.clock).isEmpty
            moment = isPresent ? signed : nil
        }
        guard moment != nil || kept != ledger.kept else { return goOn(with: use, isNew: isNew, facts) }
        ask(.saveApp(use, isNew: isNew, kept)) { .saveApp($0, signed: moment, kept) }
    }

    /// The answer that is being written last, or else the one that is kept.
    private func kept(_ facts: Facts) -> PaidBefore.Kept? {
        let last = questions.filter { if case .saveApp = $0.value { true } else { false } }.max { $0.key < $1.key }
        if case .saveApp(_, _, let kept)? = last?.value { return kept }
        return facts.ledger.kept
    }

    mutating func savedApp(_ use: AppUse, isNew: Bool, _ failure: UnlocksError?, _ facts: Facts) {
        if let failure { perform(.report(.notSaved(failure))) }
        goOn(with: use, isNew: isNew, facts)
    }

    private mutating func goOn(with use: AppUse, isNew: Bool, _ facts: Facts) {
        switch use {
        case .refresh(let refresh):
            refreshes[refresh]?.hasNewApp = isNew
            listAgain(refresh, facts)
            end(.app, of: refresh, facts)
        case .restore(let call): refresh(.restore(call: call), isFromStore: isNew, facts)
        }
    }
}
