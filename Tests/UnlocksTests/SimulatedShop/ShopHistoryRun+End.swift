import Foundation
import ReferralBridge
import SimulatedRuntime
import Unlocks

extension ShopHistoryRun {
    /// Things work again: then whoever paid has it, and nobody else.
    func end() {
        (deliveryWorks, diskWorks, ending) = (true, true, nil)
        (deliverySeconds, diskSeconds) = (0, nil)
        shop.web.answer(.works, times: 0)
        shop.web.guards(nil, times: 0)
        shop.web.seconds = 0
        if hasOther { end(other) }
        let store = shop.store
        store.answerProducts()
        (store.unanswered, store.lies, store.isReachable) = ([], [], true)
        // What is bought now is recorded with the catalog until now.
        JobQueue.drain()
        setClock(to: 0)
        use(.whole, used[.whole] ?? facts)
        shop.catalog = facts.catalog
        widenTerms()
        unlockDevice()
        // Something signed anew corrects the clock.
        let present = order.last { truths[$0]?.current.environment == environment }
        if let transaction = present.flatMap({ truths[$0]?.current }) { say(transaction, isAnnounced: false) }
        let clock = shop.now.date
        // What the store lists at the launch, or is asked for, is open for three days more.
        var asked = storeTime
        if history.endsWithLaunch || !isRunning {
            allowMore()
            launch()
        } else if let unlocks = shop.unlocks {
            // Another process may have had the folder until now, which is tried again within an hour.
            shop.clock.wakeAll(of: ObjectIdentifier(shop), exceptApp: true)
            shop.wait(4_000)
            asked = storeTime
            Task { [facts] in
                await unlocks.use(facts.catalog)
                await unlocks.refresh()
            }
        }
        shop.wait(8_000)
        if isRunning { isClockNew = false }
        check(since: clock)
        guard let unlocks = shop.unlocks, isRunning else { return violate("the app doesn't run") }
        let valid = order.compactMap { truths[$0]?.current }.filter {
            !$0.isRevoked && $0.environment == environment
        }
        if !hadOtherKinds { endStates(valid, asked, unlocks) }
        if !removable.isEmpty {
            // What a server has taken away comes back if the user wants it to.
            apply(.reset)
            shop.wait(4_000)
        }
        for id in order { endContent(id, unlocks) }
        guard !hadOtherKinds, !isJournalLost else { return }
        endTerms()
        endUses(valid, unlocks)
        endRewards(unlocks)
    }

    /// The products that open each unlock.
    private static let products: [(UnlockID, [ProductID])] = [
        ("gold", ["gold", "everything"]), ("silver", ["everything"]), ("pro", ["pro"]),
    ]

    private func endStates(_ valid: [StoreTransaction], _ asked: Date, _ unlocks: UnlockCenter) {
        for (name, products) in Self.products {
            // The store lists only the latest period of a subscription.
            let latest = Dictionary(valid.map { ($0.subscription, $0.id) }) { $1 }
            let bought = valid.filter {
                products.contains($0.productID) && latest[$0.subscription] == $0.id
                    && $0.expirationDate.map { asked < $0 } ?? true
            }
            let state = unlocks.state(of: name)
            guard case .unlocked(let evidence) = state else {
                if !bought.isEmpty { violate("\(name) was paid by \(bought.map(\.id)) and is \(state)") }
                continue
            }
            let purchases = evidence.compactMap { if case .purchase(let id) = $0 { id } else { nil } }
            // What was recorded with another catalog keeps what that opened.
            let isMissing = !Set(purchases).isSuperset(of: bought.map(\.id))
            let more = purchases.filter { id in !valid.contains { $0.id == id } }
            if isMissing || !more.isEmpty {
                violate("\(name) is open by \(purchases), and was paid by \(bought.map(\.id))")
            }
        }
    }

    private func endContent(_ id: String, _ unlocks: UnlockCenter) {
        let content = shop.storage.folders["purchase-\(id)"]
        guard let truth = truths[id], truth.current.environment == environment else { return }
        // What can't be removed is removed at the next launch.
        if truth.current.isRevoked, content != nil || shop.storage.disk.files["purchase-\(id)"] != nil, !diskHasFailed,
            !isJournalLost
        {
            violate("the content of the refunded \(id) is still there")
        }
        // What has ended isn't delivered again.
        let isOver = truth.term != nil || truth.current.expirationDate.map { $0 <= now.upperBound } ?? false
        let isUsedUp = truth.current.productID == "hints" && (unlocks.balance(of: "hint") == 0 || isJournalLost)
        if !truth.current.isRevoked, !isOver, !isUsedUp, !hadOtherKinds, content != ["first", "second"] {
            violate("\(id) has no content")
        }
        if !truth.current.isRevoked, !isOver, !isUsedUp, !hadOtherKinds { endFiles(of: "purchase-\(id)") }
        if !shop.store.finished.contains(id) { violate("\(id) was never finished") }
    }

    private func endRewards(_ unlocks: UnlockCenter) {
        let isOpen =
            if case .unlocked(let evidence) = unlocks.state(of: "silver") {
                evidence.contains { if case .reward = $0 { true } else { false } }
            } else {
                false
            }
        if hasReached, !claims.isEmpty, !isOpen { violate("a reward was earned and not granted") }
        if !hasReached, !hasPerhapsReached, isOpen { violate("a reward was granted before its event") }
        if hasTakenStarter, !unlocks.state(of: "starter").isUnlocked { violate("the free item is gone") }
    }
}
