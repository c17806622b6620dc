import Foundation
import ReferralBridge

@testable import ReferralBasics
@testable import Unlocks

/// What the state asks of the outside.
extension DirectShop {
    mutating func send(_ event: ShopState.Event) {
        guard let facts, let new = process?.state.handle(event, facts, at: moment) else { return }
        process?.effects += new
        while let effect = process?.effects.first {
            process?.effects.removeFirst()
            perform(effect)
        }
    }

    private var facts: ShopState.Facts? {
        guard let process else { return nil }
        return ShopState.Facts(
            ledger: process.ledger,
            catalog: catalog,
            assortment: assortment,
            paidBefore: paidBefore,
            platform: .iOS,
            closed: process.closed,
            now: moment.date,
            clock: moment.date
        )
    }

    private mutating func perform(_ effect: ShopState.Effect) {
        switch effect {
        case .record, .grantRewards: write(.effect(effect))
        case .open: ask(.effect(effect), .disk)
        case .listEntitlements: ask(.effect(effect), .lists, early: isStale ? entitlements : nil)
        case .listHistory: ask(.effect(effect), .lists, early: isStale ? transactions : nil)
        case .listUnfinished: ask(.effect(effect), .lists, early: isStale ? unfinished : nil)
        case .loadProducts: ask(.effect(effect), .products)
        case .loadApp: ask(.effect(effect), .app)
        case .loadCatalog, .sync: ask(.effect(effect), nil)
        case .finish(_, let transaction):
            willFinish(transaction.id)
            ask(.effect(effect), .finish)
        case .purchase(_, let product, _):
            if process?.purchasing.contains(product) ?? false { violate("\(product) is sold twice") }
            process?.purchasing.append(product)
            ask(.effect(effect), .purchase)
        case .listen: process?.isListening = true
        case .observe: process?.isObserving = true
        case .look, .makeFolder: ask(.effect(effect), .disk)
        case .complete(_, let grant):
            if process?.ledger[grant.source]?.isRevoked ?? false { violate("the refunded \(grant.source) completes") }
            ask(.effect(effect), .disk)
        case .remove(_, let source):
            willRemove(source)
            ask(.effect(effect), .disk)
        case .deliver(_, let delivery):
            beginDelivery(delivery)
            ask(.effect(effect), .delivery)
        case .load(_, let item, let source, let contentGuard, _):
            checkProof(contentGuard, of: item, for: source)
            ask(.effect(effect), .files)
        case .prove(_, let contentGuard):
            willProve(contentGuard)
            ask(.effect(effect), .files)
        case .cancelLoad(let number):
            for index in process?.pending.indices ?? 0..<0 {
                guard case .effect(.load(number, _, _, _, _)) = process?.pending[index].question else { continue }
                process?.pending[index].isCancelled = true
                process?.pending[index].due = moment
            }
        case .note(let entries): note(entries)
        case .save: if process?.hasNotes ?? false { ask(.effect(effect), .disk) }
        case .resume(let call, let reply): resume(call, reply)
        case .report: break
        }
    }

    private mutating func beginDelivery(_ delivery: Delivery) {
        guard case .purchase(let id) = delivery.evidence else { return }
        guard let truth = truths[id] else { return violate("\(id) was never bought, and is delivered") }
        if truth.current.environment != environment { violate("\(id) of another environment is delivered") }
        if delivery.transaction?.isRevoked != false { violate("\(id) is delivered though it was refunded") }
    }

    private mutating func resume(_ call: Int, _ reply: ShopState.Reply) {
        switch process?.calls.removeValue(forKey: call) {
        case nil: violate("call \(call) is answered twice")
        case .app: break
        case .restore(let before, let count): check(reply, before, count)
        }
    }

    /// Something for the journal, which waits while that is being opened.
    mutating func write(_ question: Pending.Question) { ask(question, .disk) }

    mutating func note(_ entries: [JournalEntry]) {
        guard !entries.isEmpty else { return }
        process?.ledger.apply(entries)
        process?.hasNotes = true
        ask(.effect(.save), .disk)
    }

    private mutating func ask(
        _ question: Pending.Question,
        _ part: DirectHistory.Part?,
        early: [StoreStatement]? = nil
    ) {
        guard let process else { return }
        let wait = part.flatMap { seconds[$0] } ?? 0
        // The disk does one thing after the other.
        let due = (part == .disk ? max(moment, process.diskIsFree) : moment).advanced(by: wait)
        if part == .disk { self.process?.diskIsFree = due }
        self.process?.pending.append(Pending(question: question, part: part, due: due, early: early))
    }

