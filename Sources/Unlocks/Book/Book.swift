import ReferralFoundation

/// The user's purchases and rewards, in memory and on the disk.
///
/// A change counts once it is on the disk. It is decided, written and counted before the next one, so that the basis of a decision
/// still holds when it counts. What is noted counts at once, and is written as soon as the disk accepts it. The disk isn't used on
/// the main actor.
@MainActor
final class Book {
    private(set) var ledger = Ledger()
    /// Why nothing can be written; `nil` once the journal is open.
    private(set) var closed: UnlocksError? = .notStarted
    /// Called after each successful write.
    var didWrite: () -> Void = {}
    /// Called if what was noted can't be written.
    var didFail: (UnlocksError) -> Void = { _ in }

    let storage: any UnlocksStorage
    private let clock: DeviceClock
    private let turns = Turns()
    private var opening: Task<Result<[UnlocksProblem], UnlocksError>, Never>?
    /// Whether something was noted that isn't written.
    private var hasNotes = false
    /// The moment of the device's clock that was written last.
    private var written = Date.distantPast
    /// The time, in seconds, after which a moment is written again: ten minutes.
    private static let pauseBetweenMoments = 600.0

    init(_ storage: any UnlocksStorage, clock: DeviceClock) {
        self.storage = storage
        self.clock = clock
    }

    var isOpen: Bool { closed == nil }

    /// Changes which entries count, and how. Nothing is written.
    func configure(_ change: (inout Ledger) -> Void) { change(&ledger) }

    /// Changes the user's purchases and rewards. While the journal is being opened, this waits.
    ///
    /// - Parameter decide: Returns the entries, which are written as one, and a value.
    /// - Returns: That value, once the entries are on the disk.
    /// - Throws: The reason why they can't be written, or the closure's error. Nothing has changed then.
    func change<Value>(
        _ decide: (Ledger) throws(UnlocksError) -> (entries: [JournalEntry], value: Value)
    ) async throws(UnlocksError) -> Value {
        if !isOpen { _ = await opening?.value }
        if let closed { throw closed }
        return try await turns.run { () throws(UnlocksError) in
            let (entries, value) = try decide(ledger)
            if !entries.isEmpty { try await write(entries) }
            return value
        }
    }

    private func write(_ entries: [JournalEntry]) async throws(UnlocksError) {
        var new = ledger
        new.apply(entries)
        // What is noted while this is written isn't in it.
        let hadNotes = hasNotes
        (hasNotes, written) = (false, new.seen)
        do throws(UnlocksError) {
            try await storage.writeJournal(Self.text(of: new))
        } catch {
            if hadNotes { hasNotes = true }
            throw error
        }
        ledger.apply(entries)
        didWrite()
    }

    private nonisolated static func text(of ledger: Ledger) async -> [UInt8] { Journal.text(of: ledger.entries) }

    /// Adds entries that count at once.
    func note(_ entries: [JournalEntry]) {
        ledger.apply(entries)
        hasNotes = true
        save()
    }

    /// Writes what was noted.
    func save() {
        guard hasNotes, isOpen else { return }
        Task { [weak self] in
            guard let self else { return }
            do throws(UnlocksError) {
                try await turns.run { () throws(UnlocksError) in if hasNotes { try await write([]) } }
            } catch { didFail(error) }
        }
    }

    /// The moment at which purchases are judged. It is written now and then, so that it is known after a new start.
    var now: Date {
        let clock = clock.now().date
        if clock > ledger.seen { ledger.see(clock) }
        if isOpen, ledger.seen > written + Self.pauseBetweenMoments {
            (written, hasNotes) = (ledger.seen, true)
            save()
        }
        return ledger.now(at: clock)
    }

    /// Opens the journal.
    ///
    /// - Parameter prepare: Called first.
    /// - Returns: What is wrong with it, or why it can't be opened.
    func open(
        _ prepare: @escaping @MainActor () async -> Void = {}
    ) -> Task<Result<[UnlocksProblem], UnlocksError>, Never> {
        let opening = Task {
            await prepare()
            return await Result { () async throws(UnlocksError) in try await turns.run(open) }
        }
        self.opening = opening
        return opening
    }

    private func open() async throws(UnlocksError) -> [UnlocksProblem] {
        do throws(UnlocksError) {
            let contents = try await Self.read(storage.openJournal())
            var new = contents.ledger
            new.environment = ledger.environment
            (new.allowances, written) = (ledger.allowances, new.seen)
            // Those that were noted while it was closed.
            let claims = ledger.claims
            new.apply(claims.map(JournalEntry.claim))
            (ledger, closed, hasNotes) = (new, nil, !claims.isEmpty)
            return contents.damagedLines.isEmpty ? [] : [.damagedJournal(lines: contents.damagedLines)]
        } catch {
            closed = error
            throw error
        }
    }

    private nonisolated static func read(_ bytes: [UInt8]) async throws(UnlocksError) -> (
        ledger: Ledger, damagedLines: [Int]
    ) {
        try Journal.read(bytes)
    }
}
