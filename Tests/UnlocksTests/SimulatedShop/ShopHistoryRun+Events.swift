import Foundation
import ReferralBridge
import Unlocks

extension ShopHistoryRun {
    func launch() {
        knownPurchases = []
        (observed, observations, isClockNew) = ([:], observations + 1, false)
        moments.end()
        forgetUnwritten()
        (diskHasFailed, diskWasSlow, idleWakings) = (false, diskSeconds != nil, 0)
        endPauses(of: shop)
        if isJournalLost { open = [] }
        do {
            try shop.launch()
        } catch {
            // Another process may have the folder, and a slow disk may tell of another launch.
            let isTaken = hasOther && isRunning(other) || shop.storage.isLocked
            let isExpected = hasEndedEarly || !diskWorks || isTaken || diskSeconds != nil
            if !isExpected { violate("the launch failed: \(error)") }
        }
        shop.unlocks?.ownReferrer = "me"
        observe()
    }

    func apply(_ event: ShopHistory.Event) {
        idleWakings = 0
        switch event {
        case .launch:
            allowMore()
            launch()
        case .end: end(shop)
        case .endAt(let moment): ending = moment
        case .wait(let seconds):
            // One each hour, as long as it lasts.
            idleWakings = -Int(seconds / 3_600)
            shop.wait(seconds)
        case .month:
            apply(.wait(2_700_000))
            apply(.activate)
        case .buy(let product, let answer): inApp { self.buy(product, answer, $0) }
        case .approve:
            guard let product = pending.popLast() else { return }
            say(transaction(of: product), isAnnounced: true)
        case .decline: _ = pending.popLast()
        case .buyElsewhere(let product): say(transaction(of: ProductID(product)), isAnnounced: true)
        case .buyAbsurdly(let number): say(absurdTransaction(number), isAnnounced: true)
        case .refund(let number, let isAnnounced):
            guard var transaction = truth(number)?.current, !transaction.isRevoked else { return }
            transaction.isRevoked = true
            forgetFiles(of: "purchase-\(transaction.id)")
            say(transaction, isAnnounced: isAnnounced)
        case .reverseRefund(let number, let isAnnounced):
            guard history.hasDates, var transaction = truth(number)?.current, transaction.isRevoked else { return }
            transaction.isRevoked = false
            truths[transaction.id]?.allowedDeliveries += 1
            // The app may have heard of the refund meanwhile.
            forgetFiles(of: "purchase-\(transaction.id)")
            say(transaction, isAnnounced: isAnnounced)
        case .repeat(let number, let isOld):
            guard let truth = truth(number) else { return }
            announce(.verified(isOld ? truth.statements[0] : truth.current))
        case .forge(let number):
            guard var transaction = truth(number)?.current else { return }
            transaction.isRevoked.toggle()
            transaction.signedDate = .distantFuture
            announce(.unverified(transaction, reason: "forged"))
        case .renew(let isNew, let isAnnounced):
            guard let id = order.last(where: { truths[$0]?.current.productID == "pro" }),
                let before = truths[id]?.current, !isNew || before.environment == environment
            else { return }
            var transaction = isNew ? transaction(of: "pro") : before
            if isNew { transaction.originalID = before.subscription }
            transaction.expirationDate = before.expirationDate.map { max($0, storeTime) + 50_000 }
            say(transaction, isAnnounced: isAnnounced)
        case .delivery(let works): deliveryWorks = works
        case .disk(let works): diskWorks = works
        case .deliveryTakes(let seconds): deliverySeconds = seconds
        case .server(let manner, let times): shop.web.answer(manner, times: times)
        case .guards(let answer, let times): shop.web.guards(answer, times: times)
        case .serverTakes(let seconds): shop.web.seconds = seconds
        case .serverChanges: changeServer()
        case .downloadAgain(let item): inApp { self.downloadAgain(item, $0) }
        case .diskTakes(let seconds): (diskSeconds, diskWasSlow) = (seconds, true)
        case .spend(let count, let unlock): inApp { self.spend(count, of: unlock, $0) }
        case .spendTwice(let first, let second):
            inApp { unlocks in
                self.spend(first, of: "hint", unlocks)
                self.spend(second, of: "hint", unlocks)
            }
        case .invite(let count, let first): inApp { self.invite(first..<first + count, $0) }
        case .claim(let referrer): inApp { self.claim(referrer, $0) }
        case .reach: inApp { self.reach($0) }
        case .sign(let number, let isAnnounced):
            if let transaction = truth(number)?.current { say(transaction, isAnnounced: isAnnounced) }
        case .refresh: inApp { unlocks in Task { await unlocks.refresh() } }
        case .restore: inApp { unlocks in Task { try? await unlocks.restore() } }
        case .reset:
            inApp { unlocks in
                for id in self.order { self.truths[id]?.allowedDeliveries += 1 }
                self.removable.formUnion(self.order.map { "purchase-\($0)" })
                self.forgetFiles()
                Task { try? await unlocks.reset() }
            }
        case .activate: if isRunning { shop.activity.becomeActive() }
        case .promote(let product, let answer):
            inApp { _ in
                self.answer(answer)
                self.shop.store.promote(ProductID(product))
            }
        default: happenOnDevice(event)
        }
    }

