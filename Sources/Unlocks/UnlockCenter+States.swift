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
    public func state(of unlock: String) -> UnlockState {
        let name = Name(unlock)
        let state = state(of: name)
        if state.isLocked { reportIfUnknown(name) }
        return state
    }

    /// Reports a name that the catalog, the user's purchases and the paid app don't have, such as a misspelled one.
    private func reportIfUnknown(_ unlock: Name) {
        guard checkedUnlocks.insert(unlock).inserted, !definedUnlocks.contains(unlock) else { return }
        onProblem?(.unknownUnlock(unlock.text))
    }

    private var definedUnlocks: Set<Name> {
        let defined = catalog.items.map(\.grants) + catalog.rewards.map(\.grants) + [paidBefore?.grants ?? []]
        return defined.reduce(into: Set(book.ledger.unlocks)) { $0.formUnion($1.lazy.map { Name($0) }) }
    }

    private func state(of unlock: Name) -> UnlockState {
        let now = clock.now().date
        return observers.state(of: unlock, at: now) {
            (state(of: unlock, at: now), book.ledger.nextExpiration(of: unlock, after: now))
        }
    }

    private func state(of unlock: Name, at now: Date) -> UnlockState {
        guard isOpen(unlock, at: now) else { return unknown(unlock, at: now).map(UnlockState.unknown) ?? .locked }
        var evidence: [Evidence] = []
        if assortment.included.contains(unlock) { evidence.append(.included) }
        if answerBefore(for: unlock)?.isYes == true { evidence.append(.paidBefore) }
        return .unlocked(by: evidence + book.ledger.evidence(for: unlock, at: now))
    }

    /// Whether something is open at a moment.
    func isOpen(_ unlock: Name, at now: Date) -> Bool {
        assortment.included.contains(unlock) || answerBefore(for: unlock)?.isYes == true
            || book.ledger.isOpen(unlock, at: now)
    }

    /// Why it isn't known whether something that isn't open is locked; `nil` if it is.
    func unknown(_ unlock: Name, at now: Date) -> UnlockState.Unknown? {
        guard book.isOpen else { return book.closed == .deviceLocked ? .deviceLocked : .notOpened }
        if let before = answerBefore(for: unlock), before.isYes == nil { return .paidBefore(before.reason) }
        // If nothing is for sale, no answer of the store is needed.
        let isUnasked = !book.ledger.hasAnswer && !assortment.products.isEmpty
        return isUnasked || book.ledger.hasUnknownEnd(unlock, at: now) ? .storeNotAsked : nil
    }

    private func answerBefore(for unlock: Name) -> PaidBefore.Answer? {
        guard let paidBefore, paidBefore.grants.contains(where: { Name($0) == unlock }) else { return nil }
        return paidBeforeAnswer
    }

    /// The remaining amount of a counted unlock.
    ///
    /// A name that nothing defines has none, and is reported once as ``UnlocksProblem/unknownUnlock(_:)``.
    public func balance(of unlock: String) -> Int {
        let name = Name(unlock)
        let balance = book.ledger.balance(of: name)
        if balance == 0, book.isOpen { reportIfUnknown(name) }
        return balance
    }

    /// The state of every unlock that the catalog contains or the user has.
    public var allStates: [String: UnlockState] {
        // Names that Swift takes for the same are so in a dictionary.
        Dictionary(statesByName.map { ($0.text, $1) }, uniquingKeysWith: { first, _ in first })
    }

    private var statesByName: [Name: UnlockState] {
        Dictionary(uniqueKeysWithValues: definedUnlocks.map { ($0, state(of: $0)) })
    }

    /// The current states, followed by one value per change.
    public var states: AsyncStream<UnlockChange> { observers.changes { statesByName } }

    /// Tells the observers what has changed, of some unlocks or of all.
    func publish(_ unlocks: (some Sequence<Name>)? = [Name]?.none) {
        observers.publish {
            unlocks.map { Dictionary($0.map { ($0, state(of: $0)) }, uniquingKeysWith: { first, _ in first }) }
                ?? statesByName
        }
    }
}

/// A new state of an unlock.
public struct UnlockChange: Sendable, Hashable {
    /// The name of the unlock.
    public let unlock: String
    /// Its new state.
    public let state: UnlockState
}
