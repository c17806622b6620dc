/// The side of the user who invites: the records of newcomers in the guestbook.
extension Invites {
    /// The shortest time between two readings that the user doesn't ask for, in seconds: 15 minutes.
    static let readingInterval = 900.0
    /// The number of answers of a guestbook in one reading.
    static let maximumPages = 1_000
    /// The number of entries that are counted in a program, as in `Unlocks`. Nobody invites so many.
    static let maximumEntries = 10_000

    /// A reading of the guestbook for each of the user's names.
    struct Reading: Sendable, Equatable {
        /// Tells readings apart.
        let number: Int
        /// The pause after it.
        let interval: Pause
        /// The names that are still to be read.
        var names: [String]
        /// The number of answers for the first of them.
        var pages = 0
        /// The question that is open.
        var question: Int?
        /// An answer that isn't counted, since the user's name in the guestbook isn't known.
        var page: GuestbookPage?
        var user: User?
        var calls: [Int] = []

        /// What goes on in it once a change is written.
        enum Next: Sendable, Equatable {
            case readNext
            case countPage
            case endPage(hasNew: Bool, isMore: Bool)
            case end(InvitesError?)
        }
    }

    /// The user's name in the guestbook, which the user may not have.
    struct User: Sendable, Equatable {
        let name: String?
    }

    var isReadingDue: Bool {
        max(record?.readingPause.rest(at: now) ?? 0, lastReading.rest(at: now)) == 0
    }

    /// Reads the guestbook, unless that is under way.
    mutating func beginReading(_ call: Int?) {
        if let open = reading {
            guard deadlines.take(.reading(open.number), at: moment.steady) else {
                if let call { reading?.calls.append(call) }
                return
            }
            endReading(.guestbook(.offline))
        }
        let names = ownNames
        guard !names.isEmpty else {
            if let call { resume(call, .done) }
            return
        }
        let interval = Pause(seconds: Self.readingInterval, at: now)
        if let error = requestedPauseError {
            if let call { resume(call, .done, failing: error) }
            return
        }
        lastReading = interval
        let number = outbox.nextNumber()
        reading = Reading(number: number, interval: interval, names: names, calls: call.map { [$0] } ?? [])
        wait(for: .reading(number), Self.patience)
        let programs = programs.map(\.name).sorted()
        if record?.countedPrograms == programs {
            readNext()
        } else {
            change(.countedPrograms(programs), .read(number, .readNext))
        }
    }

    /// The error while a pause lasts that the guestbook has asked for.
    private var requestedPauseError: InvitesError? {
        let rest = record?.requestedPause.rest(at: now) ?? 0
        return rest == 0 ? nil : .guestbook(.retryAfter(rest))
    }

    mutating func readNext() {
        guard let reading else { return }
        guard let name = reading.names.first else {
            return note(.readingPause(reading.interval), .read(reading.number, .end(nil)))
        }
        // A signature may have been answered with a pause since the reading began.
        if let error = requestedPauseError { return endReading(error) }
        let cursor = record?.cursors[name]
        askGuestbook { .page($0, name: name, cursor: cursor) }
    }

    private mutating func askGuestbook(_ question: (Int) -> Effect) {
        let number = ask(question)
        reading?.question = number
    }

    mutating func receivePage(_ page: Result<GuestbookPage, GuestbookError>, _ number: Int) {
        guard let reading, reading.question == number else { return }
        self.reading?.question = nil
        switch page {
        case .failure(let error): fail(error)
        case .success(let page):
            self.reading?.page = page
            if reading.user != nil || page.records.isEmpty { return countPage() }
            if let error = requestedPauseError { return endReading(error) }
            askGuestbook(Effect.myself)
        }
    }

    /// Takes the user's name in the guestbook; if nobody is signed in, the last known one.
    mutating func receiveUser(_ user: Result<String, GuestbookError>, _ number: Int) {
        guard let reading, reading.question == number else { return }
        self.reading?.question = nil
        switch user {
        case .success(let name):
            self.reading?.user = User(name: name)
            note(.myself(name), .read(reading.number, .countPage))
        case .failure(.notSignedIn):
            self.reading?.user = User(name: record?.myself)
            countPage()
        case .failure(let error): fail(error)
        }
    }

    /// Counts the records of an answer, and remembers where to continue, in one change.
    mutating func countPage() {
        guard let reading, let page = reading.page, let name = reading.names.first, let record else { return }
        self.reading?.page = nil
        var known = Set(record.counted.map(\.id))
        var counts = Dictionary(record.counted.map { ($0.program, 1) }, uniquingKeysWith: +)
        let new = page.records.filter { record in
            guard record.isGenuine, !record.isOwn(of: reading.user?.name), isCounted(record.program),
                counts[record.program, default: 0] < Self.maximumEntries, known.insert(record.name).inserted
            else { return false }
            counts[record.program, default: 0] += 1
            return true
        }
        let isMore = !page.isLast && page.cursor != record.cursors[name]
        change(
            .page(name: name, cursor: page.cursor, new.map { InvitationEntry(id: $0.name, program: $0.program) }),
            .read(reading.number, .endPage(hasNew: !new.isEmpty, isMore: isMore))
        )
    }

    /// Goes on in a reading, or ends it if a change can't be written.
    mutating func goOn(reading number: Int, _ next: Reading.Next, failing failure: InvitesError?) {
        // What was counted is shown even if the reading has ended meanwhile.
        if failure == nil, case .endPage(hasNew: true, _) = next, let counted = record?.counted {
            perform(.publish(counted))
        }
        guard reading?.number == number else { return }
        if let failure { return endReading(failure) }
        switch next {
        case .readNext: readNext()
        case .countPage: countPage()
        case .endPage(_, let isMore): endPage(isMore: isMore)
        case .end(let error): endReading(error)
        }
    }

    private mutating func endPage(isMore: Bool) {
        guard let reading, !reading.names.isEmpty else { return }
        self.reading?.pages += 1
        if !isMore || reading.pages + 1 == Self.maximumPages {
            self.reading?.names.removeFirst()
            self.reading?.pages = 0
        }
        readNext()
    }

    mutating func endReading(_ error: InvitesError?) {
        guard let reading else { return }
        deadlines.cancel(.reading(reading.number))
        self.reading = nil
        for call in reading.calls { resume(call, .done, failing: error) }
    }

    private mutating func fail(_ error: GuestbookError) {
        if case .retryAfter(let seconds) = error {
            note(
                .requestedPause(Pause(seconds: seconds, at: now)),
                .read(reading?.number ?? 0, .end(.guestbook(error)))
            )
        } else {
            endReading(.guestbook(error))
        }
    }

    private func isCounted(_ program: String) -> Bool {
        programs.contains { $0.name.utf8.elementsEqual(program.utf8) }
    }
}
