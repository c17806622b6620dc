extension InviteCenter {
    /// The shortest time between two readings that the user doesn't ask for, in seconds: 15 minutes.
    static let readingInterval = 900.0
    /// The number of answers of a guestbook in one reading.
    static let maximumPages = 1_000
    /// The number of entries that are counted in a program, as in `Unlocks`. Nobody invites so many.
    static let maximumEntries = 10_000

    /// The entries that count for the user, in the order in which they were found.
    public var entries: [InvitationEntry] {
        get throws(InvitesError) { try open().counted }
    }

    /// The current entries, followed by all entries each time there are more. If several arrive while the app handles one
    /// value, it receives the newest.
    ///
    /// ```swift
    /// for await entries in await invites.entryUpdates() {
    ///     try await unlocks.count(entries)
    /// }
    /// ```
    public func entryUpdates() -> AsyncStream<[InvitationEntry]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [InvitationEntry].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        observerCount += 1
        let number = observerCount
        observers[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.removeObserver(number) } }
        if let entries = try? entries { continuation.yield(entries) }
        return stream
    }

    private func removeObserver(_ number: Int) { observers[number] = nil }

    /// Reads the guestbook, unless it was read less than 15 minutes ago. Call it when the app becomes active.
    ///
    /// - Throws: ``InvitesError``.
    public func readEntriesIfDue() async throws(InvitesError) {
        try open()
        if isReadingDue { try await readEntries() }
    }

    var isReadingDue: Bool {
        let now = clock.now()
        return max(record?.readingPause.rest(at: now) ?? 0, lastAttempt.rest(at: now)) == 0
    }

    /// Reads the guestbook for the records of newcomers. `InviteView` calls it when it appears.
    ///
    /// Without a code and an own referrer, nothing is read, since nobody can have come. If the guestbook is being read, this
    /// waits for the answer, unless there has been none for 15 minutes.
    ///
    /// - Throws: ``InvitesError``.
    public func readEntries() async throws(InvitesError) {
        try open()
        try await beginReading().task.value.get()
    }

    /// Reads the guestbook, unless that is under way.
    @discardableResult
    func beginReading() -> Attempt<Result<Void, InvitesError>> {
        let now = clock.now()
        if let reading, reading.isAwaited(at: now) { return reading }
        attemptCount += 1
        let number = attemptCount
        let task = Task {
            let result: Result<Void, InvitesError>
            do throws(InvitesError) { result = .success(try await read()) } catch { result = .failure(error) }
            if reading?.number == number { reading = nil }
            return result
        }
        let new = Attempt(number: number, at: now, task)
        reading = new
        return new
    }

    private func read() async throws(InvitesError) {
        let (now, names) = (clock.now(), ownNames)
        guard !names.isEmpty else { return }
        try checkRequestedPause()
        let interval = Pause(seconds: Self.readingInterval, at: now)
        lastAttempt = interval
        let programs = programs.map(\.name).sorted()
        if record?.countedPrograms != programs {
            // The records of a new program may be in front of the cursors.
            try change { ($0.countedPrograms, $0.cursors) = (programs, [:]) }
        }
        var user: String??
        for name in names {
            for _ in 0..<Self.maximumPages {
                let page = try await ask { () async throws(GuestbookError) in
                    try await guestbook.records(for: name, after: record?.cursors[name])
                }
                if user == nil, !page.records.isEmpty { user = .some(try await currentUser()) }
                guard try count(page, for: name, unless: user ?? nil) else { break }
            }
        }
        note { $0.readingPause = interval }
    }

    /// The user's name in the guestbook; if nobody is signed in, the last known one.
    private func currentUser() async throws(InvitesError) -> String? {
        do throws(InvitesError) {
            let user = try await ask { () async throws(GuestbookError) in try await guestbook.myself() }
            note { $0.myself = user }
            return user
        } catch .guestbook(.notSignedIn) {
            return record?.myself
        } catch {
            throw error
        }
    }

    /// Counts the records of an answer, and remembers where to continue, in one change.
    ///
    /// - Returns: Whether there are more records.
    private func count(_ page: GuestbookPage, for name: String, unless user: String?) throws(InvitesError) -> Bool {
        let record = try open()
        var known = Set(record.counted.map(\.id))
        var counts = Dictionary(record.counted.map { ($0.program, 1) }, uniquingKeysWith: +)
        let new = page.records.filter { record in
            guard record.isGenuine, !record.isOwn(of: user), isCounted(record.program),
                counts[record.program, default: 0] < Self.maximumEntries, known.insert(record.name).inserted
            else { return false }
            counts[record.program, default: 0] += 1
            return true
        }
        try change { changed in
            changed.counted += new.map { InvitationEntry(id: $0.name, program: $0.program) }
            changed.cursors[name] = page.cursor
        }
        if !new.isEmpty, let entries = try? entries { for observer in observers.values { observer.yield(entries) } }
        return !page.isLast && page.cursor != record.cursors[name]
    }

    private func isCounted(_ program: String) -> Bool {
        programs.contains { $0.name.utf8.elementsEqual(program.utf8) }
    }

    private func checkRequestedPause() throws(InvitesError) {
        let rest = record?.requestedPause.rest(at: clock.now()) ?? 0
        guard rest == 0 else { throw .guestbook(.retryAfter(rest)) }
    }

    private func ask<Value: Sendable>(
        _ request: () async throws(GuestbookError) -> Value
    ) async throws(InvitesError) -> Value {
        // A signature may have been answered with a pause since the reading began.
        try checkRequestedPause()
        do throws(GuestbookError) { return try await request() } catch {
            if case .retryAfter(let seconds) = error { beginRequestedPause(seconds) }
            throw .guestbook(error)
        }
    }
}
