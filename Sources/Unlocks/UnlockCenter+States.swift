import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension UnlockCenter {
    /// A state that was worked out, and how long it holds unless something changes.
    struct KnownState {
        let state: UnlockState
        let start: Date
        let end: Date?

        func holds(at now: Date) -> Bool { start <= now && end.map { now < $0 } ?? true }
    }

    /// Whether something is open, and why.
    public func state(of unlock: String) -> UnlockState { state(of: Name(unlock)) }

    private func state(of unlock: Name) -> UnlockState {
        let now = clock.now().date
        if let known = knownStates[unlock], known.holds(at: now) { return known.state }
        let state = state(of: unlock, at: now)
        let end = book.ledger.nextExpiration(of: unlock, after: now)
        knownStates[unlock] = KnownState(state: state, start: now, end: end)
        return state
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

    /// Forgets the states that were worked out, of some unlocks or of all.
    func forgetStates(_ unlocks: Set<Name>? = nil) {
        guard let unlocks else { return knownStates.removeAll() }
        for unlock in unlocks { knownStates[unlock] = nil }
    }

    /// What is left of something that is counted.
    public func balance(of unlock: String) -> Int { book.ledger.balance(of: Name(unlock)) }

    /// The state of everything that the catalog knows or the person has.
    public var allStates: [String: UnlockState] {
        // Names that Swift takes for the same are so in a dictionary.
        Dictionary(statesByName.map { ($0.text, $1) }, uniquingKeysWith: { first, _ in first })
    }

    private var statesByName: [Name: UnlockState] {
        var names = Set(book.ledger.unlocks)
        for unlocks in catalog.items.map(\.grants) + catalog.rewards.map(\.grants) + [paidBefore?.grants ?? []] {
            names.formUnion(unlocks.lazy.map { Name($0) })
        }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, state(of: $0)) })
    }

    /// The current states, followed by one value per change.
    public var states: AsyncStream<UnlockChange> {
        if observers.isEmpty { published = statesByName }
        let (stream, continuation) = AsyncStream.makeStream(of: UnlockChange.self)
        for (unlock, state) in published.sorted(by: { $0.key < $1.key }) {
            continuation.yield(UnlockChange(unlock: unlock.text, state: state))
        }
        observerCount += 1
        let number = observerCount
        observers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.observers[number] = nil }
        }
        return stream
    }

    /// Tells the observers what has changed, of some unlocks or of all.
    func publish(_ unlocks: (some Sequence<Name>)? = [Name]?.none) {
        willChange.send()
        guard !observers.isEmpty else { return }
        let new = unlocks.map { Dictionary($0.map { ($0, state(of: $0)) }, uniquingKeysWith: { first, _ in first }) }
        for (unlock, state) in (new ?? statesByName).sorted(by: { $0.key < $1.key }) where published[unlock] != state {
            published[unlock] = state
            for observer in observers.values { observer.yield(UnlockChange(unlock: unlock.text, state: state)) }
        }
    }
}

/// A new state of something.
public struct UnlockChange: Sendable, Hashable {
    /// The name of the unlock.
    public let unlock: String
    /// Its state from now on.
    public let state: UnlockState
}