    /// What changes the device, the store or the installed app.
    private func happenOnDevice(_ event: ShopHistory.Event) {
        switch event {
        case .network(let works):
            shop.store.isReachable = works
        case .productsLate: shop.store.answersProducts = false
        case .productsArrive(let lastFirst):
            let questions = Array(0..<shop.store.waitingQuestions)
            shop.store.answerProducts(inOrder: lastFirst ? questions.reversed() : questions)
        case .silence(let question, let isStale):
            shop.store.unanswered.insert(question)
            shop.store.isStale = isStale
        case .answers: shop.store.unanswered = []
        case .lies(let lies):
            // What is a lie elsewhere would be true in Xcode.
            guard environment != .xcode else { return }
            shop.store.lies = lies ? self.lies : []
            hasLied = hasLied || lies
        case .catalog(let version):
            // One that can't be read changes nothing.
            guard let facts = version.facts else { return }
            forgetUnwritten()
            // Content that is delivered again is looked for once more.
            endPauses()
            use(version, facts)
            widenTerms()
            for (number, underway) in spending {
                spending[number]?.allowances.append(allowance(of: underway.unlock))
            }
            for shop in hasOther ? [shop, other] : [shop] {
                shop.catalog = facts.catalog
                if let unlocks = shop.unlocks { Task { await unlocks.use(facts.catalog) } }
            }
        case .setClock(let error):
            setClock(to: error)
        case .loseContent:
            endAll()
            shop.storage.loseContent()
            forgetFiles()
        case .install(let environment):
            guard environment != .xcode || !hasLied else { return }
            endAll()
            shop.store.environment = environment
            if hasOther { other.store.environment = shop.store.environment }
            open = []
        case .launchLocked:
            endAll()
            (shop.storage.isLocked, open) = (true, [])
            launch()
        case .unlockDevice: unlockDevice()
        case .other(let isLaunched):
            let other = makeOther()
            end(other)
            guard isLaunched, !shop.storage.isLocked else { return }
            other.catalog = facts.catalog
            other.store.environment = shop.store.environment
            try? other.launch()
            other.unlocks?.ownReferrer = "me"
        case .removeJournal:
            shop.storage.removeJournal()
            loseJournal()
        case .damage(let place):
            endAll()
            shop.storage.damage { bytes in
                // A broken block has zeros.
                if !bytes.isEmpty { bytes[place % bytes.count] = 0 }
            }
            loseJournal()
        default: break
        }
    }

    /// Sets the clock, after which each process may be woken too early once.
    func setClock(to error: Double) {
        shop.setClock(by: error - clockError)
        (clockError, isClockNew) = (error, true)
        endPauses()
        clockChanges += hasOther ? 2 : 1
    }

    private func endAll() {
        end(shop)
        if hasOther { end(other) }
    }

    private func loseJournal() {
        isJournalLost = true
        moments.lose()
        allowMore()
        if !isRunning || shop.state("gold") == .unknown(.notOpened) { open = [] }
    }

    /// What a catalog added, and nobody could write down, the next one may not have.
    private func forgetUnwritten() {
        // A journal that was removed may belong to the other process now, which is as if the disk had failed.
        guard diskHasFailed || hasEndedEarly || diskWasSlow || !diskWorks || isJournalLost && hasOther else { return }
        open = open.filter { ["gold", "silver"].contains($0.unlock) && !wasOther }
    }

