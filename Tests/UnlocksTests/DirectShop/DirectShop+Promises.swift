import Foundation

@testable import ReferralBasics
@testable import Unlocks

extension DirectShop {
    /// What holds at each moment.
    mutating func check() {
        for id in order {
            guard let truth = truths[id], truth.deliveries > truth.allowedDeliveries else { continue }
            violate("\(id) was delivered \(truth.deliveries) times")
        }
        guard let process, process.closed == nil else { return }
        let present = process.ledger.all.filter {
            process.ledger.counts($0) && process.ledger.isOpen($0, at: moment.date)
        }
        var open: Set<String> = []
        for case .purchase(let name) in present.map(\.source) {
            let id = name.rawValue
            open.insert(id)
            guard let truth = truths[id], truth.current.environment == environment else {
                violate("\(id) is open and was never bought in this environment")
                continue
            }
            if truth.completions == 0 { violate("\(id) is open, and was never delivered") }
        }
        for id in self.open.subtracting(open) {
            guard let truth = truths[id], !truth.wasRevoked, !hasEnded(truth) else { continue }
            violate("\(id) was open and isn't any more")
        }
        self.open = open
        if process.state.refusals != process.refusals {
            violate("the refusals are \(process.state.refusals), and the server said \(process.refusals)")
        }
        let unrecorded = process.state.unrecordedProducts(besides: process.ledger)
        let recorded = process.recorded
        for product in unrecorded where !order.contains(where: { isOf(product, $0) && !recorded.contains($0) }) {
            violate("\(product) isn't for sale, and what was bought is recorded")
        }
        for (product, before) in process.waiting where !process.state.pendingProducts.contains(product) {
            let isBought = order.contains {
                isOf(product, $0) && !before.contains($0) && process.ledger[.purchase(Name($0))] != nil
            }
            if !isBought { violate("\(product) waits for approval, and nobody knows it") }
            process.waiting[product] = nil
        }
        for (id, truth) in truths where truth.current.environment == environment && !truth.wasRevoked {
            let isFinished = truth.isFinished && truth.current.productID != "hints"
            if isFinished, !open.contains(id), !hasEnded(truth) { violate("\(id) is finished, and isn't open") }
            guard process.knownPurchases.contains(id), process.ledger[.purchase(Name(id))] == nil else { continue }
            if !unrecorded.contains(truth.current.productID) { violate("\(id) was told, and is for sale") }
        }
    }

    private func isOf(_ product: ProductID, _ id: String) -> Bool { truths[id]?.current.productID == product }

    private func hasEnded(_ truth: Truth) -> Bool {
        truth.statements.contains { $0.expirationDate.map { $0 <= moment.date } ?? false }
    }

    /// A restoration says what is true.
    mutating func check(_ reply: ShopState.Reply, _ before: Set<UnlockID>?, _ count: Int) {
        guard case .restoration(.success(let result)) = reply, let process else { return }
        let had = process.ledger.bought(at: moment.date)
        if case .found(let unlocks) = result, let before, before.isSuperset(of: unlocks) {
            violate("\(unlocks) were found, and were there")
        }
        if result == .nothingFound, !had.isEmpty { violate("nothing was found, and \(had) are there") }
        guard !broken.contains(.lists), !isStale, !isSilent, seconds[.lists] ?? 0 == 0 else { return }
        for id in order.prefix(count) where process.ledger[.purchase(Name(id))] == nil {
            guard let transaction = truths[id]?.current, transaction.environment == environment, !transaction.isRevoked,
                catalog.item(selling: transaction.productID) != nil, transaction.productID != "hints",
                transaction.expirationDate ?? .distantFuture > moment.date
            else { continue }
            violate("a restoration says \(result), and \(id) isn't recorded")
        }
    }

    /// Things work again: then whoever paid has it, and nobody else.
    mutating func end() {
        (broken, seconds, isStale, answersLeft, guardAnswer) = ([], [:], false, nil, nil)
        allowMore()
        isSilent = history.endsSilently && process?.pending.contains { $0.isForStore } ?? false
        if history.endsSilently { process?.pending.removeAll(where: \.isForStore) }
        for index in process?.pending.indices ?? 0..<0 { process?.pending[index].due = moment }
        process?.diskIsFree = moment
        wait(0)
        if history.ending == .launch || process == nil {
            (catalog, assortment) = (Self.catalogs[0], Self.assortments[0])
            isLocked = false
            launch()
        } else {
            unlockDevice()
            // Pauses last an hour at most.
            wait(4_000)
            if history.ending == .pause, let process {
                // What was empty is asked for again, and what the state has waits for nothing.
                if process.closed != nil { return violate("the journal isn't open") }
                if process.state.emptyLists > 0, !isSilent { violate("products aren't asked for again") }
                checkDelivered()
            }
            use(.whole)
            wait(0)
            send(.refreshAsked(call: call(.app)))
        }
        wait(8_000)
        check()
        guard violations.isEmpty, let process else { return }
        if process.closed != nil { return violate("the journal isn't open") }
        if !process.calls.isEmpty { violate("calls without an answer: \(process.calls.keys.sorted())") }
        if !process.pending.isEmpty { violate("still asked: \(process.pending.count)") }
        let state = process.state
        let isUnderway = !state.questions.isEmpty || !state.refreshes.isEmpty
        if isUnderway && !isSilent || !state.later.isEmpty {
            violate("still underway: \(state.questions) \(state.refreshes) \(state.later)")
        }
        checkDelivered()
        endGuards()
        let rewards = process.ledger.all.filter { if case .reward = $0.source { true } else { false } }
        if hasReached, rewards.count(where: \.isGranted) < claims.count {
            violate("a reward was earned and not granted")
        }
        if !hasPerhapsReached, rewards.contains(where: \.isGranted) { violate("a reward was granted before its event") }
        if history.asksForApp, state.paidBeforeAnswer?.isYes != true, environment == .production {
            violate("the app was paid, and that isn't known")
        }
    }

    /// What the state has waits for nothing but a proof.
    private mutating func checkDelivered() {
        let entries = process?.state.entries.filter { !waitsForProof($0.key) } ?? [:]
        if !entries.isEmpty { violate("not delivered: \(entries)") }
    }

    mutating func endPurchase(_ id: String) {
        guard let ledger = process?.ledger, let truth = truths[id], truth.current.environment == environment else {
            return
        }
        let source = Grant.Source.purchase(Name(id))
        if !truth.isFinished { violate("\(id) was never finished") }
        guard let grant = ledger[source] else { return violate("\(id) was never recorded") }
        if grant.isRevoked != truth.current.isRevoked { violate("\(id) isn't as the store has it") }
        if truth.current.isRevoked, folders[source] != nil {
            violate("the content of the refunded \(id) is still there")
        }
        guard !truth.current.isRevoked, truth.current.expirationDate ?? .distantFuture > moment.date else { return }
        if folders[source]?.isComplete != true { violate("\(id) has no content") }
        if truth.current.productID != "hints", !(ledger.counts(grant) && ledger.isOpen(grant, at: moment.date)) {
            violate("\(id) isn't open")
        }
    }
}

private extension DirectShop.Pending {
    /// Whether the store may never answer it.
    var isForStore: Bool {
        // The user signs in.
        if case .effect(.loadApp(_, isRefresh: true)) = question { return false }
        return [.lists, .products, .app, .finish].contains(part)
    }
}
