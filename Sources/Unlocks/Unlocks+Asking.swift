import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Unlocks {
    /// The least time between two activations of the app at which the store is asked, in seconds: 15 minutes.
    static let pauseBetweenAsking = 900.0

    /// Asks the store what the person has and what things cost, and the web for a newer catalogue, as at launch.
    ///
    /// Each time the app becomes active this happens by itself, at most every 15 minutes.
    public func refresh() async {
        await askStore()
        do {
            if let new = try await loader?.refresh() { await use(new) }
        } catch {
            onProblem?(.notLoaded(error))
        }
    }

    /// Asks the store, unless it was asked in the last 15 minutes.
    func askAgain() {
        // A clock that was set back is no reason to wait.
        let elapsed = lastAsked.map { clock.now().date.timeIntervalSince($0) } ?? .infinity
        guard elapsed < 0 || elapsed >= Self.pauseBetweenAsking else { return }
        lastAsked = clock.now().date
        Task { [weak self] in await self?.refresh() }
    }

    func askStore() async {
        guard journal != nil else { return }
        askCount += 1
        let number = askCount
        let date = clock.now().date
        lastAsked = date
        let listed = await askForTransactions()
        let count = ledger.count
        let hasAppPurchase = await askForAppPurchase()
        let hasProducts = await askForProducts()
        followEnvironment()
        // A refresh that began later knows more.
        guard number > answerNumber else { return }
        let usable = listed.filter { ($0.environment ?? ledger.environment) == ledger.environment }
        let isFromStore = hasAppPurchase || hasProducts
        guard isFromStore || !usable.isEmpty else { return }
        // What the disk hasn't taken would seem to be missing, and its buyer would be locked out.
        guard usable.allSatisfy({ ledger.isRecorded($0, in: catalogue) }) else { return }
        answerNumber = number
        var answer = StoreAnswer(
            environment: ledger.environment,
            date: date,
            isFromStore: isFromStore,
            subscriptions: Set(usable.filter { $0.expirationDate != nil }.map(\.id))
        )
        guard ledger.isNew(answer) else { return }
        // What was bought since the store made its list isn't in it.
        for grant in ledger.all(after: count) {
            if let transaction = grant.transaction { answer = answer.adding(transaction) ?? answer }
        }
        use(answer)
        publish()
        work()
    }

    /// Uses an answer of the store, also if the disk is full: somebody may be waiting for it.
    func use(_ answer: StoreAnswer) {
        save(.answer(answer))
        ledger.apply(.answer(answer))
    }

    /// Uses what belongs to the store's present environment. If the store can't tell, that is production.
    func followEnvironment() {
        let environment = store.environment ?? .production
        guard ledger.environment != environment else { return }
        ledger.environment = environment
        queueDueGrants()
        publish()
        work()
    }

    /// Asks for the transactions that aren't finished, the current entitlements, and what is missing among them.
    ///
    /// - Returns: The usable entitlements, of whatever environment.
    private func askForTransactions() async -> [StoreTransaction] {
        await finish()
        let entitlements = await store.currentEntitlements()
        for statement in entitlements { receive(statement) }
        // Updates have missed refunds that came while the app was closed, so what the store doesn't list is asked about.
        let listed = Set(entitlements.map(\.transaction.id))
        var asked: Set<String> = []
        for grant in ledger.all where ledger.counts(grant) {
            guard let transaction = grant.transaction, !listed.contains(transaction.id),
                asked.insert(transaction.product).inserted,
                let latest = await store.latestTransaction(of: transaction.product)
            else { continue }
            receive(latest)
        }
        return entitlements.compactMap { statement in
            guard case .verified(let transaction) = statement, problem(with: statement) == nil else { return nil }
            return transaction
        }
    }

    /// Asks for the app's own purchase, until it says that the person paid before. The system may ask them to sign in.
    ///
    /// - Returns: Whether the store reported one.
    func askForAppPurchase() async -> Bool {
        guard let paidBefore else { return false }
        // Outside of production, the app may have set an answer for tests, which counts more.
        let isTest = paidBefore.testAnswer != nil && ledger.environment != .production
        if ledger.kept?.answer == true, !isTest {
            judgePaidBefore(nil)
            publish()
            return false
        }
        do {
            return try await judgeAppPurchase(isRefresh: false)
        } catch {
            onProblem?(.notLoaded(error))
            publish()
            return false
        }
    }

    private func judgeAppPurchase(isRefresh: Bool) async throws -> Bool {
        let purchase = try await store.appPurchase(isRefresh: isRefresh)
        judgePaidBefore(purchase)
        publish()
        return purchase?.isVerified ?? false
    }

    func judgePaidBefore(_ purchase: AppPurchase?) {
        guard let paidBefore else { return }
        var kept = ledger.kept
        let answer = paidBefore.judge(purchase, on: context.platform, kept: &kept)
        if kept != ledger.kept { save(.kept(kept)) }
        paidBeforeAnswer = answer
    }

    /// The products of the catalogue that this edition doesn't include, whatever the shop offers of them.
    var productsForSale: some Sequence<String> {
        catalogue.items.lazy.filter { [context] in !$0.isIncluded(in: context.edition) }.compactMap(\.product)
    }

    /// Asks for the products of the catalogue.
    ///
    /// - Returns: Whether the store knows any.
    func askForProducts() async -> Bool {
        productAskCount += 1
        let number = productAskCount
        let identifiers = Set(productsForSale)
        do {
            let known = identifiers.isEmpty ? [] : try await store.products(identifiers)
            // A question that began later was about the present catalogue and storefront.
            guard number > productAnswerNumber else { return !known.isEmpty }
            productAnswerNumber = number
            willChange.send()
            products = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            isOffline = false
            return !known.isEmpty
        } catch {
            guard number > productAnswerNumber else { return false }
            willChange.send()
            isOffline = true
            onProblem?(.notLoaded(error))
            return false
        }
    }
}

// MARK: - Restoring

extension Unlocks {
    /// The result of ``restore()``.
    public enum Restoration: Sendable, Equatable {
        /// The names of the unlocks that the person has bought and that weren't here, in sorted order. What has content is
        /// being delivered.
        case found([String])
        /// The person has bought something, and all of it was here already.
        case nothingNew
        /// The store knows of no purchase.
        case nothingFound
    }

    /// Brings back what the person bought on another device.
    ///
    /// Call it only when the person asks for it: they may have to sign in.
    ///
    /// - Returns: What was found.
    /// - Throws: The store's error. What the store reports in spite of it is used.
    @discardableResult
    public func restore() async throws -> Restoration {
        let before = bought
        var failure: (any Error)?
        do {
            try await store.sync()
            if paidBefore != nil { _ = try await judgeAppPurchase(isRefresh: true) }
        } catch {
            failure = error
        }
        await refresh()
        if let failure { throw failure }
        let after = bought
        let new = after.subtracting(before)
        if !new.isEmpty { return .found(new.sorted()) }
        return after.isEmpty && laterStatements.isEmpty ? .nothingFound : .nothingNew
    }

    private var bought: Set<String> {
        let before = paidBeforeAnswer?.isYes == true ? paidBefore?.grants ?? [] : []
        return ledger.bought(at: clock.now().date).union(before)
    }
}
