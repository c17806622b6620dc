import ReferralFoundation

/// The grants that aren't delivered, and the order in which they are.
///
/// Files are loaded beside the deliveries. Everything else is done for one grant at a time: first for those that haven't opened
/// anything yet, then for content that is delivered again. One that failed goes to the back, and waits longer each time.
extension ShopState {
    /// A grant that isn't delivered, whose content was lost or has changed, or whose folder is being removed.
    struct Entry: Sendable, Equatable {
        var phase = Phase.due
        /// Its place in line; the first is the lowest.
        var place = 0
        var failures = 0
        /// The files that were loaded and aren't delivered yet.
        var loaded: [CatalogItem.File]?
        /// Whether it has ended, and is delivered without the files that nobody gives out any more, as if it had no item.
        var isOver = false
    }

    enum Phase: Sendable, Equatable {
        /// In line.
        case due
        /// Until a deadline, since it failed.
        case backingOff
        case loading
        /// In ``ShopState/step``.
        case underway
        /// With the question; `nil` while something else writes into the folder.
        case removing(Int?)
    }

    /// The content of a grant.
    struct Content: Sendable, Equatable {
        let source: Grant.Source
        /// The files that the catalog names for it; `nil` if it has no item.
        let files: [CatalogItem.File]?
    }

    /// Begins what may begin.
    mutating func beginDeliveries(_ facts: Facts) {
        while step == nil, look == nil {
            if let source = nextInLine(facts) {
                beginDelivery(source, facts)
            } else if mayLackContent == true {
                mayLackContent = false
                lookForLostContent(facts)
            } else {
                return
            }
        }
    }

    private func nextInLine(_ facts: Facts) -> Grant.Source? {
        let due = entries.lazy.filter { $0.value.phase == .due && !waitsForFiles($0.key, facts) }
        return due.min { left, right in
            let (isDue, isOtherDue) = (facts.ledger[left.key]?.isDue ?? false, facts.ledger[right.key]?.isDue ?? false)
            return isDue == isOtherDue ? left.value.place < right.value.place : isDue
        }?.key
    }

    /// Delivers the grants that aren't delivered, and removes the folders of those that were refunded or are withheld.
    mutating func deliverAll(_ facts: Facts) {
        deliver(facts.ledger.all.filter { $0.isRevoked || $0.isWithheld == true || $0.isDue }.map(\.source), facts)
    }

    /// Delivers grants that were recorded, or whose records have changed.
    mutating func deliver(_ sources: [Grant.Source], _ facts: Facts) {
        for grant in sources.compactMap({ facts.ledger[$0] }) {
            if grant.isRevoked || grant.isWithheld == true {
                remove(grant.source)
            } else if !grant.isDue {
                lookAgainForLostContent()
            } else if facts.ledger.isPresent(grant) {
                need(grant.source)
            }
        }
    }
}

// MARK: - The line

extension ShopState {
    /// Adds a grant to the line, unless it is there or something is being done for it.
    private mutating func need(_ source: Grant.Source) {
        guard entries[source] == nil else { return }
        entries[source] = Entry()
        putInLine(source)
    }

    /// Puts a grant to the back of the line.
    mutating func putInLine(_ source: Grant.Source) {
        lastPlace += 1
        entries[source]?.place = lastPlace
        move(source, to: .due)
    }

    mutating func move(_ source: Grant.Source, to phase: Phase) {
        cancel(.delivery(source))
        entries[source]?.phase = phase
    }

    mutating func drop(_ source: Grant.Source) {
        cancel(.delivery(source))
        entries[source] = nil
    }

    /// Lets a grant that failed wait: 1, 2, 4 seconds and so on, up to an hour.
    ///
    /// - Parameters:
    ///   - source: The grant.
    ///   - hasProgressed: Whether the attempt got further, so that the next pause needn't be longer.
    /// - Returns: How long it waits, in seconds.
    @discardableResult
    mutating func backOff(_ source: Grant.Source, hasProgressed: Bool = false) -> Double {
        guard let failures = entries[source]?.failures else { return 0 }
        let pause = Backoff.seconds(after: failures)
        if !hasProgressed { entries[source]?.failures += 1 }
        move(source, to: .backingOff)
        wait(.delivery(source), pause)
        return pause
    }
}

// MARK: - Lost content

extension ShopState {
    /// Looks for lost content again, since some of it may be needed again.
    mutating func lookAgainForLostContent() { if mayLackContent != nil { mayLackContent = true } }

    /// Looks for grants without their content, as after a restore from a backup. Their unlocks stay open meanwhile.
    private mutating func lookForLostContent(_ facts: Facts) {
        let contents = facts.ledger.all
            .filter { entries[$0.source] == nil && facts.ledger.needsContent($0, at: facts.now) }
            .map { Content(source: $0.source, files: facts.catalog.item(of: $0)?.files) }
        if !contents.isEmpty { look = ask { .look($0, contents) } }
    }

    mutating func queue(_ lost: [Grant.Source], _ number: Int, _ facts: Facts) {
        guard look == number else { return }
        look = nil
        for source in lost {
            // It may have been refunded or used up meanwhile.
            guard let grant = facts.ledger[source], facts.ledger.needsContent(grant, at: facts.now) else { continue }
            need(source)
        }
        prove(facts)
    }
}

// MARK: - Removing folders

extension ShopState {
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
            step?.grant.source != source || delivery != nil
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
        putInLine(source)
    }
}

extension ShopCatalog {
    /// The item of a grant: the one that sells its product, whatever its name, or that has its name. An item that the user got for
    /// free and that is sold now counts as another item.
    func item(of grant: Grant) -> CatalogItem? {
        if case .free(let id) = grant.source { return item(named: id).flatMap { $0.isFree ? $0 : nil } }
        return grant.transaction.flatMap { item(selling: $0.productID) } ?? grant.item.flatMap(item(named:))
    }
}
