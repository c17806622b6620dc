import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension UnlockCenter {
    /// Whether an unlock is open, and why.
    ///
    /// A name that nothing defines is locked, and reported once as ``UnlocksProblem/unknownUnlock(_:)``.
    public func state(of unlock: UnlockID) -> UnlockState {
        let state = knownState(of: unlock)
        if state.isLocked { reportIfUnknown(unlock) }
        return state
    }

    /// Reports a name that the catalog, the user's purchases and the paid app don't have, such as a misspelled one.
    private func reportIfUnknown(_ unlock: UnlockID) {
        guard checkedUnlocks.insert(unlock).inserted, !definedUnlocks.contains(unlock) else { return }
        onProblem?(.unknownUnlock(unlock))
    }

    private var definedUnlocks: Set<UnlockID> {
        let defined = catalog.items.map(\.grants) + catalog.rewards.map(\.grants) + [paidBefore?.grants ?? []]
        return defined.reduce(into: Set(book.ledger.unlocks)) { $0.formUnion($1) }
    }

    /// The moment at which purchases are judged.
    var now: Date { clock.now().date }

    private func knownState(of unlock: UnlockID) -> UnlockState {
        let now = now
        return observers.state(of: unlock, at: now) {
            (state(of: unlock, at: now), book.ledger.nextExpiration(of: unlock, after: now))
        }
    }

    private func state(of unlock: UnlockID, at now: Date) -> UnlockState {
        guard isOpen(unlock, at: now) else { return unknown(unlock, at: now).map(UnlockState.unknown) ?? .locked }
        var evidence: [Evidence] = []
        if assortment.included.contains(unlock) { evidence.append(.included) }
        if answerBefore(for: unlock)?.isYes == true { evidence.append(.paidBefore) }
        return .unlocked(by: evidence + book.ledger.evidence(for: unlock, at: now))
    }

    /// Whether something is open at a moment.
    func isOpen(_ unlock: UnlockID, at now: Date) -> Bool {
        assortment.included.contains(unlock) || answerBefore(for: unlock)?.isYes == true
            || book.ledger.isOpen(unlock, at: now)
    }

    /// Whether something is open permanently, so that there is nothing more to buy.
    func isOwned(_ unlock: UnlockID) -> Bool {
        assortment.included.contains(unlock) || answerBefore(for: unlock)?.isYes == true || book.ledger.isOwned(unlock)
    }

    /// Why it isn't known whether something that isn't open is locked; `nil` if it is.
    func unknown(_ unlock: UnlockID, at now: Date) -> UnlockState.Unknown? {
        guard book.isOpen else { return book.closed == .deviceLocked ? .deviceLocked : .notOpened }
        if let before = answerBefore(for: unlock), before.isYes == nil { return .paidBefore(before.reason) }
        // If nothing is for sale, no answer of the store is needed.
        let isUnasked = !book.ledger.hasAnswer && !assortment.products.isEmpty
        return isUnasked || book.ledger.hasUnknownEnd(unlock, at: now) ? .storeNotAsked : nil
    }

    private func answerBefore(for unlock: UnlockID) -> PaidBefore.Answer? {
        guard let paidBefore, paidBefore.grants.contains(unlock) else { return nil }
        return paidBeforeAnswer
    }

    /// The remaining amount of a counted unlock.
    ///
    /// A name that nothing defines has none, and is reported once as ``UnlocksProblem/unknownUnlock(_:)``.
    public func balance(of unlock: UnlockID) -> Int {
        let balance = book.ledger.balance(of: unlock)
        if balance == 0, book.isOpen { reportIfUnknown(unlock) }
        return balance
    }

    /// The state of every unlock that the catalog contains or the user has.
    public var allStates: [UnlockID: UnlockState] {
        Dictionary(uniqueKeysWithValues: definedUnlocks.map { ($0, knownState(of: $0)) })
    }

    /// The current states, followed by one value per change.
    public var states: AsyncStream<UnlockChange> { observers.changes { allStates } }

    /// Tells the observers what has changed, of some unlocks or of all.
    func publish(_ unlocks: (some Sequence<UnlockID>)? = [UnlockID]?.none) {
        observers.publish {
            unlocks.map { Dictionary($0.map { ($0, knownState(of: $0)) }, uniquingKeysWith: { first, _ in first }) }
                ?? allStates
        }
    }
}

/// A new state of an unlock.
public struct UnlockChange: Sendable, Hashable {
    /// The name of the unlock.
    public let unlock: UnlockID
    /// Its new state.
    public let state: UnlockState
}
