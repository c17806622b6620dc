import Foundation
import ReferralBridge
import SimulatedRuntime
import Unlocks

extension ShopHistoryRun {
    /// What holds at each moment, after something that began at a moment of the device's clock.
    func check(since clock: Date) {
        moments.show(clock)
        moments.show(shop.now.date)
        correct(at: min(clock, shop.now.date))
        if !shop.store.soldTwice.isEmpty { violate("a second tap bought \(shop.store.soldTwice)") }
        // Two processes that have lost the journal disturb each other until their pauses are longer than a delivery.
        let disturbed = isJournalLost && hasOther ? 20 : 0
        for (id, truth) in truths where truth.deliveries > truth.allowedDeliveries + disturbed {
            violate("\(id) was delivered \(truth.deliveries) times")
        }
        for folder in shop.storage.complete {
            guard let content = shop.storage.folders[folder] else { continue }
            if content != ["first", "second"] { violate("\(folder) has \(content) and counts as complete") }
            checkFiles(of: folder)
        }
        if hasOther, isRunning(other) {
            _ = possessions(in: other)
            checkLoading(in: other)
        }
        guard isRunning else { return }
        checkOpen()
        checkSubscribers()
        checkPaid()
        checkLoading(in: shop)
        seeClock()
        checkUses()
        checkTerms()
        checkAnswers()
    }

    /// The app has looked at the clock, and writes it down now and then.
    private func seeClock() {
        guard isOpen else { return }
        moments.see(shop.now.date)
        JobQueue.drain()
        if isRunning, diskWorks, diskSeconds == nil, !diskHasFailed, !diskWasSlow { moments.write() }
    }

    /// What is open in a process, and by which purchases.
    private func possessions(in shop: Shop) -> Set<Possession> {
        guard let unlocks = shop.unlocks else { return [] }
        var possessions: Set<Possession> = []
        for unlock: UnlockID in ["gold", "silver", "pro", "platinum", "extra", "lounge", "studio"] {
            guard case .unlocked(let evidence) = unlocks.state(of: unlock) else { continue }
            for case .purchase(let id) in evidence { possessions.insert(Possession(id: id, unlock: unlock)) }
        }
        for id in Set(possessions.map(\.id)) {
            guard let truth = truths[id], truth.current.environment == environment else {
                violate("\(id) is open and was never bought in this environment")
                continue
            }
            if truth.deliveries == 0 { violate("\(id) is open and was never delivered") }
            if truth.completions == 0 { violate("\(id) is open, and its folder was never complete") }
        }
        return possessions
    }

    /// What was open stays open, unless the store said otherwise or its time is over.
    private func checkOpen() {
        let nowOpen = possessions(in: shop)
        if shop.state("gold") != .unknown(.notOpened) {
            for possession in open.subtracting(nowOpen) {
                guard let truth = truths[possession.id] else { continue }
                let isOver =
                    truth.term != nil
                    || truth.statements.contains { $0.expirationDate.map { $0 <= now.upperBound } ?? false }
                // Doses are used up.
                if !truth.wasRevoked, !isOver, !hadOtherKinds {
                    violate("\(possession) was open and isn't any more")
                }
            }
            open = nowOpen
        }
        for id in nowOpen.map(\.id) {
            // The app may not have heard of a refund yet.
            guard let truth = truths[id], truth.current.productID == "pro", !truth.wasRevoked else { continue }
            subscribers.insert(truth.current.subscription)
        }
    }

    /// Whatever the device's clock says, and whether it is online.
    private func checkSubscribers() {
        guard !isJournalLost, shop.state("pro") == .locked else { return }
        for subscription in subscribers where paidUntil[subscription].map({ storeTime < $0 }) ?? false {
            guard truths[subscription]?.current.environment == environment else { continue }
            violate("\(subscription) is locked out")
        }
    }

