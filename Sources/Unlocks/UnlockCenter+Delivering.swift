import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension UnlockCenter {
    /// Delivers what is due, one after the other, unless that is happening.
    func work() {
        guard book.isOpen, !isWorking else { return }
        isWorking = true
        working = Task { [weak self] in
            while let self {
                if let source = self.queue.next(at: self.clock.now().date) {
                    await self.deliver(source)
                } else if self.mayLackContent == true {
                    self.mayLackContent = false
                    await self.queueLostContent()
                } else {
                    break
                }
            }
            self?.isWorking = false
            self?.setTimer()
        }
    }

    /// Queues what has no complete folder, as after a restore from a backup. It stays open meanwhile.
    private func queueLostContent() async {
        guard let names = try? await book.completeFolders() else { return }
        let now = clock.now().date
        for grant in book.ledger.all where !names.contains(grant.folderName) && book.ledger.needsContent(grant, at: now)
        {
            queue.add(grant.source, isAgain: true)
        }
    }

    /// Lets lost content be looked for, since something may be of use again.
    func lookForLostContent() { if mayLackContent != nil { mayLackContent = true } }

    func deliver(_ source: Grant.Source) async {
        guard let grant = book.ledger[source], isDeliverable(grant) else { return queue.remove(source) }
        var (delivery, wasUsedUp): (Delivery?, Bool) = (nil, false)
        (underway, isInterrupted) = (source, false)
        defer { underway = nil }
        do throws(any Error) {
            let folder = try await book.makeFolder(grant.folderName)
            delivery = Delivery(
                evidence: source.evidence,
                unlocks: grant.amounts.keys.sorted().map(\.text),
                item: grant.item.flatMap { catalog.item(named: $0) },
                transaction: grant.transaction,
                folder: folder
            )
            observers.willChange()
            self.delivery = delivery
            if let delivery { try await deliver(delivery) }
            endDelivery()
            let description = JournalEntry.grant(grant).json
            let isComplete = isInterrupted ? false : try await book.completeFolder(grant.folderName, description)
            let isRevoked = try await book.change { ledger throws(UnlocksError) in
                guard var grant = ledger[source], !grant.isRevoked else { return ([], true) }
                guard isComplete, !isInterrupted, grant.isDue else { return ([], false) }
                wasUsedUp = grant.amounts.contains { $1 > 0 && ledger.balance(of: $0) == 0 }
                grant.stage = .delivered
                return ([.grant(grant)], false)
            }
            guard !isRevoked else {
                // It was refunded meanwhile.
                queue.remove(source)
                return removeContent(of: grant)
            }
            guard isComplete, !isInterrupted else {
                // Its folder was removed meanwhile.
                _ = queue.fail(source, at: clock.now().date)
                return
            }
        } catch {
            endDelivery()
            let pause = queue.fail(source, at: clock.now().date)
            if let error = error as? UnlocksError {
                onProblem?(.notSaved(error))
            } else if let delivery {
                onProblem?(.notDelivered(delivery, error, retryAfter: pause))
            }
            return
        }
        queue.remove(source)
        if wasUsedUp { lookForLostContent() }
        publish(grant.amounts.keys)
        if case .purchase = source { finishSoon() }
    }

    private func endDelivery() {
        guard delivery != nil else { return }
        observers.willChange()
        delivery = nil
    }

    private func isDeliverable(_ grant: Grant) -> Bool {
        book.ledger.isPresent(grant) && (grant.isDue || queue.isAgain(grant.source) && !grant.isRevoked)
    }

    /// Removes the content of something that was refunded or is delivered again.
    func removeContent(of grant: Grant) {
        if underway == grant.source { isInterrupted = true }
        Task { [weak self] in
            do throws(UnlocksError) {
                try await self?.book.removeFolder(grant.folderName)
            } catch {
                self?.onProblem?(.contentNotRemoved(error))
            }
        }
    }

    /// Wakes up when the next delivery may be tried, when the disk may take what it didn't take, or when something ends.
    func setTimer() {
        timer?.cancel()
        let now = clock.now().date
        let end = book.ledger.nextExpiration(after: now)?.timeIntervalSince(now)
        let rests = [isWorking ? nil : queue.rest(at: now), book.rest(at: now), end]
        guard let rest = rests.compactMap(\.self).min() else { return timer = nil }
        timer = Task { [weak self, clock] in
            // Dates are rounded: without a millisecond more it might wake just before the moment, for nothing.
            await clock.sleep(rest + 0.001)
            guard !Task.isCancelled else { return }
            await self?.wake()
        }
    }

    private func wake() async {
        let isDue = book.endPause(at: clock.now().date)
        if isDue, !book.isOpen { return await open() }
        publish()
        if isDue { await saveAgain() }
        work()
        setTimer()
    }
}
