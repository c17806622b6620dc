import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Unlocks {
    /// The shortest time, in seconds, between two activations of the app at which the store is asked: 15 minutes.
    static let pauseBetweenAsking = 900.0

    /// Asks the store for purchases and prices, and the web for a newer catalogue, as at launch.
    ///
    /// This happens by itself when the app becomes active, at most every 15 minutes.
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
        // The elapsed time is negative if the clock was set back.
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
        // The answer to a later question is newer.
        guard number > answerNumber else { return }
        let usable = listed.filter { ($0.environment ?? ledger.environment) == ledger.environment }
        let isFromStore = hasAppPurchase || hasProducts
        guard isFromStore || !usable.isEmpty else { return }
        // A listed purchase that couldn't be written yet would look as if it were missing, and its unlocks would be locked.
        guard usable.allSatisfy({ ledger.isRecorded($0, in: catalogue) }) else { return }
        answerNumber = number
        var answer = StoreAnswer(
            environment: ledger.environment,
            date: date,
            isFromStore: isFromStore,
            subscriptions: Set(usable.filter { $0.expirationDate != nil }.map(\.id))
        )
        guard ledger.isNew(answer) else { return }
        // The list doesn't contain what was bought after the store made it.
        for grant in ledger.all(after: count) {
            if let transaction = grant.transaction { answer = answer.adding(transaction) ?? answer }
        }
        use(answer)
        publish()
        work()
    }

    /// Uses an answer of the store. On a full disk it counts until the app ends.
    func use(_ answer: StoreAnswer) {
        save(.answer(answer))
        ledger.apply(.answer(answer))
    }

    /// Follows the store's present environment: production if the store doesn't know it.
    func followEnvironment() {
        let environment = store.environment ?? .production
        guard ledger.environment != environment else { return }
        ledger.environment = environment
        queueDueGrants()
        publish()
        work()
    }

    /// Asks for the unfinished transactions, the current entitlements, and the purchases that are missing in those.
    ///
    /// - Returns: The usable entitlements of all environments.
    private func askForTransactions() async -> [StoreTransaction] {
        await finish()
        let entitlements = await store.currentEntitlements()
        for statement in entitlements { receive(statement) }
        // Refunds while the app isn't running are reported to be missing in the updates, so the store is asked about each
        // purchase that it doesn't list.
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

    /// Asks for the app's own purchase, unless a yes is kept. The system may ask the user to sign in.
    ///
    /// - Returns: Whether a verified app transaction arrived.
    func askForAppPurchase() async -> Bool {
        guard let paidBefore else { return false }
        // Outside of production, the app's answer for tests comes before a kept one.
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

    /// The products of the catalogue's items, except those that this edition includes.
    var productsForSale: some Sequence<String> {
        catalogue.items.lazy.filter { [context] in !$0.isIncluded(in: context.edition) }.compactMap(\.product)
    }

    /// Asks for the products of the catalogue.
    ///
    /// - Returns: Whether the store knows at least one.
    func askForProducts() async -> Bool {
        productAskCount += 1
        let number = productAskCount
        let identifiers = Set(productsForSale)
        do {
            let known = identifiers.isEmpty ? [] : try await store.products(identifiers)
            // A later question was for a newer catalogue or storefront.
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
        /// Purchases were restored: the names of their unlocks, sorted. Their content is being delivered.
        case found([String])
        /// The user has purchases, and all of them were here already.
        case nothingNew
        /// The store doesn't know any purchase of this user.
        case nothingFound
    }

    /// Restores what the user bought on another device.
    ///
    /// Call it only when the user asks for it, since they may have to sign in.
    ///
    /// - Returns: What was found.
    /// - Throws: The store's error. Purchases that the store lists anyway are used.
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
