import ReferralFoundation

extension UnlockCenter {
    /// The shortest time, in seconds, between two activations of the app at which the store is asked: 15 minutes.
    static let pauseBetweenAsking = 900.0

    /// How long to wait for an answer, in seconds. An answer that comes later counts too.
    static let answerLimit = 30.0

    /// The time between two passes over what the store has unfinished, in seconds.
    static let pauseBetweenFinishing = 1.0

    /// Asks the store for purchases and prices, and the source for a newer catalog, as at launch.
    ///
    /// The requests run concurrently, and the method waits for them for 30 seconds at most. The center also refreshes
    /// by itself when the app becomes active, at most every 15 minutes.
    public func refresh() async { await askAll() }

    /// - Returns: The results of the purchases; `nil` if the folder isn't open.
    @discardableResult
    private func askAll(isFromStore: Bool = false) async -> Round? {
        await open()
        async let purchases = askStore(isFromStore: isFromStore)
        async let catalog: Void = askForCatalog()
        await catalog
        return await purchases
    }

    /// Asks the store, unless it was asked in the last 15 minutes.
    func askAgain() {
        let now = clock.now().date
        guard questions.pause?.rest(at: now) ?? 0 == 0 else { return }
        questions.pause = Pause(seconds: Self.pauseBetweenAsking, at: now)
        Task { [weak self] in await self?.refresh() }
    }

    /// Asks a question, uses the answer whenever it comes, and waits for that for 30 seconds.
    func ask<Answer: Sendable>(
        _ question: @escaping @MainActor (any PurchaseStore) async -> Answer,
        use: @escaping @MainActor (UnlockCenter, Answer) async -> Void = { _, _ in }
    ) async {
        let (isDone, done) = AsyncStream.makeStream(of: Never.self)
        Task { [weak self, store] in
            let answer = await question(store)
            if let self { await use(self, answer) }
            done.finish()
        }
        let limit = Task { [clock] in
            await clock.sleep(Self.answerLimit)
            done.finish()
        }
        for await _ in isDone {}
        limit.cancel()
    }

    private func askForCatalog() async {
        guard let loader else { return }
        await ask { _ in
            await Result { try await loader.refresh() }
        } use: { unlocks, catalog in
            do {
                let new = try catalog.get()
                // If it can't be written, the next answer is as good.
                if let date = loader.answerDate { try? await unlocks.book.correct(to: date) }
                unlocks.publishChanges()
                if let new { return await unlocks.use(new) }
            } catch {
                unlocks.onProblem?(.notLoaded(error))
            }
            // The file may have been readable only now.
            let current = loader.current
            if current.revision > unlocks.catalog.revision { await unlocks.use(current) }
        }
    }

    @discardableResult
    func askStore(isFromStore: Bool = false) async -> Round? {
        guard book.isOpen else { return nil }
        observers.willChange()
        questions.waiting += 1
        defer {
            observers.willChange()
            questions.waiting -= 1
        }
        let round = makeRound(isFromStore: isFromStore)
        questions.pause = Pause(seconds: Self.pauseBetweenAsking, at: clock.now().date)
        async let finished: Void = finish()
        async let entitlements: Void = askForEntitlements(round)
        async let products: Void = askForProducts(round)
        async let app: Void = askForAppPurchase(round)
        _ = await (finished, entitlements, products, app)
        followEnvironment()
        await placeUses()
        return round
    }

    /// Follows the store's present environment: production if the store doesn't know it.
    func followEnvironment() {
        guard book.ledger.toldEnvironment != store.environment else { return }
        let was = book.ledger.environment
        book.follow(environment: store.environment)
        guard book.ledger.environment != was else { return }
        if book.isOpen { judgeKeptAnswer() }
        deliveries.followLedger()
        publish()
    }

    /// Assigns uses that were spent before the store's environment was known to that environment. If this can't be written, they
    /// still count.
    private func placeUses() async {
        try? await book.change { ledger throws(UnlocksError) in (ledger.placing(at: now), ()) }
    }
}