    /// Who has paid isn't locked out, and isn't asked to pay again.
    private func checkPaid() {
        guard let unlocks = shop.unlocks, shop.state("gold") != .unknown(.notOpened), !hadOtherKinds else { return }
        let offers = unlocks.offers
        var opened: Set<UnlockID> = []
        for (product, grants) in facts.lasting {
            let valid = truths.values.filter { truth in
                truth.current.productID == product && truth.current.environment == environment && !truth.wasRevoked
                    && truth.statements.allSatisfy { statement in
                        statement.expirationDate.map { $0 > max(storeTime, now.upperBound) } ?? true
                    }
            }
            let finished = valid.filter { shop.store.finished.contains($0.current.id) }
            if !finished.isEmpty, !isJournalLost, let locked = grants.first(where: { unlocks.state(of: $0).isLocked }) {
                violate("\(locked) is locked, and was paid by \(finished.map(\.current.id)), which is finished")
            }
            let known = valid.filter { knownPurchases.contains($0.current.id) } + (isJournalLost ? [] : finished)
            guard !known.isEmpty else { continue }
            if product != "pro" { opened.formUnion(grants) }
            for offer in offers where offer.item.productID == product {
                if case .forSale = offer.state {
                    violate("\(offer.item.id) is for sale, and was paid by \(known.map(\.current.id))")
                }
            }
        }
        for offer in offers where offer.item.kind == .nonConsumable && opened.isSuperset(of: offer.item.grants) {
            if case .forSale = offer.state { violate("\(offer.item.id) is for sale, and opens nothing more") }
        }
    }
}

// MARK: - Wakings

extension ShopHistoryRun {
    /// What an app has asked and written.
    private func effects(of shop: Shop) -> Int { shop.store.calls + shop.storage.calls + shop.web.calls }

    /// An app is woken only for something: what it does, what changes, or the end of a time limit.
    func willWake(_ app: ObjectIdentifier, _ seconds: [Double]) -> () -> Void {
        let shop = app == ObjectIdentifier(shop) ? shop : other
        let effects = effects(of: shop)
        let (states, balances) = (states(in: shop), balances(in: shop))
        return { [unowned self] in
            guard isRunning(shop), self.effects(of: shop) == effects,
                states == self.states(in: shop),
                balances == self.balances(in: shop)
            else { return }
            // The limit of a question that isn't answered. A timer that is set anew when one ends waits for the rest of the next.
            if shop.store.isAsked, seconds.allSatisfy({ $0 <= 30 }), limitWakings < shop.store.calls {
                return limitWakings += 1
            }
            // What a pause is over for has to wait for a delivery or for the disk, or needs no disk any more. A journal that
            // was removed may belong to the other process now, which is as if the disk had failed.
            // What ends is unknown after a catalog in which anything was something else.
            if shop.clock.isBusy(app) || diskHasFailed || isJournalLost && hasOther {
                idleWakings += 1
                if idleWakings <= Self.mostIdleWakings { return }
            }
            // So do files whose pause is over while others are loaded: once each.
            if !shop.loader.loading.isEmpty, loadWakings < failed.count {
                loadWakings += 1
                return
            }
            if isEnd(shop.now.date) { return }
            guard clockChanges == 0 else { return clockChanges -= 1 }
            violate("the app was woken after \(seconds) s, for nothing")
        }
    }

    /// A question's limit, and pauses of 1, 2, 4 … seconds up to an hour, of the disk, of a delivery and of the updates.
    private static let mostIdleWakings = 60

    private func states(in shop: Shop) -> [UnlockState?] {
        ["gold", "silver", "pro", "hint", "board", "lounge", "studio"].map(shop.state)
    }

    private func balances(in shop: Shop) -> [UnlockBalance?] { Self.counted.map { shop.unlocks?.balance(of: $0) } }

    /// Whether a purchase ends now, or the time that one is open after its end, or free uses are refilled.
    private func isEnd(_ now: Date) -> Bool {
        if now.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) < 1 { return true }
        return truths.values.contains { truth in
            if let term = truth.term, term.date.lowerBound + 86_400 <= now { return true }
            return truth.statements.contains { $0.expirationDate.map { now.timeIntervalSince($0) >= 0 } ?? false }
        }
    }
}