    /// One question is answered, unless the process ends before it hears that.
    mutating func giveAnswer(_ index: Int) {
        guard let pending = process?.pending.remove(at: index) else { return }
        if let left = answersLeft {
            answersLeft = left - 1
            if left == 0 {
                if lastAnswerHappens {
                    switch pending.question {
                    case .effect(let effect): _ = event(after: effect, pending)
                    case .claims(let referrers, let hasReached): _ = grantRewards(referrers, hasReached)
                    }
                }
                return endProcess()
            }
        }
        answer(pending)
    }

    private mutating func answer(_ pending: Pending) {
        switch pending.question {
        case .effect(let effect):
            guard let event = event(after: effect, pending) else { return }
            send(event)
            if history.answersTwice { send(event) }
        case .claims(let referrers, let hasReached):
            if grantRewards(referrers, hasReached) {
                claims.formUnion(referrers.filter { $0 != "me" })
                if hasReached { self.hasReached = true }
            }
        }
    }

    /// Grants the rewards of claims, which are kept if the disk is full, and of those that waited.
    private mutating func grantRewards(_ referrers: [String], _ hasReached: Bool) -> Bool {
        guard let process else { return false }
        let claims = referrers.map { Claim(referrer: Name($0), parameters: [:], isSigned: false) }
        let (entries, earned) = process.ledger.grantingRewards(
            of: claims,
            reaching: hasReached ? "first-board" : nil,
            for: "me",
            in: catalog
        )
        switch saved(entries, earned) {
        case .success(let earned):
            if answersLeft != -1 { send(.granted(earned.grants.map(\.source))) }
            return true
        case .failure(let error):
            note(claims.map(JournalEntry.claim))
            if answersLeft != -1 { send(.notSaved(error)) }
            return false
        }
    }

    // MARK: Answers

    private mutating func saved<Value>(_ entries: [JournalEntry], _ value: Value) -> Result<Value, UnlocksError> {
        if let closed = process?.closed { return .failure(closed) }
        guard !entries.isEmpty || process?.hasNotes ?? false else { return .success(value) }
        guard !broken.contains(.disk) else {
            allowMore()
            return .failure(.storage("full"))
        }
        process?.ledger.apply(entries)
        process?.hasNotes = false
        saved = process?.ledger ?? saved
        savedProofs = process?.proofs ?? savedProofs
        // A process that ends now hears nothing more.
        if answersLeft != -1 {
            send(.wrote)
        }
        return .success(value)
    }

    private mutating func event(after effect: ShopState.Effect, _ pending: Pending) -> ShopState.Event? {
        guard let ledger = process?.ledger else { return nil }
        let early = pending.early
        switch effect {
        case .open(let number): return .opened(number, openJournal())
        case .record(let number, let transactions):
            let changes = ledger.changes(for: transactions, in: catalog, at: moment.date)
            let result = saved(changes.entries, changes)
            if result.failure == nil { process?.told.formUnion(transactions.map(\.id)) }
            if result.failure == nil { withheld.subtract(changes.grants.map(\.source)) }
            return .recorded(number, result)
        case .grantRewards(let number):
            _ = grantRewards([], false)
            return .rewardsGranted(number)
        case .save: return saved([], ()).failure.map { .notSaved($0) }
        case .listEntitlements(let number): return .listed(number, announcing(early ?? entitlements))
        case .listHistory(let number): return .listed(number, early ?? transactions)
        case .listUnfinished(let number): return .listed(number, announcing(early ?? unfinished))
        case .loadProducts(let number, let identifiers):
            guard !broken.contains(.products) else { return .products(number, .failure(StoreError.unreachable)) }
            let identifiers = broken.contains(.sale) ? [] : identifiers
            return .products(number, .success(identifiers.map { StoreProduct(id: $0, price: "1 €") }))
        case .loadApp(let number, _):
            guard !broken.contains(.app) else { return .app(number, .failure(StoreError.unreachable)) }
            return .app(number, .success(.onIPhone("1", signed: moment.date)))
        case .loadCatalog(let number): return .catalogLoaded(number)
        case .finish(let number, let transaction):
            didFinish(transaction)
            return .finished(number)
        case .purchase(let number, let product, _):
            process?.purchasing.removeAll { $0 == product }
            let result = purchase(product)
            if case .success(.purchased(let statement)) = result { tell([statement]) }
            return .purchased(number, result)
        case .sync(let number): return .synced(number, nil)
        default: return event(afterDelivering: effect, pending, ledger)
        }
    }

