/// Finishing delivered and refunded transactions, once the store's latest statement about them is recorded.
///
/// The store may have revoked a purchase meanwhile without reporting it, and finishing it would hide that. So a pass over what the
/// store has unfinished finishes only what was recorded before it, as the store has it then.
extension StoreState {
    /// Who waits for a pass.
    enum PassWaiter: Sendable, Equatable {
        case refresh(Int)
        case buy(call: Int)
        /// The next pass, if one is needed.
        case nextPass
    }

    /// The time between the beginnings of two passes, in seconds.
    private static let pauseBetweenPasses = 1.0

    /// Begins a pass if any of the transactions can be finished.
    mutating func finishSoon(_ transactions: Set<Name>, _ facts: Facts) {
        if transactions.contains(where: facts.isFinishable) { finishSoon() }
    }

    /// Begins a pass soon; if one is underway, after that.
    mutating func finishSoon() {
        isPassNeeded = true
        beginNextPass()
    }

    mutating func beginNextPass() {
        guard isPassNeeded, !passes.values.contains(.nextPass) else { return }
        let rest = (nextPass.milliseconds - now.milliseconds) / 1_000
        guard rest <= 0 else { return wait(.nextPass, rest) }
        isPassNeeded = false
        nextPass = now.advanced(by: Self.pauseBetweenPasses)
        beginPass(for: .nextPass)
    }

    mutating func beginPass(for waiter: PassWaiter) {
        let number = outbox.nextNumber()
        passes[number] = waiter
        wait(.pass(number), Self.answerLimit)
        ask(.unfinished(pass: number)) { .listUnfinished($0) }
    }

    /// Nobody waits any longer for a pass. It goes on nevertheless.
    mutating func end(pass number: Int, _ facts: Facts) {
        cancel(.pass(number))
        switch passes.removeValue(forKey: number) {
        case .refresh(let refresh): end(.finishing, of: refresh, facts)
        case .buy(let call): purchase(call, facts)
        case .nextPass: beginNextPass()
        case nil: break
        }
    }

    /// Finishes transactions, one after the other.
    mutating func finish(_ transactions: [StoreTransaction], _ pass: Int, _ facts: Facts) {
        // The one before may have taken long.
        guard let index = transactions.firstIndex(where: { facts.isFinishable(Name($0.id)) }) else {
            return end(pass: pass, facts)
        }
        let rest = Array(transactions[(index + 1)...])
        let number = ask(.finish(pass: pass, rest: rest)) { .finish($0, transactions[index]) }
        // One that the store never finishes must not hold up the others.
        wait(.answer(number), Self.answerLimit)
    }

    mutating func finishNext(after number: Int, _ facts: Facts) {
        if case .finish(let pass, let rest)? = take(number) { finish(rest, pass, facts) }
    }
}
