import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Unlocks {
    /// Delivers what is due, one after the other, unless that is happening.
    func work() {
        guard isStarted, journal != nil, !isWorking else { return }
        isWorking = true
        timer?.cancel()
        working = Task { [weak self] in
            while let self, let source = self.queue.next(at: self.clock.now().date) { await self.deliver(source) }
            self?.isWorking = false
            self?.setTimer()
        }
    }

    /// Delivers again what has no folder any more, as after a restore from a backup. It stays open meanwhile.
    func deliverLostContent() {
        guard let names = try? storage.folderNames() else { return }
        for var grant in Array(ledger.all) where ledger.counts(grant) && !names.contains(grant.folderName) {
            // On the disk, since a delivery that fails leaves a folder.
            grant.isDueAgain = true
            save(.grant(grant))
            queue.add(grant.source)
        }
    }

    func deliver(_ source: Grant.Source) async {
        guard let grant = ledger[source], grant.isDue, ledger.isPresent(grant) else { return queue.remove(source) }
        var delivery: Delivery?
        do {
            let folder = try storage.makeFolder(grant.folderName, for: JournalEntry.grant(grant).json)
            let item = grant.item.flatMap { id in catalogue.items.first { $0.id == id } }
            delivery = Delivery(
                evidence: source.evidence,
                unlocks: grant.doses.keys.sorted(),
                item: item,
                transaction: grant.transaction,
                folder: folder
            )
            willChange.send()
            self.delivery = delivery
            if let delivery { try await deliver(delivery) }
            willChange.send()
            self.delivery = nil
            // It may have been refunded meanwhile.
            guard var delivered = ledger[source], delivered.isDue else {
                queue.remove(source)
                return removeContent(of: grant)
            }
            delivered.stage = .delivered
            delivered.isDueAgain = false
            try commit(.grant(delivered))
        } catch {
            willChange.send()
            self.delivery = nil
            let pause = queue.fail(source, at: clock.now().date)
            if let error = error as? UnlocksError {
                onProblem?(.notSaved(error))
            } else if let delivery {
                onProblem?(.notDelivered(delivery, error, retryAfter: pause))
            }
            return
        }
        queue.remove(source)
        publish(grant.doses.keys)
        if case .purchase(let id) = source { await finish(id) }
    }

    /// Wakes up when the next delivery may be tried, when the disk may take what it didn't take, or when something ends.
    func setTimer() {
        timer?.cancel()
        let now = clock.now().date
        let moments = [queue.earliest, nextSaving, ledger.nextExpiration(after: now)]
        guard let next = moments.compactMap(\.self).min() else { return }
        // Dates are rounded: without a least pause it might wake just before the moment, again and again.
        let pause = max(0.001, next.timeIntervalSince(now))
        timer = Task { [weak self, clock] in
            await clock.sleep(pause)
            guard !Task.isCancelled else { return }
            await self?.wake()
        }
    }

    func wake() async {
        nextSaving = nil
        publish()
        await takeLaterStatements()
        takeClaims()
        work()
    }
}
