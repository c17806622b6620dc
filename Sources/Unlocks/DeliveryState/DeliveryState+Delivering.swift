import ReferralFoundation

/// One grant after the other: its folder and files, the app, and the record.
extension DeliveryState {
    /// What is being done for one grant.
    struct Step: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            case makingFolder
            /// The app delivers. Its folder can be removed meanwhile. What the app writes into it is removed again.
            case delivering(Delivery)
            case completing
        }

        /// The grant, as it was when its delivery began.
        let grant: Grant
        let item: CatalogItem?
        let kind: Kind
        let number: Int
        /// Whether its folder is removed meanwhile, so that the result doesn't count.
        var isStale = false

        /// Whether the folder can't be removed meanwhile.
        var usesFolder: Bool { kind == .makingFolder || kind == .completing }
    }

    /// What is being delivered by the app.
    var current: Delivery? { if case .delivering(let delivery)? = step?.kind { delivery } else { nil } }

    /// Begins with the files and the folder.
    mutating func begin(_ source: Grant.Source, _ facts: Facts) {
        guard let grant = facts.ledger[source], facts.ledger.isPresent(grant), !grant.isRevoked else {
            return drop(source)
        }
        let item = facts.catalog.item(of: grant)
        if entries[source]?.mayBeThere == true, !grant.isDue {
            entries[source]?.mayBeThere = false
            lookedAt = source
            return look = ask { .look($0, [Content(source: source, files: item?.files)]) }
        }
        if let item, !item.files.isEmpty, entries[source]?.loaded != item.files { return load(item, for: grant, facts) }
        if item == nil, grant.hasFiles, let id = grant.item {
            move(source, to: .waitingForCatalog)
            return perform(.report(.unknownFiles(item: id)))
        }
        move(source, to: .underway)
        let number = ask { .makeFolder($0, source, item?.files) }
        step = Step(grant: grant, item: item, kind: .makingFolder, number: number)
    }

    /// Ends the step that an answer is about.
    ///
    /// - Returns: The step; `nil` if the answer is to another question.
    private mutating func end(_ number: Int) -> Step? {
        guard let step, step.number == number else { return nil }
        self.step = nil
        if step.isStale { beginRemoval(of: step.grant.source) }
        return step
    }

    private mutating func fail(_ step: Step, _ problem: (_ pause: Double) -> UnlocksProblem) {
        perform(.report(problem(backOff(step.grant.source))))
    }
}

// MARK: - Answers

extension DeliveryState {
    mutating func deliver(_ number: Int, _ result: Result<URL, any Error>) {
        guard let step = end(number), !step.isStale else { return }
        let (grant, source) = (step.grant, step.grant.source)
        switch result {
        case .failure(let error as UnlocksError): fail(step) { _ in .notSaved(error) }
        case .failure(let error):
            entries[source]?.loaded = nil
            let failure = error as? DownloadError ?? .unusable(reason: "\(error)")
            let item = step.item?.id ?? ""
            fail(step) { .notDownloaded(item: item, path: nil, failure, retryAfter: $0) }
        case .success(let folder):
            var transaction = grant.transaction
            if let id = transaction?.id { transaction?.signedText = signedTexts[Name(id)] }
            let delivery = Delivery(
                evidence: source.evidence,
                unlocks: grant.amounts.keys.sorted(),
                reward: source.reward,
                item: step.item,
                transaction: transaction,
                folder: folder
            )
            let number = ask { .deliver($0, delivery) }
            self.step = Step(grant: grant, item: step.item, kind: .delivering(delivery), number: number)
        }
    }

    mutating func complete(_ number: Int, _ error: (any Error)?, _ ledger: Ledger) {
        guard let step = end(number), case .delivering(let delivery) = step.kind else { return }
        if step.isStale {
            // What the app has written since it was refunded is removed too.
            let isRevoked = ledger[step.grant.source]?.isRevoked ?? true
            return isRevoked ? remove(step.grant.source) : ()
        }
        if let error { return fail(step) { .notDelivered(delivery, error, retryAfter: $0) } }
        let number = ask { .complete($0, step.grant) }
        self.step = Step(grant: step.grant, item: step.item, kind: .completing, number: number)
    }

    /// The entry for a delivery, if it may be recorded, and whether one of its unlocks was used up.
    static func delivered(_ source: Grant.Source, in ledger: Ledger) -> (entries: [JournalEntry], value: Bool) {
        guard var grant = ledger[source], grant.isDue else { return ([], false) }
        grant.stage = .delivered
        return ([.grant(grant)], grant.amounts.contains { $1 > 0 && ledger.boughtUses(of: $0) == 0 })
    }

    mutating func finish(_ number: Int, _ result: Result<Bool?, UnlocksError>, _ ledger: Ledger) {
        guard let step = end(number) else { return }
        let source = step.grant.source
        switch result {
        case .failure(let error): if !step.isStale { fail(step) { _ in .notSaved(error) } }
        // Something else has removed the folder.
        case .success(nil): if !step.isStale { backOff(source) }
        case .success(let wasUsedUp?):
            guard ledger[source]?.isRevoked == false else { return step.isStale ? () : remove(source) }
            if !step.isStale { drop(source) }
            if wasUsedUp { lookAgainForLostContent() }
            perform(.tell(step.grant))
        }
    }
}

// MARK: - Lost content

extension DeliveryState {
    /// Looks for grants without their content, as after a restore from a backup. Their unlocks stay open meanwhile.
    mutating func lookForLostContent(_ facts: Facts) {
        let contents = facts.ledger.all
            .filter { entries[$0.source] == nil && facts.ledger.needsContent($0, at: facts.now) }
            .map { Content(source: $0.source, files: facts.catalog.item(of: $0)?.files) }
        if !contents.isEmpty { look = ask { .look($0, Array(contents)) } }
    }

    mutating func queue(_ lost: [Grant.Source], _ number: Int, _ facts: Facts) {
        guard look == number else { return }
        look = nil
        if let source = lookedAt, entries[source]?.phase == .due, !lost.contains(source) { drop(source) }
        lookedAt = nil
        for source in lost {
            // It may have been refunded or used up meanwhile.
            guard let grant = facts.ledger[source], facts.ledger.needsContent(grant, at: facts.now) else { continue }
            need(source)
        }
    }
}