// MARK: - Purchases

extension UnlockCenter {
    /// The answers to one question about all of the user's purchases.
    @MainActor
    final class Round {
        let question: PurchaseQuestion
        /// Whether the question for products was answered, and whether with any.
        var (hasAnsweredProducts, hasProducts) = (false, false)
        /// Whether a new app transaction has arrived. The system may have a copy that is new to the app, also offline.
        var hasNewApp = false
        /// The environment in which the list was asked for again since; `nil` if it wasn't.
        var listedAgain: StoreEnvironment?
        /// Whether the store has told everything that the user has.
        var isWhole = false
        /// Why a listed purchase can't be verified; `nil` if all can.
        var unverified: String?

        init(_ question: PurchaseQuestion) { self.question = question }

        /// Whether the store was reached.
        var isReached: Bool { hasProducts || hasAnsweredProducts && hasNewApp }
    }

    private func makeRound(isFromStore: Bool) -> Round {
        Round(
            PurchaseQuestion(
                number: questions.purchases.ask(),
                date: now,
                clock: clock.now().date,
                grantCount: book.ledger.count,
                isFromStore: isFromStore
            )
        )
    }

    /// Asks for the list again once the store was reached.
    private func listAgain(after round: Round) async {
        followEnvironment()
        guard round.isReached, round.listedAgain != book.ledger.environment else { return }
        round.listedAgain = book.ledger.environment
        let next = makeRound(isFromStore: true)
        await askForEntitlements(next)
        if next.isWhole { (round.isWhole, round.unverified) = (true, next.unverified) }
    }

    private func askForEntitlements(_ round: Round) async {
        await ask {
            await $0.currentEntitlements()
        } use: { unlocks, entitlements in
            await unlocks.receiveEntitlements(entitlements, round)
        }
    }

    private func receiveEntitlements(_ entitlements: [StoreStatement], _ round: Round) async {
        let now = now
        var listed = entitlements
        let usable = entitlements.filter { arrivals.problem(with: $0) == nil }
        let identifiers = Set(usable.map { Name($0.transaction.id) })
        let isMissing = { (grant: Grant) in
            grant.transaction.map { !identifiers.contains(Name($0.id)) } ?? false
        }
        // The next question may never be answered.
        await receive(listed)
        // Refunds while the app isn't running are reported to be missing in the updates, so the store is asked about the
        // purchases that it doesn't list. For some users the list is reported to be empty although they have purchases.
        let isSold = { (product: ProductID) in self.catalog.item(selling: product)?.kind.isNonRenewing ?? false }
        let lacksOpen = book.ledger.all.contains { isMissing($0) && book.ledger.isOpen($0, at: now) }
        if entitlements.isEmpty || assortment.hasPasses || lacksOpen {
            // Without the history, the list alone is the answer, unless this would lock an open unlock.
            let limit =
                lacksOpen
                ? nil
                : Task { [weak self, clock, listed] in
                    await clock.sleep(Self.answerLimit)
                    guard !Task.isCancelled else { return }
                    await self?.conclude(round, listed)
                }
            let history = await store.allTransactions()
            limit?.cancel()
            // Of several purchases for some days, the store may list only the latest one. A renewal is reported to be missing in
            // the list at times.
            await receive(
                history.filter {
                    book.ledger[.purchase(Name($0.transaction.id))] != nil || isSold($0.transaction.productID)
                        || $0.transaction.isEntitlement(at: now)
                }
            )
            listed += history.filter {
                $0.transaction.isEntitlement(at: now) && !identifiers.contains(Name($0.transaction.id))
            }
        }
        round.isWhole = true
        for case .unverified(_, let reason) in listed { round.unverified = reason }
        await conclude(round, listed)
    }