    func unlockDevice() {
        shop.storage.isLocked = false
        // Whoever unlocks the device to use the app brings it to the front.
        shop.activity.becomeActive()
    }

    /// Does something in the app, which the person opens if it isn't running.
    private func inApp(_ action: @escaping @MainActor (UnlockCenter) -> Void) {
        if !isRunning { launch() }
        guard let unlocks = shop.unlocks, isRunning else { return }
        action(unlocks)
    }
}

// MARK: - What the person does

private extension ShopHistoryRun {
    /// What the next attempt to buy gives.
    func answer(_ answer: ShopHistory.Answer) {
        shop.store.answer = { [unowned self] product in
            switch answer {
            case .cancelled: return .cancelled
            case .fails: throw SimulatedStore.Unreachable()
            case .pending:
                pending.append(product)
                return .pending
            case .bought:
                let transaction = say(transaction(of: product), isAnnounced: false)
                if ending == .purchase { endNow(shop) }
                return .purchased(.verified(transaction))
            }
        }
    }

    func buy(_ product: String, _ answer: ShopHistory.Answer, _ unlocks: UnlockCenter) {
        self.answer(answer)
        let item = unlocks.catalog.items.first { $0.id.rawValue == product || $0.productID?.rawValue == product }
        guard let item else { return }
        Task { [weak self] in
            let result = try? await unlocks.buy(item.id)
            if item.isFree, result == .bought { self?.hasTakenStarter = true }
        }
    }

    func reach(_ unlocks: UnlockCenter) {
        // One that fails may have been written all the same.
        hasPerhapsReached = true
        Task { [weak self] in
            guard (try? await unlocks.recordEvent("first-board")) != nil else { return }
            self?.hasReached = true
        }
    }

    func claim(_ referrer: String, _ unlocks: UnlockCenter) {
        if referrer != "me" { isPerhapsClaimed = true }
        Task { [weak self] in
            guard let rewards = try? await unlocks.claim(Arrival(Referral(referrer: referrer), road: .opened)), let self
            else { return }
            if !rewards.isEmpty, referrer == "me" { violate("one's own link earned something") }
            if referrer != "me", !claims.contains(referrer) { claims.append(referrer) }
        }
    }
}

// MARK: - What a store may say

private extension ShopHistoryRun {
    /// Nothing of this opens anything, and none of it is finished.
    var lies: [StoreStatement] {
        let true_ = StoreTransaction(id: "lie", productID: "gold", app: "com.example.trestle", environment: environment)
        func with(_ change: (inout StoreTransaction) -> Void) -> StoreTransaction {
            var transaction = true_
            change(&transaction)
            return transaction
        }
        return [
            .unverified(true_, reason: "forged"),
            .verified(with { ($0.id, $0.app) = ("lie-1", "com.example.other") }),
            .verified(with { ($0.id, $0.environment) = ("lie-2", .xcode) }),
            .verified(with { $0.id = "" }),
            .verified(with { ($0.id, $0.productID) = ("lie-3", "") }),
            .verified(with { $0.id = String(repeating: "7", count: 300) }),
            .verified(with { ($0.id, $0.productID) = ("lie-4", "nobody-knows") }),
            .verified(with { ($0.id, $0.productID) = ("lie-5", ProductID(String(repeating: "\u{301}", count: 200))) }),
            .verified(with { ($0.id, $0.productKind) = ("lie-6", .nonRenewing) }),
        ]
    }

    func absurdTransaction(_ number: Int) -> StoreTransaction {
        var transaction = transaction(of: ["gold", "hints", "pro", "gold"][number % 4])
        let dates = [
            Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300), Date(timeIntervalSince1970: -1e300),
        ]
        transaction.purchaseDate = dates[number / 2]
        transaction.originalID = String(repeating: "x", count: 300)
        switch transaction.productID {
        case "pro": transaction.expirationDate = [Date.distantFuture, Date(timeIntervalSince1970: 1e300)][number / 4]
        case "gold": transaction.quantity = [0, .min, -1, .max][number / 2]
        // Of a pack, one is what everybody agrees on.
        default: transaction.quantity = [0, .min][number / 4]
        }
        return transaction
    }
}
