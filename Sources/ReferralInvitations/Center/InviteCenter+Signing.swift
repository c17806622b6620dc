import ReferralFoundation

extension InviteCenter {
    /// The time within which a referral must arrive after the first launch, and the app may have been bought before the
    /// arrival, in seconds: 7 days.
    static let newcomerTime = 604_800.0
    /// The pause after an entry wasn't allowed, in seconds: a day.
    static let refusalPause = 86_400.0
    /// The time after which an entry that isn't allowed is given up, in seconds: 30 days.
    static let refusalLimit = 2_592_000.0

    /// Records a referral that reached the app. If the user is a newcomer, the referrer is thanked once the user reaches a
    /// program's event.
    ///
    /// - Parameter arrival: The arrival, as the bridge reported it.
    /// - Returns: Whether it counts. It doesn't if it came more than 7 days after the first launch or the purchase, or if
    ///   the referrer is the user or has a name of more than 256 bytes.
    /// - Throws: ``InvitesError``. Record it again later.
    @discardableResult
    public func record(_ arrival: Arrival) throws(InvitesError) -> Bool {
        try open()
        let new = InviteRecord.AcceptedReferral(referrer: InviteCode.canonical(arrival.referrer), time: clock.now())
        guard new.referrer.utf8.count <= InviteRecord.maximumNameLength, counts(new) else { return false }
        try change { record in
            record.arrivals.removeAll { $0.referrer == new.referrer }
            record.arrivals.append(new)
            record.arrivals.removeFirst(max(0, record.arrivals.count - InviteRecord.maximumArrivals))
        }
        return true
    }

    /// Records that the user has reached an event. If it is a program's, and the user came by an invitation before it, the
    /// user's entry is signed. Only the first time counts.
    ///
    /// - Throws: ``InvitesError``. Record it again later.
    public func recordEvent(_ event: String) throws(InvitesError) {
        let record = try open()
        guard event.utf8.count <= InviteRecord.maximumNameLength, !record.reached.contains(event) else { return }
        var new: [InviteRecord.Pending] = []
        if let arrival = record.arrivals.last(where: counts) {
            let day = Timestamp(milliseconds: (clock.now().milliseconds / 86_400_000).rounded(.down) * 86_400_000)
            for program in programs where program.event == event && isOpen(program.name) {
                new.append(.init(program: program.name, arrival: arrival, event: event, day: day))
            }
        }
        try change { record in
            record.reached.append(event)
            record.pending += new
        }
        trySigning(new.map(\.program))
    }

    /// The entries that aren't signed yet, in the order in which their events were reached.
    public var pendingEntries: [GuestbookEntry] {
        get throws(InvitesError) { try open().pending.map(\.entry) }
    }

    private func isOpen(_ program: String) -> Bool {
        guard let record else { return false }
        return !record.finished.contains(program) && !record.pending.contains { $0.program == program }
    }

    /// Whether an arrival makes the user a newcomer who was invited by somebody else.
    private func counts(_ arrival: InviteRecord.AcceptedReferral) -> Bool {
        guard let record, !isOwn(arrival.referrer) else { return false }
        // If the clock was set back, the time counts as if it hadn't been.
        guard abs(record.firstLaunch.seconds(until: arrival.time)) <= Self.newcomerTime else { return false }
        return record.purchased.map { $0.seconds(until: arrival.time) <= Self.newcomerTime } ?? true
    }
}

private extension Timestamp {
    func seconds(until other: Timestamp) -> Double { (other.milliseconds - milliseconds) / 1_000 }
}

// MARK: - Trying

extension InviteCenter {
    func trySigningAll() { trySigning(record?.pending.map(\.program) ?? []) }

    private func trySigning(_ programs: [String]) {
        due += programs.filter { !due.contains($0) }
        let now = clock.now()
        guard signing?.isAwaited(at: now) != true, !due.isEmpty else { return }
        attemptCount += 1
        let number = attemptCount
        let task = Task {
            while let pending = nextPending() { await sign(pending) }
            if signing?.number == number { signing = nil }
            waitForRetry()
        }
        signing = Attempt(number: number, at: now, task)
    }

    /// The next entry that may be tried now. Entries that don't count after all, and those that are given up, are removed.
    private func nextPending() -> InviteRecord.Pending? {
        let now = clock.now()
        if record?.requestedPause.rest(at: now) ?? 0 > 0 { due = [] }
        while !due.isEmpty {
            let program = due.removeFirst()
            guard let pending = record?.pending.first(where: { $0.program == program }) else { continue }
            if !counts(pending.arrival) {
                note { $0.pending.removeAll { $0.program == program } }
            } else if let first = pending.firstRefusal, first.seconds(until: now) >= Self.refusalLimit {
                note { $0.finish(program) }
            } else if pending.refusal.rest(at: now) == 0 {
                return pending
            }
        }
        return nil
    }

    private func sign(_ pending: InviteRecord.Pending) async {
        do throws(GuestbookError) {
            _ = try await guestbook.sign(pending.entry)
            failureCount = 0
            note { $0.finish(pending.program) }
        } catch {
            let now = clock.now()
            switch error {
            case .notAllowed:
                note { record in
                    guard let index = record.pending.firstIndex(where: { $0.program == pending.program }) else {
                        return
                    }
                    record.pending[index].firstRefusal = pending.firstRefusal ?? now
                    record.pending[index].refusal = Pause(seconds: Self.refusalPause, at: now)
                }
            case .retryAfter(let seconds):
                beginRequestedPause(seconds)
                due = []
            case .notSignedIn, .offline, .failed:
                failureCount += 1
                pause = Pause(afterFailure: failureCount, at: now)
                due = []
            }
        }
    }

    /// Begins a pause that the guestbook asks for, unless an earlier one lasts longer.
    func beginRequestedPause(_ seconds: Double) {
        let now = clock.now()
        let pause = Pause(seconds: seconds, at: now)
        note { if $0.requestedPause.rest(at: now) < pause.rest(at: now) { $0.requestedPause = pause } }
    }

    /// Tries the entries again after the shortest pause that any of them has.
    private func waitForRetry() {
        retry?.cancel()
        guard let record, !record.pending.isEmpty else { return }
        let now = clock.now()
        let common = max(pause.rest(at: now), record.requestedPause.rest(at: now))
        let seconds = record.pending.map { max(common, $0.refusal.rest(at: now)) }.min() ?? common
        retry = Task { [weak self, clock] in
            await clock.sleep(seconds)
            if !Task.isCancelled { await self?.trySigningAll() }
        }
    }
}