    /// Uses a list, if it is an answer.
    private func conclude(_ round: Round, _ listed: [StoreStatement]) async {
        followEnvironment()
        // The answer to a later question is newer.
        guard questions.purchases.isLatest(round.question.number) else { return }
        let unverified = listed.filter { if case .unverified = $0 { true } else { false } }
        let answer = book.ledger.answer(
            to: round.question,
            listing: listed.filter { arrivals.problem(with: $0) == nil }.map(\.transaction),
            unverified: unverified.map(\.transaction),
            in: catalog
        )
        guard let answer else { return }
        // A list that may come from StoreKit's cache doesn't replace a late answer.
        if round.question.isFromStore { questions.purchases.answer(round.question.number) }
        await use(answer)
    }

    /// Uses an answer of the store. On a full disk it counts until the app ends.
    private func use(_ answer: StoreAnswer) async {
        do throws(UnlocksError) {
            let isNew = try await book.change { ledger throws(UnlocksError) in
                let isNew = ledger.isNew(answer)
                return (isNew ? [.answer(answer)] : [], isNew)
            }
            guard isNew else { return }
        } catch {
            onProblem?(.notSaved(error))
            book.count([.answer(answer)])
        }
        publish()
    }

    /// Asks for the app's own purchase, unless a yes is kept. The system may ask the user to sign in.
    private func askForAppPurchase(_ round: Round) async {
        guard paidBefore != nil else { return }
        guard !isYes(book.ledger.kept) else {
            judgeKeptAnswer()
            return publish()
        }
        await ask {
            store in
            await Result { try await store.appPurchase(isRefresh: false) }
        } use: { unlocks, purchase in
            do {
                round.hasNewApp = await unlocks.judgePaidBefore(try purchase.get())
            } catch {
                unlocks.onProblem?(.notLoaded(error))
            }
            unlocks.publish()
            await unlocks.listAgain(after: round)
        }
    }

    /// Judges whether the app was bought before it became free by the answer that is kept.
    func judgeKeptAnswer() {
        var kept = book.ledger.kept
        paidBeforeAnswer = paidBefore?.answer(for: nil, in: book.ledger.environment, on: context.platform, kept: &kept)
    }

    /// Whether a kept answer is yes, and counts: in production.
    private func isYes(_ kept: PaidBefore.Kept?) -> Bool {
        kept?.answer == true && book.ledger.environment == .production
    }

    /// Judges the app's own purchase, and keeps the answer.
    ///
    /// - Returns: Whether the store has signed it since its latest statement.
    private func judgePaidBefore(_ purchase: AppPurchase?) async -> Bool {
        guard let paidBefore else { return false }
        followEnvironment()
        var kept = book.ledger.kept
        let environment = book.ledger.environment
        let answer = paidBefore.answer(for: purchase, in: environment, on: context.platform, kept: &kept)
        // Only a revocation replaces a yes, and not another account's purchase.
        paidBeforeAnswer = isYes(kept) ? paidBefore.answer(for: nil, on: context.platform, kept: &kept) : answer
        var isNew = purchase?.isVerified ?? false
        if let purchase, isNew, let signed = purchase.signedDate, purchase.environment == book.ledger.environment {
            isNew = !book.ledger.moments(signed: signed, at: clock.now().date).isEmpty
            // If it can't be written, the next signed moment is as good.
            try? await book.see(signed: signed)
        }
        guard kept != book.ledger.kept else { return isNew }
        do throws(UnlocksError) {
            try await book.change { _ throws(UnlocksError) in ([.kept(kept)], ()) }
        } catch {
            onProblem?(.notSaved(error))
        }
        return isNew
    }

    func askForProducts() async { await askForProducts(nil) }

    /// Asks for the products of the catalog.
    private func askForProducts(_ round: Round?) async {
        let (number, identifiers) = (questions.products.ask(), assortment.products)
        await ask {
            store in
            await Result { identifiers.isEmpty ? [] : try await store.products(identifiers) }
        } use: { unlocks, products in
            unlocks.use(products, of: identifiers, number)
            if let round, let known = try? products.get() {
                (round.hasAnsweredProducts, round.hasProducts) = (true, !known.isEmpty)
                await unlocks.listAgain(after: round)
            }
        }
    }

