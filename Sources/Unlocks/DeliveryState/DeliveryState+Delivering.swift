import ReferralFoundation

/// One grant after the other: its signed text, its folder, its files, the app, and the record.
extension DeliveryState {
    /// What is being done for one grant.
    struct Step: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            /// Looking whether content that is delivered again is there after all.
            case checking
            case makingFolder
            case installing
            /// The app delivers.
            case delivering
            case completing
            case recording

            /// Whether the folder can't be removed meanwhile. What the app writes into it is removed again.
            var usesFolder: Bool {
                switch self {
                case .checking, .delivering: false
                case .makingFolder, .installing, .completing, .recording: true
                }
            }
        }

        /// The grant, as it was when its delivery began.
        let grant: Grant
        let item: CatalogItem?
        var number = 0
        var kind = Kind.checking
        /// Whether its folder is removed meanwhile, so that the result doesn't count.
        var isStale = false
        var folder: URL?
        var delivery: Delivery?
    }

    /// What is being delivered by the app.
    var current: Delivery? { step?.kind == .delivering ? step?.delivery : nil }

    mutating func begin(_ source: Grant.Source, _ facts: Facts) {
        guard let grant = facts.ledger[source], isDeliverable(grant, in: facts.ledger) else { return drop(source) }
        let item = facts.catalog.item(of: grant)
        let loaded = entries[source]?.loaded
        if let item, !item.files.isEmpty, loaded?.files != item.files { return load(item, for: grant, facts) }
        move(source, to: .underway)
        let step = Step(grant: grant, item: item)
        // The next catalog may lack unlocks that this one has added.
        if grant.isDue || loaded?.isNew == true { return prepare(step) }
        go(on: step, .checking) { .check($0, source) }
    }

    /// Begins with the folder. Until the store was asked, a purchase waits for its signed text.
    private mutating func prepare(_ step: Step) {
        let (grant, source) = (step.grant, step.grant.source)
        if step.item == nil, grant.hasFiles, let id = grant.item {
            move(source, to: .waitingForCatalog)
            return perform(.report(.unknownFiles(item: id)))
        }
        if case .purchase(let name) = source, signedTexts[name] == nil, mayLackContent == nil {
            return move(source, to: .waitingForStore)
        }
        go(on: step, .makingFolder) { .makeFolder($0, source) }
    }

    private mutating func go(on step: Step, _ kind: Step.Kind, _ question: (Int) -> Effect) {
        var step = step
        (step.kind, step.number) = (kind, ask(question))
        self.step = step
    }

    /// Ends the step that an answer is about.
    ///
    /// - Returns: The step; `nil` if the answer is to another question, or if its result doesn't count.
    private mutating func end(_ kind: Step.Kind, _ number: Int) -> Step? {
        guard let step, step.kind == kind, step.number == number else { return nil }
        self.step = nil
        guard step.isStale else { return step }
        beginRemoval(of: step.grant.source)
        return nil
    }
}

// MARK: - Answers

extension DeliveryState {
    mutating func checked(_ number: Int, _ isComplete: Bool, _ facts: Facts) {
        guard let step = end(.checking, number) else { return }
        if isComplete { drop(step.grant.source) } else { prepare(step) }
    }

    mutating func install(_ number: Int, _ result: Result<URL, UnlocksError>) {
        guard var step = end(.makingFolder, number) else { return }
        switch result {
        case .failure(let error): fail(step, .notSaved(error))
        case .success(let folder):
            guard let item = step.item else { return deliver(step, into: folder) }
            step.folder = folder
            go(on: step, .installing) { .install($0, item.files, folder) }
        }
    }

    mutating func deliver(_ number: Int, _ failure: DownloadError?) {
        guard let step = end(.installing, number), let folder = step.folder else { return }
        guard let failure, let item = step.item else { return deliver(step, into: folder) }
        entries[step.grant.source]?.loaded = nil
        let pause = backOff(step.grant.source)
        perform(.report(.notDownloaded(item: item.id, path: nil, failure, retryAfter: pause)))
    }

    private mutating func deliver(_ step: Step, into folder: URL) {
        var step = step
        let (grant, source) = (step.grant, step.grant.source)
        var transaction = grant.transaction
        if let id = transaction?.id { transaction?.signedText = signedTexts[Name(id)] ?? nil }
        let delivery = Delivery(
            evidence: source.evidence,
            unlocks: grant.amounts.keys.sorted(),
            reward: source.reward,
            item: step.item,
            transaction: transaction,
            folder: folder
        )
        step.delivery = delivery
        go(on: step, .delivering) { .deliver($0, delivery) }
    }

    mutating func complete(_ number: Int, _ error: (any Error)?, _ ledger: Ledger) {
        guard let delivering = step, delivering.kind == .delivering, delivering.number == number else { return }
        guard let step = end(.delivering, number), let delivery = step.delivery else {
            // What the app has written since it was refunded is removed too.
            let isRevoked = ledger[delivering.grant.source]?.isRevoked ?? true
            return isRevoked ? remove(delivering.grant.source, call: nil) : ()
        }
        guard let error else { return go(on: step, .completing) { .complete($0, step.grant) } }
        let pause = backOff(step.grant.source)
        perform(.report(.notDelivered(delivery, error, retryAfter: pause)))
    }

    mutating func record(_ number: Int, _ result: Result<Bool, UnlocksError>) {
        guard let step = end(.completing, number) else { return }
        switch result {
        case .failure(let error): fail(step, .notSaved(error))
        // Something else has removed the folder.
        case .success(false): backOff(step.grant.source)
        case .success(true): go(on: step, .recording) { .record($0, step.grant.source) }
        }
    }

    private mutating func fail(_ step: Step, _ problem: UnlocksProblem) {
        backOff(step.grant.source)
        perform(.report(problem))
    }

    /// The entry for a delivery, if it may be recorded, and whether one of its unlocks was used up.
    static func delivered(_ source: Grant.Source, in ledger: Ledger) -> (entries: [JournalEntry], value: Bool) {
        guard var grant = ledger[source], grant.isDue else { return ([], false) }
        grant.stage = .delivered
        return ([.grant(grant)], grant.amounts.contains { $1 > 0 && ledger.boughtUses(of: $0) == 0 })
    }

    mutating func finish(_ number: Int, _ result: Result<Bool, UnlocksError>, _ ledger: Ledger) {
        guard let recording = step, recording.kind == .recording, recording.number == number else { return }
        let source = recording.grant.source
        let step = end(.recording, number)
        switch result {
        case .failure(let error):
            if let step { fail(step, .notSaved(error)) }
        case .success(let wasUsedUp):
            guard ledger[source]?.isRevoked == false else { return step == nil ? () : remove(source, call: nil) }
            if step != nil { drop(source) }
            if wasUsedUp { lookAgainForLostContent() }
            perform(.tell(recording.grant))
        }
    }

    /// Keeps the signed texts of transactions, which aren't in the journal.
    mutating func keepSignedTexts(of transactions: [StoreTransaction]) {
        for transaction in transactions {
            let name = Name(transaction.id)
            signedTexts[name] = .some(transaction.signedText ?? signedTexts[name] ?? nil)
            if entries[.purchase(name)]?.phase == .waitingForStore { line(.purchase(name)) }
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
        for source in lost where entries[source] == nil {
            // It may have been refunded or used up meanwhile.
            guard let grant = facts.ledger[source], facts.ledger.needsContent(grant, at: facts.now) else { continue }
            need(.deliveryAgain, source)
        }
    }
}
