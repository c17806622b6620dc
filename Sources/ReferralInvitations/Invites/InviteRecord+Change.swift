extension InviteRecord {
    /// A change of the file.
    enum Change: Sendable, Equatable {
        /// The user's own codes, in order.
        case codes([String])
        case arrival(AcceptedReferral)
        /// An event was reached, and these entries are to be signed.
        case event(String, [Pending])
        /// The entry of a program doesn't count after all.
        case drop(program: String)
        /// Nothing is ever signed again for a program.
        case finish(program: String)
        /// The guestbook has answered that the entry of a program isn't allowed.
        case refusal(program: String, Pause)
        case requestedPause(Pause)
        case purchased(Timestamp)
        /// The programs whose records are counted. Those of a new one may be in front of the cursors.
        case countedPrograms([String])
        case page(name: String, cursor: String?, [InvitationEntry])
        case readingPause(Pause)
        case myself(String)
    }

    /// The contents after a change. The same change twice is the same as once.
    func changed(by change: Change) -> InviteRecord {
        var record = self
        record.apply(change)
        return record
    }

    private mutating func apply(_ change: Change) {
        switch change {
        case .codes(let codes): self.codes = codes
        case .arrival(let arrival):
            arrivals.removeAll { $0.referrer == arrival.referrer }
            arrivals.append(arrival)
            arrivals.removeFirst(max(0, arrivals.count - Self.maximumArrivals))
        case .event(let event, let entries):
            guard !reached.contains(event) else { return }
            reached.append(event)
            pending += entries
        case .drop(let program): pending.removeAll { $0.program == program }
        case .finish(let program):
            pending.removeAll { $0.program == program }
            // A late answer may be the second one.
            if !finished.contains(program) { finished.append(program) }
        case .refusal(let program, let pause):
            guard let index = pending.firstIndex(where: { $0.program == program }) else { return }
            pending[index].firstRefusal = pending[index].firstRefusal ?? pause.start
            pending[index].refusal = pause
        case .requestedPause(let pause):
            // An earlier one may last longer.
            if requestedPause.rest(at: pause.start) < pause.rest(at: pause.start) { requestedPause = pause }
        case .purchased(let date): purchased = date
        case .countedPrograms(let programs): (countedPrograms, cursors) = (programs, [:])
        case .page(let name, let cursor, let entries):
            let known = Set(counted.map(\.id))
            counted += entries.filter { !known.contains($0.id) }
            cursors[name] = cursor
        case .readingPause(let pause): readingPause = pause
        case .myself(let user): myself = user
        }
    }
}
