import ReferralFoundation

/// The side of the user who was invited: an arrival, an event, and an entry in the guestbook.
extension Invites {
    /// The time within which a referral must arrive after the first launch, and the app may have been bought before the
    /// arrival, in seconds: 7 days.
    static let newcomerTime = 604_800.0
    /// The pause after an entry wasn't allowed, in seconds: a day.
    static let refusalPause = 86_400.0
    /// The time after which an entry that isn't allowed is given up, in seconds: 30 days.
    static let refusalLimit = 2_592_000.0

    /// A request that isn't answered.
    struct Signing: Sendable, Equatable {
        let number: Int
        let program: String
    }

    /// A referral that arrives now, if it makes the user a newcomer.
    func accepted(_ referrer: String) -> InviteRecord.AcceptedReferral? {
        let new = InviteRecord.AcceptedReferral(referrer: InviteCode.canonical(referrer), time: now)
        return new.referrer.utf8.count <= InviteRecord.maximumNameLength && counts(new) ? new : nil
    }

    mutating func receiveArrival(from referrer: String) {
        guard let new = accepted(referrer) else { return }
        record.arrivals.removeAll { $0.referrer == new.referrer }
        record.arrivals = (record.arrivals + [new]).suffix(InviteRecord.maximumArrivals)
    }

    mutating func reach(_ event: String) {
        guard event.utf8.count <= InviteRecord.maximumNameLength, !record.reached.contains(event) else { return }
        record.reached.append(event)
        guard let arrival = record.arrivals.last(where: counts) else { return }
        let day = Timestamp(milliseconds: (now.milliseconds / 86_400_000).rounded(.down) * 86_400_000)
        let closed = record.finished + record.pending.map(\.program)
        for program in programs where program.event == event && !closed.contains(program.name) {
            record.pending.append(.init(program: program.name, arrival: arrival, event: event, day: day))
        }
        signNext()
    }

    /// Whether an arrival makes the user a newcomer who was invited by somebody else.
    private func counts(_ arrival: InviteRecord.AcceptedReferral) -> Bool {
        // If the clock was set back, the time counts as if it hadn't been.
        guard !isOwn(arrival.referrer), abs(record.firstLaunch.seconds(until: arrival.time)) <= Self.newcomerTime
        else { return false }
        return record.purchased.map { $0.seconds(until: arrival.time) <= Self.newcomerTime } ?? true
    }
}

private extension Timestamp {
    func seconds(until other: Timestamp) -> Double { (other.milliseconds - milliseconds) / 1_000 }
}

// MARK: - Trying

extension Invites {
    /// Signs the next entry that may be tried now. Entries that don't count after all, and those that are given up, are removed.
    mutating func signNext() {
        guard signing == nil else { return }
        deadlines.cancel(.retry)
        record.pending = record.pending.filter { counts($0.arrival) }
        for entry in record.pending {
            if let first = entry.firstRefusal, first.seconds(until: now) >= Self.refusalLimit { finish(entry.program) }
        }
        let common = record.pausedUntil.pause(at: now)
        let pauses = record.pending.map { max($0.refusedUntil.pause(at: now, of: Self.refusalPause), common) }
        for (pending, pause) in zip(record.pending, pauses)
        where pause == 0 && !deadlines.contains(.failure(pending.program)) {
            signing = Signing(number: ask { .sign($0, pending.entry) }, program: pending.program)
            return wait(for: .signing, Self.patience)
        }
        if let shortest = pauses.filter({ $0 > 0 }).min() { wait(for: .retry, shortest) }
    }

    /// Tries all entries at once, also after failures, but none that isn't allowed.
    mutating func trySigningAgain() {
        for program in failures.keys { deadlines.cancel(.failure(program)) }
        failures = [:]
        signNext()
    }

    /// Receives an answer. A late one is ignored: the guestbook answers the next request that the entry is signed already.
    mutating func receiveSignature(_ answer: Result<GuestbookAnswer, GuestbookError>, _ number: Int) {
        guard let signing, signing.number == number else { return }
        switch answer {
        case .success:
            finish(signing.program)
            endSigning()
        case .failure(let error): failSigning(error)
        }
    }

    mutating func failSigning(_ error: GuestbookError) {
        guard let program = signing?.program else { return }
        if case .notAllowed = error, let index = record.pending.firstIndex(where: { $0.program == program }) {
            record.pending[index].firstRefusal = record.pending[index].firstRefusal ?? now
            record.pending[index].refusedUntil = now.advanced(by: Self.refusalPause)
            failures[program] = nil
        } else {
            if case .retryAfter(let seconds) = error { requestPause(seconds) }
            wait(for: .failure(program), Backoff.seconds(after: failures[program, default: 0]))
            failures[program, default: 0] += 1
        }
        endSigning()
    }

    private mutating func endSigning() {
        signing = nil
        deadlines.cancel(.signing)
        signNext()
    }

    /// Begins a pause that the guestbook asks for, unless an earlier one lasts longer. Not a number counts as zero.
    mutating func requestPause(_ seconds: Double) {
        let pause = max(record.pausedUntil.pause(at: now), seconds > 0 ? min(seconds, Self.maximumPause) : 0)
        record.pausedUntil = now.advanced(by: pause)
    }

    /// Nothing is ever signed again for a program.
    private mutating func finish(_ program: String) {
        record.pending.removeAll { $0.program == program }
        record.finished.append(program)
    }
}
