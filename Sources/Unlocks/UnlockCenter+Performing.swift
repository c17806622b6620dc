import ReferralFoundation

/// How ``StoreState`` is performed. Nothing is decided here.
extension UnlockCenter {
    /// Takes an event, and performs what follows.
    func send(_ event: StoreState.Event) {
        followEnvironment()
        let before = Shown(state)
        effects += state.handle(event, facts, at: clock.steady)
        let after = Shown(state)
        if before.answer != after.answer { observers.noteChange() }
        if before != after { observers.willChange() }
        while !effects.isEmpty { perform(effects.removeFirst()) }
        if observers.mayHaveChanged { return send(.changed) }
        timer.wait(until: state.nextWake, clock) { [weak self] in await self?.wake(at: $0) }
    }

    var facts: StoreState.Facts {
        // The ledger follows the clock.
        let now = now
        return StoreState.Facts(
            ledger: book.ledger,
            catalog: catalog,
            assortment: assortment,
            paidBefore: paidBefore,
            platform: context.platform,
            closed: book.closed,
            now: now,
            clock: clock.now().date
        )
    }

    /// Sends the event of a call, and waits for its reply.
    @discardableResult
    func ask(_ event: (_ call: Int) -> StoreState.Event) async -> StoreState.Reply {
        lastCall += 1
        let call = lastCall
        return await withCheckedContinuation { continuation in
            calls[call] = continuation
            send(event(call))
        }
    }

    /// Changes the journal.
    func saved<Value>(
        _ decide: (Ledger) -> (entries: [JournalEntry], value: Value)
    ) async -> Result<Value, UnlocksError> {
        await Result { () async throws(UnlocksError) in
            try await book.change { ledger throws(UnlocksError) in decide(ledger) }
        }
    }

    private func wake(at moment: Timestamp) {
        if timer.end(moment) { send(.woke(moment)) }
    }

    /// Follows the store's present environment: production if the store doesn't know it.
    func followEnvironment() {
        let environment = store.environment ?? .production
        guard book.ledger.environment != environment else { return }
        book.follow(environment: environment)
        send(.environmentChanged)
    }

    /// What views show of the state.
    private struct Shown: Equatable {
        let (products, isOffline): ([ProductID: StoreProduct]?, Bool)
        let (pending, purchasing): (Set<ProductID>, Set<ProductID>)
        let (isRestoring, isAsking, hasAsked): (Bool, Bool, Bool)
        let unrecordedCount: Int
        let answer: PaidBefore.Answer?

        init(_ state: StoreState) {
            (products, isOffline) = (state.products, state.isOffline)
            (pending, purchasing) = (state.pendingProducts, state.purchasing)
            (isRestoring, isAsking, hasAsked) = (!state.restores.isEmpty, state.isAsking, state.hasAsked)
            unrecordedCount = state.unrecordedCount
            answer = state.paidBeforeAnswer
        }
    }
}

// MARK: - Effects

private extension UnlockCenter {
    func perform(_ effect: StoreState.Effect) {
        switch effect {
        case .prepare(let number): answer { await $0.prepare(number) }
        case .open(let number): answer { .opened(number, await $0.book.open()) }
        case .record(let number, let transactions):
            answer { center in
                let changes = await center.saved { ledger in
                    let changes = ledger.changes(for: transactions, in: center.catalog, at: center.clock.now().date)
                    return (changes.entries, changes)
                }
                return .recorded(number, changes)
            }
        case .settle(let number, let claims, let event):
            answer { center in
                let settlement = await center.saved {
                    $0.settling(claims, reaching: event, for: center.ownReferrer, in: center.catalog)
                }
                return .settled(number, settlement)
            }
        case .keepAdditions(let number):
            let additions = assortment.additions
            answer { .additionsKept(number, await $0.saved { ($0.keeping(additions), ()) }.failure) }
        case .saveAnswer(let number, let new):
            answer { .answerSaved(number, await $0.saved { ($0.isNew(new) ? [.answer(new)] : [], ()) }.failure) }
        case .saveApp(let number, let signed, let kept):
            answer { center in
                // If the moment can't be written, the next one that is signed is as good.
                if let signed {
                    _ = await center.saved { ($0.moments(signed: signed, at: center.clock.now().date), ()) }
                }
                let result = await center.saved { ($0.kept == kept ? [] : [.kept(kept)], ()) }
                return .appSaved(number, result.failure)
            }
        case .listEntitlements(let number): ask { .listed(number, await $0.currentEntitlements()) }
        case .listHistory(let number): ask { .listed(number, await $0.allTransactions()) }
        case .listUnfinished(let number): ask { .listed(number, await $0.unfinishedTransactions()) }
        case .loadProducts(let number, let identifiers):
            ask { store in
                .products(number, await Result { identifiers.isEmpty ? [] : try await store.products(identifiers) })
            }
        case .loadApp(let number, let isRefresh):
            ask { store in .app(number, await Result { try await store.appPurchase(isRefresh: isRefresh) }) }
        case .loadCatalog(let number):
            answer { center in
                await center.loadCatalog()
                return .catalogLoaded(number)
            }
        case .finish(let number, let transaction):
            ask {
                await $0.finish(transaction)
                return .finished(number)
            }
        case .purchase(let number, let product, let call):
            let place = places[call]
            ask { store in .purchased(number, await Result { try await store.purchase(product, in: place) }) }
        case .sync(let number): ask { store in .synced(number, await Result { try await store.sync() }.failure) }

        case .listenToUpdates: listenToUpdates()
        case .listen: listen()
        case .observe:
            appActivity?.observe { [weak self] state in if state == .active { self?.send(.becameActive) } }
        case .report(let problem): onProblem?(problem)
        case .deliver(let event): handle(event)
        case .count(let answer): book.count([.answer(answer)])
        case .publish: observers.publish { changes }
        case .resume(let call, let reply):
            places[call] = nil
            calls.removeValue(forKey: call)?.resume(returning: reply)
        }
    }

    /// Performs an effect that the store answers, perhaps never.
    func ask(_ question: @escaping @MainActor (any PurchaseStore) async -> StoreState.Event) {
        Task { [weak self, store] in
            let event = await question(store)
            self?.send(event)
        }
    }

    /// Performs an effect that is answered.
    func answer(_ event: @escaping @MainActor (UnlockCenter) async -> StoreState.Event) {
        Task { [weak self] in
            guard let self else { return }
            send(await event(self))
        }
    }

    /// Loads the catalog that is on the disk.
    func prepare(_ number: Int) async -> StoreState.Event {
        await loader?.load()
        if let current = loader?.current, current.revision >= catalog.revision, current != catalog { catalog = current }
        reportRejections()
        return .prepared(number)
    }
}

// MARK: - Listening

private extension UnlockCenter {
    /// Listens to the store's updates until they end.
    func listenToUpdates() {
        let statements = store.updates()
        updates = Task { [weak self] in
            for await statement in statements { self?.send(.updated(statement)) }
            if !Task.isCancelled { self?.send(.updatesEnded) }
        }
    }

    func listen() {
        listen(to: store.purchaseIntents()) { unlocks, product in await unlocks.buyPromoted(product) }
        listen(to: store.storefrontChanges()) { unlocks, _ in unlocks.send(.storefrontChanged) }
    }

    func listen<Element: Sendable>(
        to stream: AsyncStream<Element>,
        _ receive: @escaping @MainActor (UnlockCenter, Element) async -> Void
    ) {
        let task = Task { [weak self] in
            for await element in stream {
                guard let self else { return }
                await receive(self, element)
            }
        }
        listeners.append(task)
    }
}
