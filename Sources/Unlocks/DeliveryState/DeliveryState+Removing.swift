/// The removal of folders: of refunded purchases, and of content that is delivered again.
extension DeliveryState {
    struct Removal: Sendable, Equatable {
        /// The question; `nil` while its files are still being loaded or written.
        var number: Int?
        /// Whether it is removed once more, since that was requested meanwhile.
        var isRepeated = false
        /// Whether a failure is reported.
        var isForRefund = false
        /// The resets that wait for it.
        var calls: [Int] = []
    }

    /// A call that waits until some folders are removed.
    struct Reset: Sendable, Equatable {
        var remaining: Int
        var failure: UnlocksError?
    }

    mutating func reset(_ sources: [Grant.Source], _ call: Int, in ledger: Ledger) {
        guard isNew(call) else { return }
        let meant = sources.filter { ledger[$0].map { ledger.isPresent($0) && !$0.isRevoked } ?? false }
        guard !meant.isEmpty else { return perform(.resume(call: call, nil)) }
        resets[call] = Reset(remaining: meant.count)
        for source in meant { remove(source, call: call) }
    }

    /// Removes the folder of a grant. Nothing is loaded into it or delivered from then on.
    ///
    /// - Parameters:
    ///   - source: The grant.
    ///   - call: The call that waits for it; `nil` after a refund.
    mutating func remove(_ source: Grant.Source, call: Int?) {
        var entry = entries[source] ?? Entry(need: .nothing, phase: .due)
        var removal = Removal()
        if case .removing(let old) = entry.phase {
            removal = old
            removal.isRepeated = old.number != nil
        }
        if let call { removal.calls.append(call) } else { (entry.need, removal.isForRefund) = (.nothing, true) }
        entry.loaded = nil
        move(source, to: .removing(removal))
        entry.phase = .removing(removal)
        entries[source] = entry
        if step?.grant.source == source { step?.isStale = true }
        cancelLoads { $0.source == source }
        beginRemoval(of: source)
    }

    /// Begins a removal that is due, unless something else still writes into the folder.
    mutating func beginRemoval(of source: Grant.Source) {
        guard case .removing(var removal) = entries[source]?.phase, removal.number == nil,
            !loads.values.contains(where: { $0.source == source }),
            !(step.map { $0.grant.source == source && $0.kind.usesFolder } ?? false)
        else { return }
        removal.number = ask { .remove($0, source) }
        move(source, to: .removing(removal))
    }

    mutating func endRemoval(_ number: Int, of source: Grant.Source, _ failure: UnlocksError?, _ facts: Facts) {
        guard case .removing(var removal) = entries[source]?.phase, removal.number == number else { return }
        if removal.isRepeated {
            (removal.number, removal.isRepeated) = (nil, false)
            move(source, to: .removing(removal))
            return beginRemoval(of: source)
        }
        if let failure, removal.isForRefund { perform(.report(.notSaved(failure))) }
        let ledger = facts.ledger
        if let grant = ledger[source], ledger.isPresent(grant) {
            // It may have been refunded or delivered meanwhile.
            if grant.isDue {
                entries[source]?.need = .delivery
            } else if failure == nil, !removal.calls.isEmpty, ledger.needsContent(grant, at: facts.now) {
                entries[source]?.need = .deliveryAgain
            }
        }
        if entries[source]?.need == .nothing { drop(source) } else { line(source) }
        for call in removal.calls { end(call, failure) }
    }

    private mutating func end(_ call: Int, _ failure: UnlocksError?) {
        guard var reset = resets[call] else { return }
        reset.remaining -= 1
        reset.failure = reset.failure ?? failure
        resets[call] = reset.remaining > 0 ? reset : nil
        if reset.remaining == 0 { perform(.resume(call: call, reset.failure)) }
    }
}
