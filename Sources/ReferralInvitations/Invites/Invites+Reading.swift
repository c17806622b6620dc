/// The side of the user who invites: the records of newcomers in the guestbook.
extension Invites {
    /// The shortest time between two readings that the user doesn't ask for, in seconds: 15 minutes.
    static let readingInterval = 900.0
    /// The number of answers of a guestbook in one reading.
    static let maximumPages = 1_000

    /// A reading of the guestbook for each of the user's names.
    struct Reading: Sendable, Equatable {
        /// The names that are still to be read.
        var names: [String]
        var pages = 0
        /// The question that is open.
        var question: Int?
    }

    /// Reads the guestbook, unless that is under way, or should be only if it is due and isn't.
    mutating func read(ifDue: Bool) {
        if reading != nil, deadlines.take(.reading, at: moment.steady) { endReading(.guestbook(.offline)) }
        guard reading == nil else { return }
        readingError = nil
        let pause = ifDue ? record.isReadUntil.pause(at: now, of: Self.readingInterval) : 0
        // Nobody can have come by a user without a name.
        guard !ownNames.isEmpty, pause == 0 else { return }
        let programs = programs.map(\.name).sorted()
        if record.countedPrograms != programs { (record.countedPrograms, record.cursors) = (programs, [:]) }
        record.isReadUntil = now.advanced(by: Self.readingInterval)
        reading = Reading(names: ownNames)
        wait(for: .reading, Self.patience)
        askNext()
    }

    private mutating func askNext() {
        guard var reading else { return }
        guard let name = reading.names.first, reading.pages < Self.maximumPages else { return endReading(nil) }
        let pause = record.pausedUntil.pause(at: now)
        guard pause == 0 else { return endReading(.guestbook(.retryAfter(pause))) }
        let cursor = record.cursors[name]
        reading.question = ask { .page($0, name: name, cursor: cursor) }
        self.reading = reading
    }

    /// Counts the records of an answer, and remembers where to continue.
    mutating func receivePage(_ page: Result<GuestbookPage, GuestbookError>, _ number: Int) {
        guard let reading, reading.question == number, let name = reading.names.first else { return }
        switch page {
        case .failure(let error):
            if case .retryAfter(let seconds) = error { requestPause(seconds) }
            endReading(.guestbook(error))
        case .success(let page):
            // If nobody is signed in, the last known name counts.
            record.myself = page.user ?? record.myself
            count(page.records)
            let isMore = !page.isLast && page.cursor != record.cursors[name]
            record.cursors[name] = page.cursor
            self.reading?.pages += 1
            if !isMore { self.reading?.names.removeFirst() }
            askNext()
        }
    }

    private mutating func count(_ records: [GuestbookRecord]) {
        var known = Set(record.counted.map(\.id))
        for new in records where new.counts(for: record.myself) {
            guard programs.contains(where: { $0.name.utf8.elementsEqual(new.program.utf8) }),
                known.insert(new.name).inserted
            else { continue }
            record.counted.append(InvitationEntry(id: new.name, program: new.program))
        }
    }

    mutating func endReading(_ error: InvitesError?) {
        deadlines.cancel(.reading)
        (reading, readingError) = (nil, error)
    }
}