    private mutating func announcing(_ statements: [StoreStatement]) -> [StoreStatement] {
        tell(statements)
        return statements
    }

    private mutating func openJournal() -> Result<[UnlocksProblem], UnlocksError> {
        let failure: UnlocksError? = isLocked ? .storage("locked") : broken.contains(.disk) ? .storage("full") : nil
        process?.closed = failure
        if let failure { return .failure(failure) }
        process?.ledger = readJournal()
        return .success([])
    }

    /// What is on the disk, as it is read back from its lines.
    private mutating func readJournal() -> Ledger {
        var ledger = Ledger()
        do throws(UnlocksError) {
            let contents = try Journal.read(Journal.text(of: saved.entries))
            if !contents.damagedLines.isEmpty { violate("\(contents.damagedLines) can't be read") }
            ledger = contents.ledger
        } catch { violate("\(error)") }
        ledger.environment = environment
        ledger.allowances = assortment.allowances
        return ledger
    }

    private mutating func event(
        afterDelivering effect: ShopState.Effect,
        _ pending: Pending,
        _ ledger: Ledger
    ) -> ShopState.Event? {
        let failure: UnlocksError? = broken.contains(.disk) ? .storage("full") : nil
        switch effect {
        case .look(let number, let contents):
            return .looked(number, lost: contents.filter { !has($0) }.map(\.source))
        case .makeFolder(let number, let source, let files):
            if let failure { return .folderMade(number, .failure(failure)) }
            var folder = folders[source] ?? Folder()
            if let files, !files.isEmpty, downloads[source] != files, folder.files != files {
                violate("\(source) gets files that weren't loaded")
            }
            folder.files = files ?? folder.files
            folders[source] = folder
            return .folderMade(number, .success(URL(fileURLWithPath: "/\(source.folderName)")))
        case .deliver(let number, let delivery):
            guard !broken.contains(.delivery) else { return .delivered(number, StoreError.unreachable) }
            let name = delivery.folder.lastPathComponent
            if let source = folders.keys.first(where: { $0.folderName == name }) { folders[source]?.hasContent = true }
            if case .purchase(let id) = delivery.evidence { truths[id]?.deliveries += 1 }
            return .delivered(number, nil)
        case .complete(let number, let grant):
            if let failure {
                allowMore()
                return .completed(number, .failure(failure))
            }
            guard let folder = folders[grant.source] else { return .completed(number, .success(false)) }
            if !folder.hasContent { violate("\(grant.source) counts as complete without its content") }
            folders[grant.source]?.isComplete = true
            if case .purchase(let name) = grant.source { truths[name.rawValue]?.completions += 1 }
            return .completed(number, saved(ledger.delivered(grant.source), true))
        case .load(let number, let item, let source, _, _):
            let failure = load(item, for: source, isCancelled: pending.isCancelled)
            hear(failure?.error, of: item.id, about: source)
            return .loaded(number, item.id, failure)
        case .prove(let number, let contentGuard):
            guard let id = purchase(with: contentGuard.proof), let product = truths[id]?.current.productID else {
                return nil
            }
            let error = broken.contains(.files) ? .status(503) : guardAnswer
            hear(error, of: product == "everything" ? "all" : "pro", about: .purchase(Name(id)))
            return .proved(number, error)
        case .remove(let number, let source):
            if failure == nil {
                (folders[source], downloads[source]) = (nil, nil)
                removable.remove(source)
            } else {
                process?.notRemoved.insert(source)
            }
            return .removed(number, source, failure)
        default: return nil
        }
    }

    private func has(_ content: ShopState.Content) -> Bool {
        guard let folder = folders[content.source], folder.isComplete else { return false }
        return content.files.map { $0 == folder.files || $0.isEmpty } ?? true
    }

    private mutating func load(
        _ item: CatalogItem,
        for source: Grant.Source,
        isCancelled: Bool
    ) -> ContentDownloads.Failure? {
        let error: DownloadError? =
            isCancelled
            ? .cancelled : broken.contains(.files) ? .status(503) : item.guardAddress.flatMap { _ in guardAnswer }
        if let error { return ContentDownloads.Failure(path: "x", error: error) }
        downloads[source] = item.files
        return nil
    }
}
