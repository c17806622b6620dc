import ReferralFoundation

/// One grant after the other: its folder and files, the app, and the record.
extension ShopState {
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
    }

    /// What is being delivered by the app.
    var delivery: Delivery? { if case .delivering(let delivery)? = step?.kind { delivery } else { nil } }

    /// Begins with the files and the folder.
    mutating func beginDelivery(_ source: Grant.Source, _ facts: Facts) {
        guard let grant = facts.ledger[source], facts.ledger.isPresent(grant), !grant.isRevoked else {
            return drop(source)
        }
        let isOver = entries[source]?.isOver == true
        let item = isOver ? nil : facts.catalog.item(of: grant)
        if let item, !item.files.isEmpty, entries[source]?.loaded != item.files { return load(item, for: grant, facts) }
        move(source, to: .underway)
        begin(.makingFolder, grant, item) { .makeFolder($0, source, isOver ? [] : item?.files) }
    }

    private mutating func begin(_ kind: Step.Kind, _ grant: Grant, _ item: CatalogItem?, _ effect: (Int) -> Effect) {
        step = Step(grant: grant, item: item, kind: kind, number: ask(effect))
    }

    /// Ends the step that an answer is about.
    ///
    /// - Returns: The step; `nil` if the answer is to another question.
    private mutating func endStep(_ number: Int) -> Step? {
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

extension ShopState {
    mutating func deliver(_ number: Int, _ result: Result<URL, any Error>) {
        guard let step = endStep(number), !step.isStale else { return }
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
            begin(.delivering(delivery), grant, step.item) { .deliver($0, delivery) }
        }
    }

    mutating func complete(_ number: Int, _ error: (any Error)?, _ facts: Facts) {
        guard let step = endStep(number), case .delivering(let delivery) = step.kind else { return }
        if step.isStale {
            // What the app has written since it was refunded is removed too.
            let isRevoked = facts.ledger[step.grant.source]?.isRevoked ?? true
            return isRevoked ? remove(step.grant.source) : ()
        }
        if let error { return fail(step) { .notDelivered(delivery, error, retryAfter: $0) } }
        begin(.completing, step.grant, step.item) { .complete($0, step.grant) }
    }

    mutating func endDelivery(_ number: Int, _ result: Result<Bool, UnlocksError>, _ facts: Facts) {
        guard let step = endStep(number) else { return }
        let source = step.grant.source
        switch result {
        case .failure(let error): if !step.isStale { fail(step) { _ in .notSaved(error) } }
        // Something else has removed the folder.
        case .success(false): if !step.isStale { backOff(source) }
        case .success(true):
            guard facts.ledger[source]?.isRevoked == false else { return step.isStale ? () : remove(source) }
            if !step.isStale { drop(source) }
            // Uses of an unlock that was used up need the content of its earlier packs.
            if step.grant.isDue, step.grant.amounts.values.contains(where: { $0 > 0 }) { lookAgainForLostContent() }
            noteAdditions(facts)
            finishDelivered(facts)
        }
    }
}
