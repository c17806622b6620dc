/// The removal of folders: of refunded purchases, and of content that is delivered again.
extension DeliveryState {
    /// Removes the folder of a grant. Nothing is loaded into it or delivered from then on.
    mutating func remove(_ source: Grant.Source) {
        if entries[source] == nil { entries[source] = Entry() }
        entries[source]?.loaded = nil
        move(source, to: .removing(nil))
        if step?.grant.source == source { step?.isStale = true }
        cancelLoads { $0.source == source }
        beginRemoval(of: source)
    }

    /// Begins a removal that is due, unless something else still writes into the folder.
    mutating func beginRemoval(of source: Grant.Source) {
        guard entries[source]?.phase == .removing(nil), !loads.values.contains(where: { $0.source == source }),
            !(step.map { $0.grant.source == source && $0.usesFolder } ?? false)
        else { return }
        move(source, to: .removing(ask { .remove($0, source) }))
    }

    mutating func endRemoval(_ number: Int, of source: Grant.Source, _ failure: UnlocksError?, _ facts: Facts) {
        guard entries[source]?.phase == .removing(number) else { return }
        if let failure { perform(.report(.notSaved(failure))) }
        let ledger = facts.ledger
        // It may have been refunded or delivered meanwhile.
        guard let grant = ledger[source], ledger.isPresent(grant),
            grant.isDue || failure == nil && ledger.needsContent(grant, at: facts.now)
        else { return drop(source) }
        line(source)
    }
}
