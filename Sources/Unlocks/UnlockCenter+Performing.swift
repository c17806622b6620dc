import ReferralFoundation

/// How ``ShopState`` is performed. Nothing is decided here.
extension UnlockCenter {
    /// Handles an event, and performs what follows.
    func send(_ event: ShopState.Event) {
        followEnvironment()
        effects += state.handle(event, facts, at: clock.steady)
        while !effects.isEmpty { perform(effects.removeFirst()) }
        observers.publish { changes }
        timer.wait(until: state.nextWake, clock) { [weak self] in await self?.wake(at: $0) }
    }

    var facts: ShopState.Facts {
        // The ledger follows the clock.
        let now = now
        return ShopState.Facts(
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
    func ask(_ event: (_ call: Int) -> ShopState.Event) async -> ShopState.Reply {
        lastCall += 1
        let call = lastCall
        return await withCheckedContinuation { continuation in
            calls[call] = continuation
            send(event(call))
        }
    }

    private func wake(at moment: Timestamp) { if timer.end(moment) { send(.woke(moment)) } }

    /// Follows the store's present environment: production if the store doesn't know it.
    func followEnvironment() {
        let environment = store.environment ?? .production
        guard book.ledger.environment != environment else { return }
        book.configure { $0.environment = environment }
        send(.environmentChanged)
    }
}

// MARK: - Effects

private extension UnlockCenter {
    func perform(_ effect: ShopState.Effect) {
        switch effect {
        case .open(let number):
            let opening = book.open { [weak self] in await self?.loadSavedCatalog() }
            answer { _ in .opened(number, await opening.value) }
        case .record(let number, let transactions):
            answer { center in
                let result = await Result { () async throws(UnlocksError) in
                    try await center.book.change { ledger throws(UnlocksError) in
                        let changes = ledger.changes(for: transactions, in: center.catalog, at: center.clock.now().date)
                        return (changes.entries, changes)
                    }
                }
                return .recorded(number, result)
            }
        case .grantRewards(let number):
            answer { center in
                _ = try? await center.grantRewards()
                return .rewardsGranted(number)
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

        case .look(let number, let contents): answer { .looked(number, lost: await $0.lost(of: contents)) }
        case .makeFolder(let number, let source, let files):
            answer { center in .folderMade(number, await Result { try await center.makeFolder(source, files) }) }
        case .deliver(let number, let delivery):
            answer { center in .delivered(number, await Result { try await center.deliver(delivery) }.failure) }
        case .complete(let number, let grant): answer { .completed(number, await $0.complete(grant)) }
        case .load(let number, let item, let source, let contentGuard, let others):
            load(number, item, for: source, by: contentGuard, besides: others)
        case .prove(let number, let contentGuard):
            answer { [downloads] _ in .proved(number, await Result { try await downloads.ask(contentGuard) }.failure) }
        case .remove(let number, let source):
            answer { [storage = book.storage] _ in
                let result = await Result { () async throws(UnlocksError) in
                    try await storage.removeFolder(source.folderName)
                }
                return .removed(number, source, result.failure)
            }
        case .cancelLoad(let number): loads[number]?.cancel()

        case .note(let entries): book.note(entries)
        case .save: book.save()
        case .listen: listen()
        case .observe:
            appActivity?.observe { [weak self] state in if state == .active { self?.send(.becameActive) } }
        case .report(let problem): onProblem?(problem)
        case .resume(let call, let reply):
            places[call] = nil
            calls.removeValue(forKey: call)?.resume(returning: reply)
        }
    }

    /// Performs an effect that the store answers, perhaps never.
    func ask(_ question: @escaping @MainActor (any PurchaseStore) async -> ShopState.Event) {
        Task { [weak self, store] in
            let event = await question(store)
            self?.send(event)
        }
    }

    /// Performs an effect that is answered.
    func answer(_ event: @escaping @MainActor (UnlockCenter) async -> ShopState.Event) {
        Task { [weak self] in
            guard let self else { return }
            send(await event(self))
        }
    }

    /// Loads the catalog that is on the disk.
    func loadSavedCatalog() async {
        await loader?.load()
        if let current = loader?.current, current.revision >= catalog.revision, current != catalog { catalog = current }
        reportRejections()
    }
}

// MARK: - Listening

private extension UnlockCenter {
    func listen() {
        listen(to: store.updates()) { unlocks, statement in unlocks.send(.updated(statement)) }
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
