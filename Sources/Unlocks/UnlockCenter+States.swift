import ReferralFoundation

extension UnlockCenter {
    /// Whether an unlock is open, and why. A name that nothing defines is locked.
    public func state(of unlock: UnlockID) -> UnlockState {
        let now = now
        guard isOpen(unlock, at: now) else { return unknown(unlock, at: now).map(UnlockState.unknown) ?? .locked }
        var evidence: [Evidence] = []
        if assortment.included.contains(unlock) { evidence.append(.included) }
        if answerBefore(for: unlock)?.isYes == true { evidence.append(.paidBefore) }
        if book.isOpen, book.ledger.freeUses(of: unlock, at: now) > 0 { evidence.append(.allowance) }
        return .unlocked(by: evidence + book.ledger.evidence(for: unlock, at: now))
    }

    private var definedUnlocks: Set<UnlockID> {
        let defined = catalog.items.map(\.grants) + catalog.rewards.map(\.grants) + [paidBefore?.grants ?? []]
        return defined.reduce(into: Set(book.ledger.shares.keys)) { $0.formUnion($1) }
    }

    /// The moment at which purchases are judged.
    var now: Date { book.now }

    /// Whether something is open at a moment.
    func isOpen(_ unlock: UnlockID, at now: Date) -> Bool {
        comesWithApp(unlock) || book.isOpen && book.ledger.isOpen(unlock, at: now)
    }

    /// Whether something is open at a moment, and using it spends nothing.
    private func isOpenWithoutCounting(_ unlock: UnlockID, at now: Date) -> Bool {
        comesWithApp(unlock) || book.ledger.isOpenWithoutCounting(unlock, at: now)
    }

    /// Whether something is open permanently, so that there is nothing more to buy.
    func isOwned(_ unlock: UnlockID) -> Bool { comesWithApp(unlock) || book.ledger.isOwned(unlock) }

    /// Whether the edition includes something, or users who bought the app have it, of which the user is one.
    private func comesWithApp(_ unlock: UnlockID) -> Bool {
        assortment.included.contains(unlock) || answerBefore(for: unlock)?.isYes == true
    }

    /// The reason why an unlock that isn't open isn't known to be locked; `nil` if it is known.
    func unknown(_ unlock: UnlockID, at now: Date) -> UnlockState.Unknown? {
        guard book.isOpen else { return .notOpened }
        let ledger = book.ledger
        if ledger.isBeingDelivered(unlock) { return .beingDelivered }
        if let before = answerBefore(for: unlock), before.isYes == nil { return .paidBefore(before.reason) }
        // If nothing is for sale, no answer of the store is needed.
        let isUnasked = ledger.answers[ledger.environment] == nil && !assortment.products.isEmpty
        return isUnasked || ledger.hasUnknownEnd(unlock, at: now) ? .storeNotAsked : nil
    }

    private func answerBefore(for unlock: UnlockID) -> PaidBefore.Answer? {
        guard let paidBefore, paidBefore.grants.contains(unlock) else { return nil }
        return state.paidBeforeAnswer
    }

    /// What is left of a counted unlock: free uses and bought ones together.
    ///
    /// The balance is unknown as long as the state is. A name that nothing defines has nothing left.
    public func balance(of unlock: UnlockID) -> UnlockBalance {
        let now = now
        if isOpenWithoutCounting(unlock, at: now) { return .unlimited }
        let count = book.isOpen ? book.ledger.balance(of: unlock, at: now) : 0
        return count == 0 && unknown(unlock, at: now) != nil ? .unknown : .left(count)
    }

    /// Whether so little of an unlock is left that the app should say so: at most the `warnAt` of its allowance in the
    /// catalog.
    public func isRunningOut(_ unlock: UnlockID) -> Bool {
        guard let warnAt = assortment.allowances[unlock]?.warnAt else { return false }
        return balance(of: unlock).count.map { $0 <= warnAt } ?? false
    }

    /// Spends an amount of a counted unlock: free uses first, then bought ones. Using an unlock that is open without counting
    /// spends nothing. While the folder is being opened, this waits.
    ///
    /// - Returns: True if the unlock is open without counting, or if the balance was sufficient. The spending is then on the
    ///   disk.
    /// - Throws: ``UnlocksError``, such as ``UnlocksError/storage(_:)``. Nothing was spent then.
    public func spend(_ count: Int = 1, of unlock: UnlockID) async throws(UnlocksError) -> Bool {
        try await book.change { ledger throws(UnlocksError) in
            let now = now
            if count > 0, isOpenWithoutCounting(unlock, at: now) { return ([], true) }
            let entry = ledger.spending(count, of: unlock, at: now)
            return (entry.map { [$0] } ?? [], entry != nil)
        }
    }

    /// The state of every unlock that the catalog contains or the user has.
    public var allStates: [UnlockID: UnlockState] {
        Dictionary(uniqueKeysWithValues: definedUnlocks.map { ($0, state(of: $0)) })
    }

    /// The current states, followed by one value per change.
    public var states: AsyncStream<UnlockChange> { observers.changes { definedUnlocks.map { change(of: $0) } } }

    /// The states and balances of the unlocks that are defined, or were published by an earlier catalog.
    var changes: [UnlockChange] { definedUnlocks.union(observers.published.keys).map { change(of: $0) } }

    private func change(of unlock: UnlockID) -> UnlockChange {
        UnlockChange(unlock: unlock, state: state(of: unlock), balance: balance(of: unlock))
    }
}

/// A new state or balance of an unlock.
public struct UnlockChange: Sendable, Hashable {
    /// The name of the unlock.
    public let unlock: UnlockID
    /// Its state.
    public let state: UnlockState
    /// The balance: see ``UnlockCenter/balance(of:)``.
    public let balance: UnlockBalance
}
