/// How the bridge performs what ``Launch`` asks for. Nothing is decided here: calls, changes and answers become events, and effects
/// are performed in their order.
extension AppStoreBridge {
    func send(_ event: Launch.Event) {
        if launch.needsLedger(for: event) { readLedger() }
        perform(launch.handle(event, at: clock.moment))
    }

    /// The outcome of a call that doesn't wait. It counts, except for that of a release.
    func answer(on road: Road?, _ event: (Int) -> Launch.Event) -> Outcome {
        var outcome = Outcome.stillReading
        lastCall += 1
        waiting[lastCall] = { outcome = $0 }
        send(event(lastCall))
        if let road { counts?.record(outcome, on: road) }
        return outcome
    }

    func readLedger() {
        let reading: LaunchLedger.Reading
        do { reading = .record(try LedgerRecord(ledger.load())) } catch ReferralLedgerError.protectedDataUnavailable {
            reading = .locked
        } catch {
            reading = .failed(Failure(error))
        }
        perform(launch.handle(.ledger(reading), at: clock.moment))
    }

    private func perform(_ effects: [Launch.Effect]) {
        pending += effects
        // A listener that calls the bridge again meets the rest of the effects first, so their order is always the same.
        while !pending.isEmpty { perform(pending.removeFirst()) }
        timer.wait(until: launch.nextWake, clock) { [weak self] in await self?.wake(at: $0) }
    }

    private func perform(_ effect: Launch.Effect) {
        switch effect {
        case .observeActivity:
            activity?.observe { [weak self] state in self?.send(.appBecame(state)) }
        case .activity(let number):
            ask { [activity] in .activity(number, activity?.state) }
        case .clip(let number):
            ask { [clipStorage] in .clip(number, await Result { try await clipStorage?.read() }) }
        case .removeClip(let number):
            ask { [clipStorage] in
                await clipStorage?.remove()
                return .clipRemoved(number)
            }
        case .changeCount(let number):
            ask { [pasteboard] in .changeCount(number, await pasteboard.changeCount) }
        case .probe(let number):
            ask { [pasteboard] in .probed(number, await Result { try await pasteboard.mayHoldLink() }) }
        case .contents(let number):
            ask { [pasteboard] in .contents(number, await Result { try await pasteboard.contents() }) }
        case .tell(let number, let arrival):
            send(.told(number, isHeard: tell(arrival)))
        case .save(let number, let record):
            do {
                try record.save(in: ledger)
                send(.saved(number, nil))
            } catch {
                send(.saved(number, Failure(error)))
            }
        case .report(let outcome, let road):
            counts?.record(outcome, on: road)
            delegate?.appStoreBridge(self, didFinishCheckWith: outcome)
            onOutcome?(outcome)
        case .reportLedgerFailure(let failure):
            delegate?.appStoreBridge(self, ledgerDidFail: failure.underlyingError)
        case .resume(let call, let outcome): waiting.removeValue(forKey: call)?(outcome)
        }
    }

    /// Asks the outside, which may answer late or never. The bridge may be gone by then.
    private func ask(_ question: @escaping @MainActor () async -> Launch.Event) {
        Task { [weak self] in
            let answer = await question()
            self?.send(answer)
        }
    }

    /// Tells the delegate and the closures.
    ///
    /// - Returns: Whether there was anybody to tell.
    private func tell(_ arrival: Arrival) -> Bool {
        let isHeard = delegate != nil || onArrival != nil || viewAction != nil
        delegate?.appStoreBridge(self, didReceive: arrival)
        if isHeard { counts?.record(arrival) }
        onArrival?(arrival)
        viewAction?(arrival)
        return isHeard
    }

    private func wake(at moment: Timestamp) { if timer.end(moment) { send(.woke(moment)) } }
}

private extension Result where Failure == AppStoreBridge.Failure {
    @MainActor
    init(_ value: @MainActor () async throws -> Success) async {
        do { self = .success(try await value()) } catch { self = .failure(AppStoreBridge.Failure(error)) }
    }
}