    private func use(_ answer: Result<[StoreProduct], any Error>, of identifiers: Set<ProductID>, _ number: Int) {
        // A later question was for a newer catalog or storefront.
        guard questions.products.isLatest(number) else { return }
        observers.willChange()
        switch answer {
        case .success([]) where !identifiers.isEmpty:
            if questions.emptyLists == 0 { onProblem?(.notLoaded(StoreError.noProducts)) }
            isOffline = true
            askForProductsLater()
        case .success(let known):
            questions.products.answer(number)
            questions.emptyLists = 0
            products = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            isOffline = false
        case .failure(let error):
            isOffline = true
            onProblem?(.notLoaded(error))
        }
    }

    /// Asks for the products again after a pause, which grows with each empty list. StoreKit sometimes lists no products, without
    /// an error, although they exist.
    private func askForProductsLater() {
        guard questions.retry == nil else { return }
        let seconds = Pause.seconds(after: questions.emptyLists)
        questions.emptyLists += 1
        questions.retry = Task { [weak self, clock] in
            await clock.sleep(seconds)
            guard !Task.isCancelled, let self else { return }
            questions.retry = nil
            if questions.emptyLists > 0 { await askForProducts(makeRound(isFromStore: false)) }
        }
    }
}

private extension StoreTransaction {
    /// Whether the user has something from it, as far as it says itself.
    func isEntitlement(at now: Date) -> Bool {
        !isRevoked && productKind != .consumable && expirationDate.map { $0 > now } ?? (productKind != .subscription)
    }
}

// MARK: - Restoring

extension UnlockCenter {
    /// The result of ``restore()``.
    public enum Restoration: Sendable, Equatable {
        /// Purchases with these unlocks were restored. The names are sorted. The content is being delivered.
        case found([UnlockID])
        /// The user has purchases, and all of them were already on this device.
        case nothingNew
        /// The store has no purchases of this user.
        case nothingFound
    }

    /// Restores what the user bought on another device.
    ///
    /// Call it only when the user asks for it, since they may have to sign in.
    ///
    /// - Returns: The result.
    /// - Throws: The store's error, ``StoreError/unreachable`` if it doesn't answer within 30 seconds, or ``UnlocksError``
    ///   if the folder isn't open. If nothing was restored, ``UnlocksError/notVerified(_:)`` if the store lists a purchase that
    ///   can't be verified. If the store lists purchases despite its error, or later, they are used.
    @discardableResult
    public func restore() async throws -> Restoration {
        observers.willChange()
        isRestoring = true
        defer {
            observers.willChange()
            isRestoring = false
        }
        await open()
        let before = bought
        var (failure, isReached): ((any Error)?, Bool) = (nil, false)
        do {
            try await store.sync()
            if paidBefore != nil {
                isReached = await judgePaidBefore(try await store.appPurchase(isRefresh: true))
                publish()
            }
        } catch {
            failure = error
        }
        let round = await askAll(isFromStore: isReached)
        if let failure { throw failure }
        if let closed = book.closed { throw closed }
        let after = bought
        let new = after.subtracting(before)
        if !new.isEmpty { return .found(new.sorted()) }
        // A store that says nothing hasn't said that there is nothing.
        guard let round, round.isWhole else { throw StoreError.unreachable }
        if let reason = round.unverified { throw UnlocksError.notVerified(reason) }
        return after.isEmpty && book.laterStatements.isEmpty ? .nothingFound : .nothingNew
    }

    /// The unlocks of the user's purchases, and of the app's own purchase.
    var bought: Set<UnlockID> {
        book.ledger.bought(at: now).union(boughtWithApp)
    }

    /// The unlocks of users who bought the app before it became free, if the user is one.
    var boughtWithApp: [UnlockID] { paidBeforeAnswer?.isYes == true ? paidBefore?.grants ?? [] : [] }
}
