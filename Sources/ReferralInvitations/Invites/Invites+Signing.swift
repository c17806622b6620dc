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

    mutating func receiveArrival(from referrer: String, _ call: Int) {
        let new = InviteRecord.AcceptedReferral(referrer: InviteCode.canonical(referrer), time: now)
        guard new.referrer.utf8.count <= InviteRecord.maximumNameLength, counts(new) else {
            return resume(call, .counts(false))
        }
        change(.arrival(new), .resume(call: call, .counts(true)))
    }

    mutating func reach(_ event: String, _ call: Int) {
        guard let record, event.utf8.count <= InviteRecord.maximumNameLength, !record.reached.contains(event) else {
            return resume(call, .done)
        }
        var new: [InviteRecord.Pending] = []
        if let arrival = record.arrivals.last(where: counts) {
            let day = Timestamp(milliseconds: (now.milliseconds / 86_400_000).rounded(.down) * 86_400_000)
            for program in programs where program.event == event && record.isOpen(program.name) {
                new.append(.init(program: program.name, arrival: arrival, event: event, day: day))
            }
        }
        change(.event(event, new), .signNew(call: call, programs: new.map(\.program)))
    }

    /// Whether an arrival makes the user a newcomer who was invited by somebody else.
    private func counts(_ arrival: InviteRecord.AcceptedReferral) -> Bool {
        // The store may have just answered when the app was bought.
        guard let record = recordBeingWritten, !isOwn(arrival.referrer) else { return false }
        // If the clock was set back, the time counts as if it hadn't been.
        guard abs(record.firstLaunch.seconds(until: arrival.time)) <= Self.newcomerTime else { return false }
        return record.purchased.map { $0.seconds(until: arrival.time) <= Self.newcomerTime } ?? true
    }
}

private extension InviteRecord {
    func isOpen(_ program: String) -> Bool {
        !finished.contains(program) && !pending.contains { $0.program == program }
    }
}

private extension Timestamp {
    func seconds(until other: Timestamp) -> Double { (other.milliseconds - milliseconds) / 1_000 }
}

// MARK: - Trying

extension Invites {
    mutating func trySigning(_ programs: [String]) {
        due += programs.filter { !due.contains($0) }
        guard !isSigning, !due.isEmpty else { return }
        isSigning = true
        signNext()
    }

    /// Signs the next entry that may be tried now. Entries that don't count after all, and those that are given up, are removed.
    mutating func signNext() {
        guard isSigning, signature == nil else { return }
        if record?.requestedPause.rest(at: now) ?? 0 > 0 { due = [] }
        while !due.isEmpty {
            let program = due.removeFirst()
            guard let pending = record?.pending.first(where: { $0.program == program }) else { continue }
            if !counts(pending.arrival) { return note(.drop(program: program), .signNext) }
            if let first = pending.firstRefusal, first.seconds(until: now) >= Self.refusalLimit {
                return note(.finish(program: program), .signNext)
            }
            guard pending.refusal.rest(at: now) == 0 else { continue }
            let number = ask { .sign($0, pending.entry) }
            signatures[number] = pending
            signature = number
            return wait(for: .signing(number), Self.patience)
        }
        isSigning = false
        waitForRetry()
    }

    /// Takes the answer of a guestbook, also a late one.
    mutating func receiveSignature(_ failure: GuestbookError?, _ number: Int) {
        guard let pending = signatures.removeValue(forKey: number) else { return }
        deadlines.cancel(.signing(number))
        if signature == number { signature = nil }
        switch failure {
        case nil:
            failureCount = 0
            note(.finish(program: pending.program), .signNext)
        case .notAllowed:
            note(.refusal(program: pending.program, Pause(seconds: Self.refusalPause, at: now)), .signNext)
        case .retryAfter(let seconds):
            due = []
            note(.requestedPause(Pause(seconds: seconds, at: now)), .signNext)
        case .notSignedIn, .offline, .failed:
            due = []
            beginPause()
            signNext()
        }
    }

    /// Lets others be signed, since a request isn't answered. Its entry is tried again as after another failure.
    mutating func endSigning(_ number: Int) {
        guard signature == number else { return }
        signature = nil
        beginPause()
        signNext()
    }

    private mutating func beginPause() {
        failureCount += 1
        pause = Pause(afterFailure: failureCount, at: now)
    }

    /// Tries all entries, those whose last request isn't answered after the others.
    mutating func trySigningAll() {
        let all = record?.pending.map(\.program) ?? []
        let open = Set(signatures.values.map(\.program))
        trySigning(all.filter { !open.contains($0) } + all.filter(open.contains))
    }

    /// Tries the entries again after the shortest pause that any of them has.
    private mutating func waitForRetry() {
        deadlines.cancel(.retry)
        guard let record else { return }
        let common = max(pause.rest(at: now), record.requestedPause.rest(at: now))
        let pauses = record.pending.map { max(common, $0.refusal.rest(at: now)) }
        if let shortest = pauses.min() { wait(for: .retry, shortest) }
    }
}
